/** Nothing is made in a namespace that is not there or goes away. Upstream: apiserver pkg/admission/plugin/namespace/lifecycle, v1.36. */
import { type ApiError, isNamespaced, type Kind, notFound } from "../meta.ts";
import type { Mutable } from "../mutable.ts";
import type { ClusterView } from "../requests.ts";
import type { KindMap } from "../types.ts";
import { forbidden } from "./forbidden.ts";

/** Every cluster has these; a simulated one need not list them. */
const standing: ReadonlySet<string> = new Set([
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
]);

export function checkNamespace(
  object: Mutable<KindMap[Kind]>,
  cluster: ClusterView,
): ApiError | undefined {
  if (!isNamespaced(object.kind)) return undefined;
  const name = object.metadata.namespace ?? "";
  const namespace = cluster.get("Namespace", undefined, name);
  if (namespace === undefined) return standing.has(name) ? undefined : notFound("Namespace", name);
  if (
    namespace.metadata.deletionTimestamp === undefined &&
    namespace.status?.phase !== "Terminating"
  )
    return undefined;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const message = `namespace ${name} is being terminated`;
  return forbidden(object, why, [
    { reason: "NamespaceTerminating", field: "metadata.namespace", message },
  ]);
}
