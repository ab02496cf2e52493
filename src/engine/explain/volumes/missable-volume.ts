/** Volumes that a claim got by luck: its pod might have been placed on a node that cannot reach them. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { isReachableFrom } from "../../matching/node-affinity.ts";
import type { Candidate } from "../../trace/decision.ts";
import { podsUsing } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";

/** True if another node fitted a pod of the claim but cannot reach the volume: the scheduler does not prefer nodes that can. */
export function mayMissVolume(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
  volume: KubeObject<"PersistentVolume">,
): boolean {
  if (volume.spec.nodeAffinity === undefined) return false;
  return podsUsing(facts, claim).some((pod) =>
    facts.lastDecision(refOf(pod), "kube-scheduler")?.candidates?.some((candidate) => {
      const node = facts.objects.get(candidate.ref);
      return (
        fits(candidate) && node?.kind === "Node" && !isReachableFrom(volume, node.metadata.labels)
      );
    }),
  );
}

/** True for a node that fitted, and lost to another by score or order only. */
function fits({ failed }: Candidate): boolean {
  return failed.every(({ rule }) => rule === "node-order" || rule === "node-score");
}
