/** Volumes that a claim has got by luck: its pod might have come to a node that does not reach them. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { isReachableFrom } from "../../matching/node-affinity.ts";
import type { Candidate } from "../../trace/decision.ts";
import { podsUsing } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";

/** The scheduler takes one of the nodes that fit, and prefers none for the volume. */
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

/** Another one came first, by its score or its order. */
function fits({ failed }: Candidate): boolean {
  return failed.every(({ rule }) => rule === "node-order" || rule === "node-score");
}
