/**
 * A pod made from an earlier template of its StatefulSet that the set does not replace, so that changing the template does not
 * help. Upstream: stateful_set_control.go processReplica, updateStatefulSet v1.36, where an ordered set waits for a pod that is
 * not ready before it replaces any (kubernetes/kubernetes#67250).
 */
import { controllerOf, type KubeObject, refOf } from "../../api/meta.ts";
import { parentAndOrdinal, startOrdinal } from "../../matching/ordinals.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";

type Pod = KubeObject<"Pod">;
type StatefulSet = KubeObject<"StatefulSet">;

/** Returns the verdict; if it blames the pod's own fields and the set has a newer template, with the fix for that. */
export function withoutItsTemplate(facts: RunFacts, pod: Pod, verdict: Verdict): Verdict {
  if (isGood(verdict) || verdict.root?.ref !== refOf(pod)) return verdict;
  const set = setOf(facts, pod);
  if (set === undefined || !isOfEarlierTemplate(set, pod)) return verdict;
  const { name } = pod.metadata;
  const does = isReplacedByHand(set) ? "leaves this pod as it is" : "waits for this pod";
  const headline = `${verdict.headline}; StatefulSet "${set.metadata.name}" now has another template, and ${does}`;
  return {
    ...verdict,
    headline,
    chain: [{ ref: verdict.ref, text: headline }, ...verdict.chain.slice(1)],
    fixes: [
      { text: `delete pod "${name}": its StatefulSet recreates it from its current template` },
    ],
  };
}

function setOf(facts: RunFacts, { metadata }: Pod): StatefulSet | undefined {
  const owner = controllerOf({ metadata });
  if (owner?.kind !== "StatefulSet") return undefined;
  const set = facts.get(owner.kind, metadata.namespace, owner.name);
  return set?.metadata.uid === owner.uid ? set : undefined;
}

/** True if the pod would be recreated from a newer template, but is not replaced by itself. */
function isOfEarlierTemplate(set: StatefulSet, { metadata }: Pod): boolean {
  const { updateRevision, observedGeneration = 0 } = set.status ?? {};
  const isSeen = observedGeneration >= (set.metadata.generation ?? 1);
  const isOld = metadata.labels?.["controller-revision-hash"] !== updateRevision;
  if (!isSeen || !isOld || updateRevision === undefined) return false;
  if (isReplacedByHand(set)) return true;
  const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const isReplaced = parentAndOrdinal(metadata.name).ordinal >= startOrdinal(set) + partition;
  return isReplaced && set.spec.podManagementPolicy !== "Parallel";
}

export function isReplacedByHand({ spec }: StatefulSet): boolean {
  return spec.updateStrategy?.type === "OnDelete";
}
