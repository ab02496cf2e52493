/** Whether a workload has the pods it wants; if not, the first pod that does not run says why. */

import { controllerOf, type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { isOfOldRevision } from "../../matching/deployment-revision.ts";
import { finishedCondition } from "../../matching/finished-job.ts";
import { hasProgressDeadline } from "../../matching/progress-deadline.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { claimVerdict } from "../claims/claim-verdict.ts";
import { refusedTemplate } from "../claims/refused-template-claim.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict, type VerdictParts } from "../make-verdict.ts";
import { podsOf, replicaSetsOf } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { failedCreate } from "./failed-create.ts";
import { heldBackJob, pausedDeployment, replacedByHand, unnoticedSurge } from "./held-back.ts";
import { heldBackSet, surplusText, withUnchangedPod } from "./held-back-set.ts";
import { leavingWorkload, type Workload } from "./leaving-workload.ts";
import { podVerdict } from "./pod-verdict.ts";
import { refusedPodField } from "./refused-pod-field.ts";
import { refusedRevision } from "./refused-revision.ts";
import { securityFixes } from "./security-changes.ts";

type Job = KubeObject<"Job">;

export function workloadVerdict(facts: RunFacts, workload: Workload): Verdict {
  return leavingWorkload(facts, workload) ?? stayingWorkload(facts, workload);
}

function stayingWorkload(facts: RunFacts, workload: Workload): Verdict {
  const { wanted, ready, unit } = counts(workload);
  const rollout = rolloutText(workload);
  const surplus = workload.kind === "StatefulSet" ? surplusText(facts, workload) : undefined;
  const text = rollout ?? surplus ?? `has ${ready} of ${wanted} ${unit}`;
  const held = whateverItsPods(facts, workload, text, rollout);
  if (held !== undefined) return held;
  const heldJob = workload.kind === "Job" ? heldBackJob(workload) : undefined;
  const isThere = rollout === undefined && ready >= wanted;
  if (isThere && surplus === undefined && heldJob === undefined)
    return makeVerdict(workload, "healthy", text);
  const replaced = replacedSet(facts, workload);
  if (replaced !== undefined) return replaced;
  const pods = awaitedPods(facts, workload).map((pod) => podVerdict(facts, pod));
  const bad = pods.find((verdict) => !isGood(verdict));
  const ended = workload.kind === "Job" ? (endedJob(workload, bad) ?? heldJob) : undefined;
  if (ended !== undefined) return ended;
  if (bad !== undefined)
    return makeVerdict(workload, bad.kind, text, {
      reason: bad.reason,
      message: bad.message,
      root: bad.root,
      chain: bad.chain,
      fixes: bad.fixes,
    });
  const behind = workload.kind === "StatefulSet" && heldBackSet(facts, workload, text);
  if (behind) return behind;
  const failed = failedMaking(facts, workload);
  if (failed !== undefined) return cannotMake(facts, workload, text, failed);
  const awaited = pods.find(({ kind }) => kind === "will-happen");
  return makeVerdict(workload, "will-happen", text, {
    reason: awaited?.reason,
    message: awaited?.message,
    withinMs: awaited?.withinMs,
    chain: awaited?.chain,
  });
}

/**
 * The pods that may hold up the workload: all of them, but for a Deployment not the staying pods of earlier templates, as stuck
 * ones among these are deleted first. Upstream: rolling.go cleanupUnhealthyReplicas v1.36.
 */
function awaitedPods(facts: RunFacts, workload: Workload): readonly KubeObject<"Pod">[] {
  const pods = podsOf(facts, workload.metadata.uid);
  if (workload.kind !== "Deployment") return pods;
  const old = replicaSetsOf(facts, workload.metadata.uid).filter((set) =>
    isOfOldRevision(set, workload),
  );
  const isOld = (pod: KubeObject<"Pod">): boolean =>
    pod.metadata.deletionTimestamp === undefined &&
    old.some(({ metadata }) => metadata.uid === controllerOf(pod)?.uid);
  return pods.filter((pod) => !isOld(pod));
}

/** The verdict on a ReplicaSet whose Deployment is successfully rolling out a newer template; undefined for all others. */
function replacedSet(facts: RunFacts, workload: Workload): Verdict | undefined {
  const owner = workload.kind === "ReplicaSet" ? controllerOf(workload) : undefined;
  if (workload.kind !== "ReplicaSet" || owner?.kind !== "Deployment") return undefined;
  const deployment = facts.get("Deployment", workload.metadata.namespace, owner.name);
  if (deployment === undefined || !isOfOldRevision(workload, deployment)) return undefined;
  return isGood(workloadVerdict(facts, deployment))
    ? makeVerdict(workload, "will-happen", `goes when Deployment "${owner.name}" has rolled out`)
    : undefined;
}

/** Verdicts that take precedence over those of the pods, which may all be ready. */
function whateverItsPods(
  facts: RunFacts,
  workload: Workload,
  text: string,
  rollout: string | undefined,
): Verdict | undefined {
  switch (workload.kind) {
    case "Deployment":
      return (
        refusedReplicaSet(facts, workload, text) ??
        pausedDeployment(facts, workload, text, rollout !== undefined)
      );
    case "DaemonSet":
      return (
        refusedRevision(facts, workload, text) ??
        (rollout === undefined
          ? unwantedDaemonSet(facts, workload)
          : (replacedByHand(workload, rollout) ?? unnoticedSurge(facts, workload, rollout)))
      );
    case "StatefulSet":
      return (
        refusedRevision(facts, workload, text) ??
        withUnchangedPod(facts, workload, text) ??
        (rollout === undefined ? undefined : replacedByHand(workload, rollout))
      );
    default:
      return undefined;
  }
}

/** The verdict on a finished Job; undefined for others. `bad` is the verdict on its first pod that is not fine. */
function endedJob(job: Job, bad: Verdict | undefined): Verdict | undefined {
  const ended = finishedCondition(job);
  if (ended === undefined) return undefined;
  const { type, reason, message } = ended;
  if (type === "Complete") return makeVerdict(job, "healthy", `is complete: ${message}`);
  const { root, chain, fixes } = bad ?? limitOf(job, reason);
  return makeVerdict(job, "fails", "has failed", { reason, message, root, chain, fixes });
}

/** The field that ended a Job whose pods are gone; empty if none is known. Upstream: job_controller.go deleteActivePods. */
function limitOf(job: Job, reason: string | undefined): VerdictParts {
  const ref = refOf(job);
  if (reason === "DeadlineExceeded") {
    const at = { ref, field: "spec.activeDeadlineSeconds" };
    return { root: at, fixes: [{ text: `raise ${at.field}, or leave it out`, at, value: null }] };
  }
  if (reason !== "BackoffLimitExceeded" || job.spec.template.spec?.restartPolicy !== "OnFailure")
    return {};
  const at = { ref, field: "spec.template.spec.restartPolicy" };
  const text = `set ${at.field} to Never: failed pods then remain, with their logs`;
  return { root: at, fixes: [{ text, at, value: "Never" }] };
}

/** `failed` is the event that says why the workload has fewer pods than it wants. */
function cannotMake(
  facts: RunFacts,
  workload: Workload,
  text: string,
  failed: EventEntry,
): Verdict {
  const awaited = awaitedClaim(facts, workload, failed);
  if (awaited !== undefined) {
    const { kind, ref, root, chain, fixes } = awaited;
    const headline = `${text}: claim "${nameOfRef(ref)}" has to go first`;
    return makeVerdict(workload, kind, headline, { event: failed, root, chain, fixes });
  }
  const field = refusedPodField(workload, failed.message);
  return makeVerdict(workload, "fails", `${text}: it cannot create more`, {
    event: failed,
    ...(field !== undefined && { root: { ref: refOf(workload), field } }),
    fixes: securityFixes(workload, failed.message),
    ...(workload.kind === "StatefulSet" && refusedTemplate(workload, failed.message)),
    ...quotaInTheWay(workload, failed.message),
  });
}

/** The failure to make pods, of the workload or of one of its ReplicaSets that want more pods; undefined if there is none. */
function failedMaking(facts: RunFacts, workload: Workload): EventEntry | undefined {
  const sets = replicaSetsOf(facts, workload.metadata.uid).filter(
    ({ spec, status }) => (spec.replicas ?? 1) > (status?.replicas ?? 0),
  );
  for (const maker of [workload, ...sets]) {
    const failed = failedCreate(facts, refOf(maker));
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** The exceeded quota; a rollout that has no room for a surge pod could also delete an old pod first. */
function quotaInTheWay(workload: Workload, message: string): VerdictParts {
  const quota = exceededQuota(workload.metadata.namespace, message);
  const isRollingOut = workload.kind === "Deployment" && rolloutText(workload) !== undefined;
  if (!isRollingOut || quota.fixes === undefined) return quota;
  const text = "let an old pod go first: maxSurge 0 and maxUnavailable 1, or strategy Recreate";
  return { ...quota, fixes: [...quota.fixes, { text }] };
}

/** The verdict on an earlier pod's claim in deletion, which has to go before the next pod's is made; undefined if none is. */
function awaitedClaim(
  facts: RunFacts,
  { metadata }: Workload,
  { message }: EventEntry,
): Verdict | undefined {
  const name = /pvc (\S+) is being deleted/.exec(message)?.[1];
  const claim = facts.get("PersistentVolumeClaim", metadata.namespace, name ?? "");
  return claim?.metadata.deletionTimestamp === undefined ? undefined : claimVerdict(facts, claim);
}

/** The verdict on a Deployment whose new ReplicaSet is refused, which neither pods nor counts show; else undefined. */
function refusedReplicaSet(
  facts: RunFacts,
  deployment: KubeObject<"Deployment">,
  text: string,
): Verdict | undefined {
  const reason = "ReplicaSetCreateError";
  const message = creationRefusal(facts, deployment, reason);
  if (message === undefined) return undefined;
  const headline = `${text}: it cannot create a ReplicaSet`;
  const { root, fixes = [] } = exceededQuota(deployment.metadata.namespace, message);
  const decision = facts.lastDecision(refOf(deployment), "deployment-controller");
  if (decision?.reason !== "GivenUp") {
    const withinMs = facts.untilDue(decision);
    return makeVerdict(deployment, "fails", headline, { reason, message, root, fixes, withinMs });
  }
  const fix = {
    text: "once that is allowed, change anything in the Deployment, such as an annotation",
  };
  return makeVerdict(deployment, "stuck", `${headline}, which ${decision.text}`, {
    reason,
    message,
    root,
    fixes: [...fixes, fix],
  });
}

/**
 * The message of the condition with that reason. A Deployment without a progress deadline has no such condition (upstream:
 * sync.go getNewReplicaSet v1.36): the last event counts, unless the controller has updated the status since and has a
 * ReplicaSet with replicas.
 */
function creationRefusal(
  facts: RunFacts,
  deployment: KubeObject<"Deployment">,
  reason: string,
): string | undefined {
  const { metadata, status } = deployment;
  const told = status?.conditions?.find((c) => c.reason === reason);
  if (told !== undefined) return told.message ?? "";
  if (hasProgressDeadline(deployment)) return undefined;
  const isBehind = (status?.observedGeneration ?? 0) < (metadata.generation ?? 1);
  const sets = replicaSetsOf(facts, metadata.uid);
  return isBehind || sets.every((set) => set.spec.replicas === 0)
    ? facts.lastEvent(refOf(deployment), (event) => event.reason === reason)?.message
    : undefined;
}

/** The verdict on a DaemonSet without an eligible node, which may be intended: its decision has each node's failed rule. */
function unwantedDaemonSet(facts: RunFacts, set: KubeObject<"DaemonSet">): Verdict | undefined {
  const { observedGeneration = 0, desiredNumberScheduled } = set.status ?? {};
  if (observedGeneration === 0 || desiredNumberScheduled !== 0) return undefined;
  const decision = facts.lastDecision(refOf(set), "daemonset-controller");
  return decision?.reason === "NodesLeftOut"
    ? makeVerdict(set, "healthy", `has no pods: ${decision.text}`, { decision })
    : undefined;
}

/**
 * How far a Deployment, a DaemonSet or an OnDelete StatefulSet has replaced its pods; undefined if it has none of an older
 * template. All old pods may be ready while a new one never will be. Upstream: deployment/util DeploymentComplete.
 */
function rolloutText(workload: Workload): string | undefined {
  const { all = 0, updated = 0 } = generations(workload);
  return all > updated
    ? `is rolling out: ${updated} new of ${all} pods, ${all - updated} old`
    : undefined;
}

function generations(workload: Workload): {
  readonly all?: number | undefined;
  readonly updated?: number | undefined;
} {
  if (workload.kind === "Deployment")
    return { all: workload.status?.replicas, updated: workload.status?.updatedReplicas };
  if (workload.kind === "StatefulSet" && workload.spec.updateStrategy?.type === "OnDelete")
    return { all: workload.status?.replicas, updated: workload.status?.updatedReplicas };
  if (workload.kind !== "DaemonSet") return {};
  const { currentNumberScheduled, updatedNumberScheduled } = workload.status ?? {};
  return { all: currentNumberScheduled, updated: updatedNumberScheduled };
}

function counts(workload: Workload): {
  readonly wanted: number;
  readonly ready: number;
  readonly unit: string;
} {
  switch (workload.kind) {
    case "DaemonSet":
      return {
        wanted: workload.status?.desiredNumberScheduled ?? 0,
        ready: workload.status?.numberReady ?? 0,
        unit: "pods ready",
      };
    case "Job": {
      const wanted = workload.spec.completions ?? workload.spec.parallelism ?? 1;
      const running = workload.status?.ready ?? 0;
      const done = workload.status?.succeeded ?? 0;
      return done >= wanted
        ? { wanted, ready: done, unit: "completions" }
        : { wanted, ready: Math.min(wanted, done + running), unit: "pods ready or done" };
    }
    default:
      return {
        wanted: workload.spec.replicas ?? 1,
        ready: workload.status?.readyReplicas ?? 0,
        unit: "pods ready",
      };
  }
}
