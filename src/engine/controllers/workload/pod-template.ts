/** Creates pods from a template. Upstream: pkg/controller/controller_utils.go GetPodFromTemplate v1.36. */
import type { Draft, Kind, KubeObject } from "../../api/meta.ts";
import type { OwnerReference, PodTemplateSpec } from "../../api/types.ts";

/** Returns the owner reference by which `owner` controls its children. Upstream: metav1.NewControllerRef. */
export function controllerReference(owner: KubeObject<Kind>): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function podFromTemplate(
  template: PodTemplateSpec | undefined,
  owner: KubeObject<Kind>,
): Draft<"Pod"> {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${owner.metadata.name}-`,
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: template?.spec ?? { containers: [] },
  };
}
