/**
 * Objects are created only in namespaces that exist and are not terminating; some namespaces cannot be deleted.
 * Upstream: apiserver pkg/admission/plugin/namespace/lifecycle, v1.36.
 */
import { type ApiError, isNamespaced, type Kind, notFound } from "../meta.ts";
import type { MutableObject } from "../mutable.ts";
import type { ClusterView } from "../request-context.ts";
import type { Namespace } from "../types.ts";
import { forbidden } from "./forbidden.ts";

/** Every cluster has these namespaces; a simulated one need not list them. */
const standing: ReadonlySet<string> = new Set([
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
]);

export function isStanding(name: string): boolean {
  return standing.has(name);
}

const immortal: ReadonlySet<string> = new Set(["default", "kube-public", "kube-system"]);

export function checkNamespaceDeletion(kind: Kind, name: string): ApiError | undefined {
  if (kind !== "Namespace" || !immortal.has(name)) return undefined;
  return forbidden({ kind, metadata: { name } }, "this namespace may not be deleted");
}

/** True if objects can be created in the namespace. */
export function isOpen(name: string, cluster: ClusterView): boolean {
  const namespace = cluster.get("Namespace", undefined, name);
  return namespace === undefined ? standing.has(name) : !isClosing(namespace);
}

function isClosing({ metadata, status }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined || status?.phase === "Terminating";
}

export function checkNamespace(object: MutableObject, cluster: ClusterView): ApiError | undefined {
  if (!isNamespaced(object.kind)) return undefined;
  const name = object.metadata.namespace ?? "";
  if (isOpen(name, cluster)) return undefined;
  if (cluster.get("Namespace", undefined, name) === undefined) return notFound("Namespace", name);
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const message = `namespace ${name} is being terminated`;
  return forbidden(object, why, [
    { reason: "NamespaceTerminating", field: "metadata.namespace", message },
  ]);
}
