/** Which pods a drain evicts. Upstream: kubectl drain with --ignore-daemonsets --delete-emptydir-data. */
import { mirrorPod } from "../api/annotation-keys.ts";
import { controllerOf, type KubeObject } from "../api/meta.ts";
import type { ObjectStore } from "./object-store.ts";

/** The pods on a node, less those of DaemonSets and mirror pods, by namespace and name. */
export function drainTargets(store: ObjectStore, node: string): readonly KubeObject<"Pod">[] {
  const key = (pod: KubeObject<"Pod">): string =>
    `${pod.metadata.namespace ?? ""}/${pod.metadata.name}`;
  return store
    .list("Pod")
    .filter((pod) => pod.spec.nodeName === node && controllerOf(pod)?.kind !== "DaemonSet")
    .filter((pod) => pod.metadata.annotations?.[mirrorPod] === undefined)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
