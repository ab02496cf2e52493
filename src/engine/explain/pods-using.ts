/** Which pods use which claims. */
import { controllerOf, type KubeObject } from "../api/meta.ts";
import type { RunFacts } from "./run-facts.ts";

type Pod = KubeObject<"Pod">;
type Claim = KubeObject<"PersistentVolumeClaim">;

/** The names of a pod's claims, generic ephemeral ones included, in the order of its volumes. */
export function claimNames(pod: Pod): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`];
  });
}

/** The pods that use a claim, by name. */
export function podsUsing(facts: RunFacts, claim: Claim): readonly Pod[] {
  return facts
    .list("Pod")
    .filter(
      (pod) =>
        pod.metadata.namespace === claim.metadata.namespace &&
        claimNames(pod).includes(claim.metadata.name),
    )
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The pods that a workload made, directly or through its ReplicaSets, by name. */
export function podsOf(facts: RunFacts, uid: string): readonly Pod[] {
  const owners = new Set([
    uid,
    ...facts
      .list("ReplicaSet")
      .filter((set) => controllerOf(set)?.uid === uid)
      .map((set) => set.metadata.uid),
  ]);
  return facts
    .list("Pod")
    .filter((pod) => owners.has(controllerOf(pod)?.uid ?? ""))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
