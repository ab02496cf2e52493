/** Which pods use which claims. */
import { push } from "../api/go/multi-map.ts";
import { controllerOf, type Key, type KubeObject, keyOf, makeKey } from "../api/meta.ts";
import { claimNameOf } from "../matching/pod-claims.ts";
import { onceOf, type RunFacts } from "./run-facts.ts";
import { claimOf } from "./volumes/bound-pair.ts";

type Pod = KubeObject<"Pod">;
type Claim = KubeObject<"PersistentVolumeClaim">;
type ReplicaSet = KubeObject<"ReplicaSet">;

/** The names of a pod's claims, generic ephemeral ones included, in the order of its volumes. */
export function claimNames(pod: Pod): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => claimNameOf(pod, volume) ?? []);
}

/** The pods that use a claim, sorted by name. */
export function podsUsing(facts: RunFacts, claim: Claim): readonly Pod[] {
  return podsNaming(facts, keyOf(claim));
}

/** As `podsUsing`, for a claim that may not exist. */
export function podsNaming(facts: RunFacts, claim: Key): readonly Pod[] {
  return indexOf(facts).byClaim.get(claim) ?? [];
}

/** The pods that use the claim in the named volume's claimRef; empty if there is no such volume or claim. */
export function podsUsingVolume(facts: RunFacts, name: string): readonly Pod[] {
  const volume = facts.get("PersistentVolume", undefined, name);
  const claim = volume === undefined ? undefined : claimOf(facts, volume);
  return claim === undefined ? [] : podsUsing(facts, claim);
}

/** The pods that a workload made, directly or through its ReplicaSets, sorted by name. */
export function podsOf(facts: RunFacts, uid: string): readonly Pod[] {
  const { byOwner } = indexOf(facts);
  return [uid, ...replicaSetsOf(facts, uid).map(({ metadata }) => metadata.uid)]
    .flatMap((owner) => byOwner.get(owner) ?? [])
    .sort(byName);
}

/** The ReplicaSets of the Deployment with that uid; empty for any other object. */
export function replicaSetsOf(facts: RunFacts, uid: string): readonly ReplicaSet[] {
  return indexOf(facts).setsByOwner.get(uid) ?? [];
}

interface PodIndex {
  readonly byClaim: ReadonlyMap<Key, readonly Pod[]>;
  readonly byOwner: ReadonlyMap<string, readonly Pod[]>;
  /** ReplicaSets by the uid of their Deployment. */
  readonly setsByOwner: ReadonlyMap<string, readonly ReplicaSet[]>;
}

const indexOf = onceOf((facts): PodIndex => {
  const byClaim = new Map<Key, Pod[]>();
  const byOwner = new Map<string, Pod[]>();
  const setsByOwner = new Map<string, ReplicaSet[]>();
  for (const pod of [...facts.list("Pod")].sort(byName)) {
    for (const name of new Set(claimNames(pod)))
      push(byClaim, makeKey(pod.metadata.namespace, name), pod);
    push(byOwner, controllerOf(pod)?.uid ?? "", pod);
  }
  for (const set of facts.list("ReplicaSet")) push(setsByOwner, controllerOf(set)?.uid ?? "", set);
  return { byClaim, byOwner, setsByOwner };
});

function byName(a: Pod, b: Pod): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
