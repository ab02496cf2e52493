/** Why a pod is not scheduled. For a pod that waits for its claims the cause is theirs. */
import { controllerOf, type KubeObject, makeRef, nameOfRef, refOf } from "../../api/meta.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimNameOf, ephemeralClaimName } from "../../matching/pod-claims.ts";
import { defaultScheduler, isPodEnded } from "../../matching/pod-state.ts";
import type { Decision } from "../../trace/decision.ts";
import type { DecisionEntry, EventEntry } from "../../trace/entry.ts";
import { isReservedLately } from "../claims/binder-resync.ts";
import type { JudgeClaim } from "../claims/judge-claim.ts";
import { lacksPhaseOnly } from "../claims/lacks-phase-only.ts";
import { limitedSize } from "../claims/refused-template-claim.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict, type VerdictParts } from "../make-verdict.ts";
import { haveSameMaker, makerOf } from "../maker-of.ts";
import { claimNames, podsUsing } from "../pods-using.ts";
import { absenceText, missingText, whyLeftOut } from "../refused-object.ts";
import type { RunFacts } from "../run-facts.ts";
import { type Fix, isGood, type Place, type Verdict } from "../verdict.ts";
import { awaitedRoom } from "./awaited-room.ts";
import { nodeRefusal } from "./node-refusals.ts";
import { withoutItsTemplate } from "./outdated-pod.ts";

type Pod = KubeObject<"Pod">;

/** Upstream: volumebinding volume_binding.go, PreFilter; podHasPVCs. */
const waitsForClaims =
  /pod has unbound immediate PersistentVolumeClaims|persistentvolumeclaim "[^"]+" not found|waiting for ephemeral volume controller/;

export function unscheduledPodVerdict(facts: RunFacts, pod: Pod, judge: JudgeClaim): Verdict {
  return withoutItsTemplate(facts, pod, pendingPod(facts, pod, judge));
}

function pendingPod(facts: RunFacts, pod: Pod, judge: JudgeClaim): Verdict {
  const ref = refOf(pod);
  const event = facts.lastEvent(ref, (e) => e.reason === "FailedScheduling");
  const decided = facts.lastDecisionEntry(ref, "kube-scheduler");
  const decision = decided?.decision;
  const guilty = guiltyClaim(facts, pod, judge);
  if (guilty !== undefined) {
    return makeVerdict(pod, guilty.kind, `stays Pending: ${guilty.title} ${guilty.headline}`, {
      event: guilty.event ?? event,
      // Nodes do not matter if the claim cannot be made, or if a node was chosen and only the volume is missing.
      decision: (guilty.event ?? decision?.chosen) === undefined ? decision : undefined,
      root: guilty.root,
      chain: guilty.chain,
      fixes: guilty.fixes,
    });
  }
  if (event === undefined) {
    const gates = pod.spec.schedulingGates ?? [];
    if (gates.length === 0) return unplacedPod(pod);
    const at = { ref, field: "spec.schedulingGates" };
    const names = gates.map(({ name }) => name).join(", ");
    return makeVerdict(pod, "waits-for-you", `is held back by its scheduling gates: ${names}`, {
      root: at,
      fixes: [
        {
          text: `remove ${at.field}, or run the controller that removes these gates`,
          doing: `remove ${at.field}`,
          at,
          value: null,
        },
      ],
    });
  }
  if (decision?.chosen !== undefined)
    return makeVerdict(
      pod,
      "will-happen",
      `is being bound to node "${nameOfRef(decision.chosen)}"`,
    );
  if (decision?.reason === "SchedulerError" && failedPreScore.test(event.message)) {
    return makeVerdict(
      pod,
      "fails",
      "stays Pending: a preference of its node affinity cannot be read",
      {
        event,
        root: { ref, field: preferredAffinity },
      },
    );
  }
  if (decision?.reason === "SchedulerError") {
    const kind = outdatedWrite.test(event.message) ? "will-happen" : "fails";
    return makeVerdict(pod, kind, "could not be bound to its node, and is tried again", { event });
  }
  // Nothing is wrong with its claims: the scheduler retries the pod when they change.
  if (
    waitsForClaims.test(decision?.text ?? event.message) ||
    isBeingGivenVolume(facts, decision) ||
    isMadeAnew(facts, pod)
  )
    return makeVerdict(pod, "will-happen", "is Pending until its claims are bound", { event });
  return untakenPodVerdict(facts, pod, event, decided);
}

/** The message of a failed PreScore, which runs only if several nodes fit the pod. */
const failedPreScore = /^running PreScore plugin "NodeAffinity": /;

const preferredAffinity =
  "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution";

/** A conflict, or the placed pod was replaced by a new one of the same name: the next attempt reads the current object. */
const outdatedWrite = /the object has been modified|Precondition failed: UID in precondition/;

/** True if a claim that had no volume on some node has one by now or soon; which nodes reach it shows later. */
function isBeingGivenVolume(facts: RunFacts, decision: Decision | undefined): boolean {
  return (decision?.candidates ?? []).some(({ failed }) =>
    failed.some(({ rule, claim: ref = "" }) => {
      const claim = rule === "volume-to-bind" ? facts.objects.get(ref) : undefined;
      return (
        claim?.kind === "PersistentVolumeClaim" &&
        (claim.status?.phase === "Bound" ||
          hasAnnotation(claim, annotation.selectedNode) ||
          isReservedLately(facts, claim) ||
          lacksPhaseOnly(facts.lastDecision(ref, "kube-scheduler")))
      );
    }),
  );
}

/** True if an ephemeral volume's claim is gone or going: it is made again. Upstream: ephemeral controller.go handleVolume. */
function isMadeAnew(facts: RunFacts, pod: Pod): boolean {
  const { namespace } = pod.metadata;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (volume.ephemeral === undefined) return false;
    const name = ephemeralClaimName(pod, volume);
    const claim = facts.get("PersistentVolumeClaim", namespace, name);
    return claim === undefined || claim.metadata.deletionTimestamp !== undefined;
  });
}

/** The verdict on a pod without any event. Other schedulers than the default one are not simulated. */
function unplacedPod(pod: Pod): Verdict {
  const { schedulerName = defaultScheduler } = pod.spec;
  const scheduler =
    schedulerName === defaultScheduler
      ? "the scheduler has placed it"
      : `scheduler "${schedulerName}" has placed it, which is not simulated`;
  return makeVerdict(pod, "will-happen", `is Pending until ${scheduler}`);
}

/** The verdict on a pod that no node takes, though nothing is wrong with its claims. */
function untakenPodVerdict(
  facts: RunFacts,
  pod: Pod,
  event: EventEntry,
  decided: DecisionEntry | undefined,
): Verdict {
  const decision = decided?.decision;
  const said = lastSaid(event, decision);
  const room = awaitedRoom(facts, decided);
  if (room !== undefined) {
    const { until, chain } = room;
    return makeVerdict(pod, "will-happen", `stays Pending until ${until}`, {
      ...said,
      decision,
      chain,
    });
  }
  const rival = exclusiveRival(facts, pod, decision);
  if (rival !== undefined) {
    const { claim, other } = rival;
    const { kind, headline } = rivalry(facts, pod, rival);
    return makeVerdict(pod, kind, headline, {
      ...said,
      decision,
      root: placeOfClaim(pod, claim.metadata.name),
      chain: [
        { ref: refOf(claim), text: "is ReadWriteOncePod" },
        { ref: refOf(other), text: "uses it" },
      ],
      fixes: rivalFixes(facts, pod, rival),
    });
  }
  const refusal = nodeRefusal(facts, pod, decision);
  const { headline = "stays Pending: no node can take it", ...causes } = refusal ?? {
    root: { ref: refOf(pod), field: "spec" },
  };
  return makeVerdict(pod, "stuck", headline, { ...said, decision, ...causes });
}

/** A series of events keeps its first message; the pod's condition has the result of the last attempt. */
function lastSaid(event: EventEntry, decision: Decision | undefined): VerdictParts {
  const { reason, text: message = event.message } = decision ?? {};
  return message === event.message ? { event } : { reason, message };
}

interface Rival {
  readonly claim: KubeObject<"PersistentVolumeClaim">;
  readonly other: Pod;
}

/** Among pods of one workload that run forever the order does not matter: one of them is always too many. */
function rivalry(
  facts: RunFacts,
  pod: Pod,
  { claim, other }: Rival,
): Pick<Verdict, "kind" | "headline"> {
  const [rival, wanted] = [other.metadata.name, claim.metadata.name];
  const maker = haveSameMaker(facts, pod, other) ? makerOf(facts, pod) : undefined;
  const isTooMany = maker !== undefined && maker.kind !== "Job";
  const how = isTooMany
    ? `of the same ${maker.kind} uses claim "${wanted}"`
    : `got claim "${wanted}" first`;
  return {
    kind: isTooMany ? "stuck" : "depends-on-order",
    headline: `stays Pending: pod "${rival}" ${how}, which only one pod at a time may use`,
  };
}

function rivalFixes(facts: RunFacts, pod: Pod, { claim, other }: Rival): readonly Fix[] {
  return [
    {
      text: haveSameMaker(facts, pod, other)
        ? "run one pod at a time: one replica, and strategy Recreate"
        : "let one of the two use another claim",
    },
    {
      text: "use ReadWriteOnce, which pods of one node may share (recreate the claim)",
      at: { ref: refOf(claim), field: "spec.accessModes[0]" },
      value: "ReadWriteOnce",
    },
  ];
}

/** The pod that uses a ReadWriteOncePod claim of this one; undefined if a node fails for another reason too. */
function exclusiveRival(
  facts: RunFacts,
  pod: Pod,
  decision: Decision | undefined,
): Rival | undefined {
  const candidates = decision?.candidates ?? [];
  const isAlone = candidates.every(({ failed }) =>
    failed.every(({ rule }) => rule === "read-write-once-pod"),
  );
  if (candidates.length === 0 || !isAlone) return undefined;
  for (const name of claimNames(pod)) {
    const claim = facts.get("PersistentVolumeClaim", pod.metadata.namespace, name);
    if (claim?.spec.accessModes?.includes("ReadWriteOncePod") !== true) continue;
    const other = podsUsing(facts, claim).find(
      (user) => user.spec.nodeName !== undefined && !isPodEnded(user),
    );
    if (other !== undefined) return { claim, other };
  }
  return undefined;
}

interface GuiltyClaim extends Pick<Verdict, "kind" | "headline" | "root" | "chain" | "fixes"> {
  /** The subject of a sentence. */
  readonly title: string;
  /** Present if it tells more than the scheduler's event. */
  readonly event?: EventEntry;
}

/** The first claim of the pod that keeps it from being scheduled; claims that wait for the pod itself do not count. */
function guiltyClaim(facts: RunFacts, pod: Pod, judge: JudgeClaim): GuiltyClaim | undefined {
  const { namespace } = pod.metadata;
  for (const name of claimNames(pod)) {
    const claim = facts.get("PersistentVolumeClaim", namespace, name);
    if (claim === undefined) {
      const missing = unmadeClaim(facts, pod, name);
      if (missing !== undefined) return missing;
      continue;
    }
    if (claim.status?.phase === "Bound" && claim.metadata.deletionTimestamp === undefined) continue;
    const reason = facts.lastEvent(refOf(claim), (e) => e.reason !== "Provisioning")?.reason;
    if (reason === "WaitForPodScheduled" || reason === "WaitForFirstConsumer") continue;
    const verdict = judge(facts, claim);
    if (!isGood(verdict)) return { ...verdict, title: `claim "${name}"` };
  }
  return undefined;
}

function placeOfClaim(pod: Pod, name: string): Place {
  const volumes = pod.spec.volumes ?? [];
  const index = volumes.findIndex((volume) => claimNameOf(pod, volume) === name);
  const isOwn = volumes[index]?.ephemeral !== undefined;
  const field = isOwn ? "ephemeral" : "persistentVolumeClaim.claimName";
  return { ref: refOf(pod), field: `spec.volumes[${index}].${field}` };
}

/** Why the missing claim is not made; undefined if it is an ephemeral volume's and its controller has yet to try. */
function unmadeClaim(facts: RunFacts, pod: Pod, name: string): GuiltyClaim | undefined {
  const volume = pod.spec.volumes?.find((one) => claimNameOf(pod, one) === name);
  if (volume?.ephemeral === undefined) return missingClaim(facts, pod, name);
  const start = `ephemeral volume ${volume.name}: `;
  const event = facts.lastEvent(
    refOf(pod),
    ({ reason, message }) => reason === "FailedBinding" && message.startsWith(start),
  );
  // Another claim had the name, but is gone by now.
  if (event?.message.endsWith("(pod is not owner)") === true) return undefined;
  if (event === undefined) return undefined;
  const root = placeOfClaim(pod, name);
  const template = { ref: root.ref, field: `${root.field}.volumeClaimTemplate` };
  return {
    title: `its claim "${name}"`,
    kind: "fails",
    headline: "cannot be made",
    event,
    root,
    chain: [],
    fixes: [],
    ...exceededQuota(pod.metadata.namespace, event.message),
    ...limitedSize(template, event.message),
  };
}

function missingClaim(facts: RunFacts, pod: Pod, name: string): GuiltyClaim {
  const { namespace } = pod.metadata;
  const ref = makeRef("PersistentVolumeClaim", namespace, name);
  const title = `its claim "${name}"`;
  const root = placeOfClaim(pod, name);
  const isLeftOut = whyLeftOut(facts, ref) !== undefined;
  return {
    title,
    kind: facts.refused.has(ref) || facts.deletion(ref) !== undefined ? "stuck" : "waits-for-you",
    headline: missingText(facts, ref),
    root,
    chain: [
      {
        ref,
        text: isLeftOut ? absenceText(facts, ref) : `does not exist in namespace "${namespace}"`,
      },
    ],
    fixes: [{ text: isLeftOut ? "save its volume with it" : remedyOf(pod, name) }],
  };
}

/** A StatefulSet recreates claims of its templates, but notices their absence only when the pod changes. */
function remedyOf(pod: Pod, name: string): string {
  const { namespace } = pod.metadata;
  const owner = controllerOf(pod);
  return owner?.kind === "StatefulSet" && name.endsWith(`-${pod.metadata.name}`)
    ? `delete pod "${pod.metadata.name}": StatefulSet "${owner.name}" recreates both`
    : `create a claim "${name}" in namespace "${namespace}"`;
}
