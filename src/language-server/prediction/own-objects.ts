/**
 * Objects that Kubernetes itself creates in namespaces, where a pod refers to them or a quota counts them.
 * kube-controller-manager's root-ca-certificate-publisher and serviceaccount-controller create theirs in each namespace,
 * kube-apiserver its own service in the default one.
 */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Kind, Ref } from "../../engine/api/meta.ts";
import type { Manifest } from "../../engine/scenario.ts";
import type { Environment } from "../workspace/environment.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";

interface OwnObject {
  readonly kind: Kind;
  readonly name: string;
  readonly body?: Manifest;
  /** The quota resources that count it. */
  readonly limits: readonly string[];
  readonly onlyIn?: string;
}

const own: readonly OwnObject[] = [
  {
    kind: "ConfigMap",
    name: "kube-root-ca.crt",
    body: { data: { "ca.crt": "" } },
    limits: ["configmaps", "count/configmaps"],
  },
  { kind: "ServiceAccount", name: "default", limits: ["count/serviceaccounts"] },
  {
    kind: "Service",
    name: "kubernetes",
    body: { spec: { ports: [{ name: "https", port: 443, targetPort: 6443 }] } },
    limits: ["services", "count/services"],
    onlyIn: "default",
  },
];

export function ownObjects(
  applied: readonly WorkspaceObject[],
  imported: Environment["imported"],
): readonly Manifest[] {
  const written = new Set(applied.map(({ object }) => object.ref));
  const isThere = (ref: Ref): boolean => written.has(ref) || imported?.byRef.has(ref) === true;
  return own.flatMap((object) => {
    const { kind, name, body, onlyIn } = object;
    const namespaces = new Set(applied.flatMap((entry) => namespacesWhereAsked(entry, object)));
    return [...namespaces]
      .filter((namespace) => onlyIn === undefined || namespace === onlyIn)
      .filter((namespace) => !isThere(`${kind}/${namespace}/${name}`))
      .sort(compareText)
      .map((namespace) => ({ apiVersion: "v1", kind, metadata: { name, namespace }, ...body }));
  });
}

function namespacesWhereAsked(
  { object }: WorkspaceObject,
  { kind, name, limits }: OwnObject,
): readonly string[] {
  const hard = object.kind === "ResourceQuota" ? fieldsAt(object.value, "spec", "hard") : {};
  if (limits.some((limit) => hard[limit] !== undefined)) return [object.namespace];
  return referencesOf(object)
    .filter((reference) => reference.kind === kind && reference.name === name)
    .map(({ namespace }) => namespace);
}
