/** Why a claim has its volume, or none. Reads the events and decisions of persistentvolume-binder and provisioner. */
import { type ApiError, type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict } from "../make-verdict.ts";
import { unscheduledPodVerdict } from "../pods/unscheduled-pod.ts";
import { podsUsing } from "../pods-using.ts";
import { absenceText, blamingRefused, missingText } from "../refused-object.ts";
import { ruleWords } from "../rule-words.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { snapshotVerdict } from "../volumes/snapshot-verdict.ts";
import { unusedClaim } from "./awaited-consumer.ts";
import type { Source } from "./awaited-source.ts";
import { isBeforeResync } from "./binder-resync.ts";
import { boundClaimVerdict } from "./bound-claim-verdict.ts";
import { mismatchFix, otherVolumeFix } from "./claim-fixes.ts";
import { deletedClaim } from "./deleted-claim.ts";
import { provisionerFails } from "./failed-provisioning.ts";
import { lacksPhaseOnly } from "./lacks-phase-only.ts";
import { lostClaim } from "./lost-claim.ts";
import { noVolume, takenVolume } from "./unmatched-claim.ts";
import { cannotProvision } from "./unprovisionable-claim.ts";
import { binderSource, provisioning } from "./unprovisioned-claim.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Pod = KubeObject<"Pod">;

export function claimVerdict(facts: RunFacts, claim: Claim): Verdict {
  return blamingRefused(facts, verdictByPhase(facts, claim));
}

function judgeSource(facts: RunFacts, source: Source): Verdict {
  return source.kind === "VolumeSnapshot"
    ? snapshotVerdict(facts, source, claimVerdict)
    : claimVerdict(facts, source);
}

function verdictByPhase(facts: RunFacts, claim: Claim): Verdict {
  if (claim.metadata.deletionTimestamp !== undefined)
    return deletedClaim(facts, claim, claimVerdict);
  switch (claim.status?.phase) {
    case "Bound":
      return boundClaimVerdict(facts, claim, claimVerdict);
    case "Lost":
      return lostClaim(facts, claim);
    default:
      return pendingClaim(facts, claim);
  }
}

function pendingClaim(facts: RunFacts, claim: Claim): Verdict {
  const ref = refOf(claim);
  for (const [actor, whose] of writers) {
    const refusal = facts.refusal(ref, actor);
    if (refusal !== undefined) return refusedClaim(claim, refusal, whose);
  }
  const event = facts.lastEvent(ref, (e) => e.reason !== "Provisioning");
  if (event === undefined || namesMissingVolume(facts, claim)) return silentClaim(facts, claim);
  if (isOutdated(facts, claim, event))
    return makeVerdict(claim, "will-happen", "is Pending until the binder looks again", { event });
  switch (event.reason) {
    case "VolumeMismatch":
      return unsuitableVolume(facts, claim, event);
    case "FailedBinding":
      return event.eventType === "Warning"
        ? takenVolume(facts, claim, event)
        : noVolume(facts, claim, event);
    case "WaitForFirstConsumer":
    case "WaitForPodScheduled":
      return waitingForPods(facts, claim, event);
    case "ExternalProvisioning":
      return provisioning(facts, claim, event, judgeSource);
    case "ProvisioningFailed":
      return event.source === binderSource
        ? cannotProvision(facts, claim, event)
        : provisionerFails(facts, claim, event, judgeSource);
    default:
      return makeVerdict(
        claim,
        event.eventType === "Warning" ? "fails" : "will-happen",
        `is Pending: ${lowerFirst(event.message)}`,
        { event },
      );
  }
}

/** The event names only the first check that the volume fails; the next would follow once that is corrected. */
function unsuitableVolume(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const failed =
    decision?.reason === event.reason ? (decision.candidates ?? []).flatMap((c) => c.failed) : [];
  const others = failed.slice(1).map(({ rule }) => ruleWords(rule));
  const next = others.length === 0 ? "" : `; it fails on ${others.join(" and ")} too`;
  return makeVerdict(claim, "stuck", `stays Pending: ${lowerFirst(event.message)}${next}`, {
    event,
    root: { ref: refOf(claim), field: "spec.volumeName" },
    fixes: failed
      .flatMap(({ rule }) => mismatchFix(facts, claim, rule))
      .map((fix, i) => (i === 0 ? fix : { ...fix, text: `also ${fix.text}` })),
  });
}

/**
 * True if the binder had no suitable volume for the claim, and may not have looked again since a volume or class was written:
 * neither makes it look at the claim.
 */
function isOutdated(facts: RunFacts, claim: Claim, event: EventEntry): boolean {
  const { source, eventType, reason, at } = event;
  const hadNone = reason === "FailedBinding" && eventType === "Normal";
  const isNegative = hadNone || reason === "ProvisioningFailed" || reason === "VolumeMismatch";
  if (source !== binderSource || !isNegative) return false;
  if (lacksPhaseOnly(facts.lastDecision(refOf(claim), "persistentvolume-binder"))) return true;
  const changedAt = Math.max(facts.changedAt("PersistentVolume"), facts.changedAt("StorageClass"));
  return changedAt > at && isBeforeResync(facts, changedAt);
}

/** The components that write to a claim before it is bound. */
const writers = [
  ["persistentvolume-binder", "the controller's"],
  ["kube-scheduler", "the scheduler's"],
] as const;

/** Because of a quota or LimitRange newer than the claim the binder cannot even write the claim's volume or class. */
function refusedClaim(claim: Claim, { reason, message }: ApiError, whose: string): Verdict {
  const headline = `stays Pending: the API server refuses ${whose} changes of it`;
  return makeVerdict(claim, "fails", headline, {
    reason,
    message,
    ...exceededQuota(claim.metadata.namespace, message),
  });
}

/** The events of such a claim are from before it named the volume, or from before the volume went. */
function namesMissingVolume(facts: RunFacts, { spec: { volumeName = "" } }: Claim): boolean {
  return volumeName !== "" && facts.get("PersistentVolume", undefined, volumeName) === undefined;
}

/** The verdict on a claim without current events: the binder records none if the claim names a missing volume. */
function silentClaim(facts: RunFacts, claim: Claim): Verdict {
  const { volumeName = "" } = claim.spec;
  if (!namesMissingVolume(facts, claim)) {
    const awaited = volumeName === "" ? "" : ` until volume "${volumeName}" is bound to it`;
    return makeVerdict(claim, "will-happen", `is Pending${awaited}`);
  }
  const volume = makeRef("PersistentVolume", undefined, volumeName);
  return makeVerdict(
    claim,
    "waits-for-you",
    `stays Pending: it names volume "${volumeName}", which ${missingText(facts, volume)}`,
    {
      root: { ref: refOf(claim), field: "spec.volumeName" },
      chain: [{ ref: volume, text: absenceText(facts, volume) }],
      fixes: [otherVolumeFix(facts, claim, `create a volume "${volumeName}"`)],
    },
  );
}

/** Once its node is selected, the claim waits for its provisioner and no longer for a pod. */
function waitingForPods(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  if (hasAnnotation(claim, annotation.selectedNode))
    return makeVerdict(claim, "will-happen", "is Pending until its volume is made", { event });
  return waitingForConsumer(facts, claim, event);
}

/** A pod that names its node does not count as a consumer: it bypasses the scheduler, which would select the claim's node. */
function waitingForConsumer(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const pods = podsUsing(facts, claim).filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && !hasStarted(pod),
  );
  const unplaced = pods.filter(({ spec }) => spec.nodeName === undefined);
  if (unplaced.length > 0) return waitingForPod(facts, claim, unplaced, event);
  const [pod] = pods;
  const node = pod?.spec.nodeName;
  if (pod === undefined || node === undefined) return unusedClaim(facts, claim, event);
  // The scheduler has placed the pod since, but the binder has not noticed yet.
  if (event.reason === "WaitForPodScheduled")
    return makeVerdict(claim, "will-happen", "is Pending until its volume is bound", { event });
  const at = { ref: refOf(pod), field: "spec.nodeName" };
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: pod "${pod.metadata.name}" sets spec.nodeName, so the scheduler chooses no node for the claim`,
    {
      event,
      root: at,
      chain: [{ ref: refOf(pod), text: `names node ${node}` }],
      fixes: [
        {
          text: `choose the node by spec.nodeSelector kubernetes.io/hostname: ${node} instead`,
          at,
        },
      ],
    },
  );
}

/** A pod that runs or has run did so with an earlier claim of the same name. */
function hasStarted({ status }: Pod): boolean {
  return status?.phase === "Running" || status?.phase === "Succeeded";
}

function waitingForPod(
  facts: RunFacts,
  claim: Claim,
  pods: readonly Pod[],
  event: EventEntry,
): Verdict {
  const judge = (pod: Pod): Verdict => unscheduledPodVerdict(facts, pod, claimVerdict);
  const [pod] = pods;
  // One pod that can be scheduled is enough.
  if (pod === undefined || pods.some((one) => isGood(judge(one))))
    return makeVerdict(claim, "will-happen", "is Pending until its pod is scheduled", { event });
  const cause = judge(pod);
  return makeVerdict(
    claim,
    cause.kind,
    `stays Pending: pod "${pod.metadata.name}" cannot be scheduled`,
    {
      event,
      root: cause.root,
      chain: cause.chain,
      decision: facts.lastDecision(refOf(pod), "kube-scheduler"),
      fixes: cause.fixes,
    },
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
