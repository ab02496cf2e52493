/** Which workloads make pods that use which claims, read from their templates, whether or not such pods exist. */

import { push } from "../api/go/multi-map.ts";
import { type Key, type KubeObject, makeKey } from "../api/meta.ts";
import { claimNamesOf } from "../api/undecoded.ts";
import { onceOf, type RunFacts } from "./run-facts.ts";

const makerKinds = [
  "CronJob",
  "Job",
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicationController",
  "ReplicaSet",
] as const;

export type Maker = KubeObject<(typeof makerKinds)[number]>;

/** The workloads whose pods use a claim, which need not exist; CronJobs first, ReplicaSets last. */
export function makersUsing(facts: RunFacts, claim: Key): readonly Maker[] {
  return indexOf(facts).get(claim) ?? [];
}

/** The names of the claims that the workload's pods use. */
export function claimsOfMaker(maker: Maker): ReadonlySet<string> {
  return new Set([
    ...claimNamesOf(maker),
    ...(maker.kind === "StatefulSet" ? templateClaims(maker) : []),
  ]);
}

const indexOf = onceOf((facts): ReadonlyMap<Key, readonly Maker[]> => {
  const index = new Map<Key, Maker[]>();
  for (const maker of makerKinds.flatMap((kind): readonly Maker[] => facts.list(kind))) {
    const { namespace } = maker.metadata;
    for (const name of claimsOfMaker(maker)) push(index, makeKey(namespace, name), maker);
  }
  return index;
});

/** More replicas than any cluster runs; the names of further ones are not listed. */
const replicaCountMax = 10_000;

function* templateClaims({ metadata, spec }: KubeObject<"StatefulSet">): Generator<string> {
  const first = spec.ordinals?.start ?? 0;
  const end = first + Math.min(spec.replicas ?? 1, replicaCountMax);
  for (const template of spec.volumeClaimTemplates ?? [])
    for (let ordinal = first; ordinal < end; ordinal++)
      yield `${template.metadata?.name}-${metadata.name}-${ordinal}`;
}
