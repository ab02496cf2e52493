/** A claim that is being deleted: what keeps it. */
import { controllerOf, type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { finalizer, hasFinalizer } from "../../matching/annotations.ts";
import { expiresAt } from "../../matching/finished-job.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import { foreignFinalizers, keptByFinalizers, unlessKept } from "../kept-by-finalizers.ts";
import { makeVerdict } from "../make-verdict.ts";
import { terminatingPod } from "../pods/terminating-pod.ts";
import { podsUsing } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { type Fix, isGood, type Verdict } from "../verdict.ts";
import { losesStorage, volumeOf } from "../volumes/bound-pair.ts";
import { snapshotVerdict } from "../volumes/snapshot-verdict.ts";
import { claimsToMakeFrom } from "./claims-made-from.ts";
import type { JudgeClaim } from "./judge-claim.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Pod = KubeObject<"Pod">;
type Job = KubeObject<"Job">;

export function deletedClaim(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict {
  return unlessKept(claim, withoutForeign(facts, claim, judge), isOwn);
}

/** The verdict as if the cluster removed all of the claim's finalizers. */
function withoutForeign(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict {
  // Upstream: pvc_protection_controller.go, podUsesPVC: pods without a node do not count.
  const holders = hasFinalizer(claim, finalizer.claimProtection)
    ? podsUsing(facts, claim).filter(({ spec }) => spec.nodeName !== undefined)
    : [];
  if (holders.length === 0) return leavingClaim(facts, claim, judge);
  const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
  const staying = holders.filter((pod) => !isLeaving(pod));
  const jobs = staying.map((pod) => expiringJob(facts, pod));
  const pods = staying.filter((_, i) => jobs[i] === undefined);
  if (pods.length > 0) return heldByPods(facts, claim, pods);
  const leaving = holders.filter(isLeaving);
  const goes = leaving.length === 0 ? undefined : goesWithPods(facts, claim, leaving);
  if (goes !== undefined && (staying.length === 0 || !isGood(goes))) return goes;
  return goesWithJobs(
    facts,
    claim,
    jobs.flatMap((job) => job ?? []),
  );
}

function heldByPods(facts: RunFacts, claim: Claim, pods: readonly Pod[]): Verdict {
  const names = pods.map((pod) => `"${pod.metadata.name}"`).join(", ");
  const users = pods.map((pod) => `${pod.metadata.name}${isPodEnded(pod) ? " (has ended)" : ""}`);
  const foreign = foreignFinalizers(claim, isOwn);
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
      fixes: [
        ...keepFirst(facts, claim),
        { text: `delete pod${pods.length === 1 ? "" : "s"} ${names}` },
        ...anewFor(facts, claim),
      ],
    },
  );
}

/** The advice to keep the data first, if it is deleted with the claim; else empty. */
function keepFirst(facts: RunFacts, claim: Claim): readonly Fix[] {
  const volume = volumeOf(facts, claim);
  if (volume === undefined || !losesStorage(volume)) return [];
  return [
    {
      text: `first set persistentVolumeReclaimPolicy of volume "${volume.metadata.name}" to Retain if the data must be kept: otherwise it is deleted with the claim`,
      at: { ref: refOf(volume), field: "spec.persistentVolumeReclaimPolicy" },
      value: "Retain",
    },
  ];
}

/** The advice to recreate the claim, if a pod waits for one of this name; empty if its StatefulSet or owner makes it. */
function anewFor(facts: RunFacts, claim: Claim): readonly Fix[] {
  const pod = podsUsing(facts, claim).find(
    (candidate) =>
      candidate.spec.nodeName === undefined &&
      candidate.metadata.deletionTimestamp === undefined &&
      controllerOf(claim) === undefined &&
      controllerOf(candidate)?.kind !== "StatefulSet",
  );
  return pod === undefined
    ? []
    : [{ text: `then recreate the claim, which pod "${pod.metadata.name}" waits for` }];
}

/** The pod's Job, if it is finished and will be deleted after its TTL, along with its pods. */
function expiringJob(facts: RunFacts, pod: Pod): Job | undefined {
  const { kind, name = "", uid } = controllerOf(pod) ?? {};
  const job = kind === "Job" ? facts.get(kind, pod.metadata.namespace, name) : undefined;
  return job !== undefined && job.metadata.uid === uid && expiresAt(job) !== undefined
    ? job
    : undefined;
}

/** The claim goes with the last of the Jobs. */
function goesWithJobs(facts: RunFacts, claim: Claim, jobs: readonly Job[]): Verdict {
  const last = jobs.reduce((a, b) => (until(facts, b) > until(facts, a) ? b : a));
  const headline = `is being deleted, and goes with Job "${last.metadata.name}", which is deleted some time after its end`;
  const withinMs = until(facts, last);
  return makeVerdict(claim, "will-happen", headline, {
    withinMs: withinMs > 0 ? withinMs : undefined,
    chain: [{ ref: refOf(last), text: "has ended, and its pods hold the claim until then" }],
  });
}

function until(facts: RunFacts, job: Job): number {
  return (expiresAt(job) ?? facts.now) - facts.now;
}

/** The verdict on a claim whose pods are being deleted too: what keeps one of them keeps the claim. */
function goesWithPods(facts: RunFacts, claim: Claim, pods: readonly Pod[]): Verdict {
  const ends = pods.map((pod) => terminatingPod(facts, pod));
  const { kind, ref, message, root, chain, fixes } =
    ends.find((verdict) => !isGood(verdict)) ?? (ends[0] as Verdict);
  const headline = `is being deleted, and goes when pod "${nameOfRef(ref)}" is gone`;
  return makeVerdict(claim, kind, headline, { message, root, chain, fixes });
}

const snapshotSource = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

/** The finalizers that the cluster itself removes. */
const ownFinalizers: ReadonlySet<string> = new Set([
  finalizer.claimProtection,
  finalizer.cloningProtection,
  snapshotSource,
]);
const isOwn = (name: string): boolean => ownFinalizers.has(name);

/** The verdict on a claim that no pod holds any more: a snapshot or clone in progress, or another finalizer, may hold it. */
function leavingClaim(facts: RunFacts, claim: Claim, judge: JudgeClaim): Verdict {
  const held = foreignFinalizers(claim, (name) => name === finalizer.claimProtection);
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

/** The claim's verdict; undefined if it is being deleted itself: two claims may be each other's source. */
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
