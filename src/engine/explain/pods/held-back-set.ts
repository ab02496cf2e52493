/** What holds a StatefulSet back without any event: the order of its pods, a taken name, a claim of an earlier pod. */
import { controllerOf, type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { makeVerdict } from "../make-verdict.ts";
import { podsOf } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";
import { podVerdict } from "./pod-verdict.ts";

type StatefulSet = KubeObject<"StatefulSet">;

const controller = "statefulset-controller";

/**
 * Says that the set has too many pods, and what it waits for before it deletes the next one; undefined if it does not wait. The
 * pods that it wants may all be ready.
 */
export function surplusText(facts: RunFacts, set: StatefulSet): string | undefined {
  const surplus = (set.status?.replicas ?? 0) - (set.spec?.replicas ?? 1);
  const decision = facts.lastDecision(refOf(set), controller);
  return surplus > 0 && decision?.reason === "WaitsForPod"
    ? `has ${surplus} ${surplus === 1 ? "pod" : "pods"} too many: ${decision.text}`
    : undefined;
}

/** Blames an adopted pod that the set cannot update, such as one without the volumes of its claims; undefined if none. */
export function withUnchangedPod(
  facts: RunFacts,
  set: StatefulSet,
  text: string,
): Verdict | undefined {
  for (const pod of podsOf(facts, set.metadata.uid)) {
    const refusal = facts.refusal(refOf(pod), controller);
    if (refusal === undefined) continue;
    const { name } = pod.metadata;
    const headline = `${text}, but pod "${name}" is not as its template says, and cannot be changed`;
    return makeVerdict(set, "fails", headline, {
      // The further lines list the differences.
      message: refusal.message.split("\n")[0],
      root: { ref: refOf(pod) },
      chain: [{ ref: refOf(pod), text: "was there before the set" }],
      fixes: [{ text: `delete pod "${name}": the set recreates it` }],
    });
  }
  return undefined;
}

/** The verdict on a set that does not make its next pod, if no event says so; `text` says how many it has. */
export function heldBackSet(facts: RunFacts, set: StatefulSet, text: string): Verdict | undefined {
  const decision = facts.lastDecision(refOf(set), controller);
  const [ref] = decision?.because ?? [];
  if (decision === undefined || ref === undefined) return undefined;
  const pod = facts.objects.get(ref) as KubeObject<"Pod"> | undefined;
  switch (decision.reason) {
    case "WaitsForClaimDeletion":
      // The controller does not watch for the claim's end; with minReadySeconds it looks again by itself.
      if (pod !== undefined || decision.due !== undefined) return undefined;
      return makeVerdict(
        set,
        "waits-for-you",
        `${text}: ${nameOfRef(ref)} is not created until something in the set changes`,
        {
          message: decision.text,
          fixes: [
            {
              text: "change anything of the set once the old claim is gone, such as an annotation",
            },
          ],
        },
      );
    case "NameTaken":
      return pod === undefined || controllerOf(pod)?.uid === set.metadata.uid
        ? undefined
        : behindNamesake(facts, set, `${text}: ${decision.text}`, pod);
    default:
      return undefined;
  }
}

function behindNamesake(
  facts: RunFacts,
  set: StatefulSet,
  headline: string,
  pod: KubeObject<"Pod">,
): Verdict {
  const { name, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    const { kind, root, chain, fixes } = podVerdict(facts, pod);
    return makeVerdict(set, kind, headline, { root, chain, fixes });
  }
  return makeVerdict(set, "waits-for-you", headline, {
    root: { ref: refOf(pod), field: "metadata.name" },
    chain: [{ ref: refOf(pod), text: "has the name" }],
    fixes: [{ text: `delete or rename pod "${name}"` }],
  });
}
