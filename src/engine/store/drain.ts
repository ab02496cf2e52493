/**
 * Which pods a drain evicts. Upstream: kubectl drain (pkg/drain/filters.go) with --ignore-daemonsets, --delete-emptydir-data
 * and --force. Without these flags kubectl evicts no pod at all if any uses an emptyDir or has no controller.
 */
import { mirrorPod } from "../api/annotation-keys.ts";
import { controllerOf, type KubeObject } from "../api/meta.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { ObjectStore } from "./object-store.ts";

/**
 * Returns the node's pods, sorted by namespace and name, without mirror pods and without those that a DaemonSet would recreate
 * at once.
 */
export function drainTargets(store: ObjectStore, node: string): readonly KubeObject<"Pod">[] {
  const key = (pod: KubeObject<"Pod">): string =>
    `${pod.metadata.namespace ?? ""}/${pod.metadata.name}`;
  return store
    .list("Pod")
    .filter((pod) => pod.spec.nodeName === node)
    .filter((pod) => isPodEnded(pod) || !hasDaemonSet(store, pod))
    .filter((pod) => pod.metadata.annotations?.[mirrorPod] === undefined)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Upstream: daemonSetFilter, which looks up the DaemonSet by name only. */
function hasDaemonSet(store: ObjectStore, pod: KubeObject<"Pod">): boolean {
  const { apiVersion, kind, name = "" } = controllerOf(pod) ?? {};
  return (
    kind === "DaemonSet" &&
    apiVersion === "apps/v1" &&
    store.get("DaemonSet", pod.metadata.namespace, name) !== undefined
  );
}
