/** Which template of a Deployment a ReplicaSet is for. Upstream: pkg/controller/deployment/util/deployment_util.go RevisionAnnotation v1.36. */
import type { KubeObject } from "../api/meta.ts";

export const revisionKey = "deployment.kubernetes.io/revision";

/** Whether the set is there for an earlier template: its pods are to go. */
export function isOfOldRevision(
  set: KubeObject<"ReplicaSet">,
  deployment: KubeObject<"Deployment">,
): boolean {
  const { annotations } = deployment.metadata;
  return set.metadata.annotations?.[revisionKey] !== annotations?.[revisionKey];
}
