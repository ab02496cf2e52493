/** A claim that is being deleted: who keeps it from going. */
import { type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { finalizer } from "../../matching/annotations.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import { keptByFinalizers } from "../kept-by-finalizers.ts";
import { makeVerdict } from "../make-verdict.ts";
import { terminatingPod } from "../pods/terminating-pod.ts";
import { podsUsing } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { snapshotVerdict } from "../volumes/snapshot-verdict.ts";
import { claimsToMakeFrom } from "./claims-made-from.ts";
import type { JudgeClaim } from "./judge-claim.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

export function deletedClaim(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict {
  // Upstream: pvc_protection_controller.go, podUsesPVC: who has no node does not count.
  const { finalizers = [] } = claim.metadata;
  const holders = finalizers.includes(finalizer.claimProtection)
    ? podsUsing(facts, claim).filter(({ spec }) => spec.nodeName !== undefined)
    : [];
  if (holders.length === 0) return leavingClaim(facts, claim, judge);
  const pods = holders.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (pods.length === 0) return goesWithPods(facts, claim, holders);
  const names = pods.map((pod) => `"${pod.metadata.name}"`).join(", ");
  const users = pods.map((pod) => `${pod.metadata.name}${isPodEnded(pod) ? " (has ended)" : ""}`);
  const foreign = finalizers.filter((held) => !ownFinalizers.has(held));
  const then =
    foreign.length === 0 ? "" : `, and until its finalizers are removed: ${foreign.join(", ")}`;
  return makeVerdict(
    claim,
    "waits-for-you",
    `is being deleted, but stays until no pod uses it: ${users.join(", ")}${then}`,
    {
      chain: pods.map((pod) => ({
        ref: refOf(pod),
        text: isPodEnded(pod)
          ? "has ended, but holds the claim until it is deleted"
          : "uses the claim",
      })),
      fixes: [{ text: `delete pod${pods.length === 1 ? "" : "s"} ${names}` }],
    },
  );
}

/** Of pods that are being deleted too: what keeps one of them keeps the claim. */
function goesWithPods(facts: RunFacts, claim: Claim, pods: readonly KubeObject<"Pod">[]): Verdict {
  const ends = pods.map((pod) => terminatingPod(facts, pod));
  const { kind, ref, message, root, chain, fixes } =
    ends.find((verdict) => !isGood(verdict)) ?? (ends[0] as Verdict);
  const headline = `is being deleted, and goes when pod "${nameOfRef(ref)}" is gone`;
  return makeVerdict(claim, kind, headline, { message, root, chain, fixes });
}

const snapshotSource = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

/** Those that the cluster takes away itself. */
const ownFinalizers: ReadonlySet<string> = new Set([
  finalizer.claimProtection,
  finalizer.cloningProtection,
  snapshotSource,
]);

/** No pod holds it any more; a snapshot that is being taken of it, a claim that is being cloned, or somebody's finalizer may. */
function leavingClaim(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict {
  const held = (claim.metadata.finalizers ?? []).filter((f) => f !== finalizer.claimProtection);
  if (held.length === 0) return makeVerdict(claim, "will-happen", "is being deleted");
  const [clone] = claimsToMakeFrom(facts, refOf(claim));
  if (held.includes(finalizer.cloningProtection) && clone !== undefined)
    return clonedClaim(facts, claim, clone, judge);
  const { namespace, name } = claim.metadata;
  const snapshot = facts
    .list("VolumeSnapshot")
    .find(
      (s) =>
        s.metadata.namespace === namespace &&
        s.spec.source.persistentVolumeClaimName === name &&
        s.status?.readyToUse !== true,
    );
  if (held.includes(snapshotSource) && snapshot !== undefined) {
    const cause = snapshotVerdict(facts, snapshot, (_, restored) =>
      ofStaying(facts, restored, judge),
    );
    const text = `is being deleted, but stays until snapshot "${snapshot.metadata.name}" is taken`;
    const { kind, root, chain, fixes } = cause;
    return makeVerdict(claim, kind === "healthy" ? "will-happen" : kind, text, {
      root,
      chain,
      fixes,
    });
  }
  return keptByFinalizers(claim, held);
}

/** A claim that is being deleted itself is not judged: two may be each other's source. */
function ofStaying(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict | undefined {
  return claim.metadata.deletionTimestamp === undefined ? judge(facts, claim) : undefined;
}

function clonedClaim(facts: RunFacts, claim: Claim, clone: Claim, judge: JudgeClaim): Verdict {
  const text = `is being deleted, but stays until claim "${clone.metadata.name}" is cloned from it`;
  const cause = ofStaying(facts, clone, judge);
  if (cause === undefined || isGood(cause))
    return makeVerdict(claim, "will-happen", text, {
      chain: [{ ref: refOf(clone), text: "is made from it" }],
    });
  const { kind, root, chain, fixes } = cause;
  return makeVerdict(claim, kind, text, { root, chain, fixes });
}
