/** Whether a workload has the pods it wants; where it has not, the first pod that does not run says why. */
import { type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { claimVerdict } from "../claims/claim-verdict.ts";
import { refusedTemplate } from "../claims/refused-template-claim.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict } from "../make-verdict.ts";
import { podsOf, replicaSetsOf } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { failedCreate } from "./failed-create.ts";
import { heldBackSet, surplusText, withUnchangedPod } from "./held-back-set.ts";
import { leavingWorkload } from "./leaving-workload.ts";
import { podVerdict } from "./pod-verdict.ts";
import { refusedPodField } from "./refused-pod-field.ts";

type Job = KubeObject<"Job">;
type Workload = KubeObject<
  "Deployment" | "ReplicaSet" | "ReplicationController" | "StatefulSet" | "DaemonSet" | "Job"
>;

export function workloadVerdict(facts: RunFacts, workload: Workload): Verdict {
  return leavingWorkload(facts, workload) ?? stayingWorkload(facts, workload);
}

function stayingWorkload(facts: RunFacts, workload: Workload): Verdict {
  const { wanted, ready, unit } = counts(workload);
  const rollout = workload.kind === "Deployment" ? rolloutText(workload) : undefined;
  const surplus = workload.kind === "StatefulSet" ? surplusText(facts, workload) : undefined;
  const text = rollout ?? surplus ?? `has ${ready} of ${wanted} ${unit}`;
  const unchanged = workload.kind === "StatefulSet" && withUnchangedPod(facts, workload, text);
  if (unchanged) return unchanged;
  const isThere = rollout === undefined && ready >= wanted;
  if (isThere && surplus === undefined) return makeVerdict(workload, "healthy", text);
  const bad = podsOf(facts, workload.metadata.uid)
    .map((pod) => podVerdict(facts, pod))
    .find((verdict) => !isGood(verdict));
  const ended = workload.kind === "Job" ? endedJob(workload, bad) : undefined;
  if (ended !== undefined) return ended;
  if (workload.kind === "Job" && workload.spec.suspend === true)
    return heldBack(workload, "is suspended", "spec.suspend");
  if (workload.kind === "Deployment" && workload.spec.paused === true && rollout !== undefined)
    return heldBack(workload, `${rollout}: it is paused`, "spec.paused");
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
  const failed = cannotMake(facts, workload);
  if (failed !== undefined) {
    const awaited = awaitedClaim(facts, workload, failed);
    if (awaited !== undefined) {
      const { kind, ref, root, chain, fixes } = awaited;
      const headline = `${text}: claim "${nameOfRef(ref)}" has to go first`;
      return makeVerdict(workload, kind, headline, { event: failed, root, chain, fixes });
    }
    const field = refusedPodField(workload, failed.message);
    return makeVerdict(workload, "fails", `${text}: it cannot make more`, {
      event: failed,
      ...(field !== undefined && { root: { ref: refOf(workload), field } }),
      ...(workload.kind === "StatefulSet" && refusedTemplate(workload, failed.message)),
      ...exceededQuota(workload.metadata.namespace, failed.message),
    });
  }
  return makeVerdict(workload, "will-happen", text);
}

/** Undefined where the job goes on. `bad` is the verdict on its first pod that has gone wrong. */
function endedJob(job: Job, bad: Verdict | undefined): Verdict | undefined {
  const ended = job.status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Failed" || type === "Complete"),
  );
  if (ended === undefined) return undefined;
  const { type, reason, message } = ended;
  if (type === "Complete") return makeVerdict(job, "healthy", `is complete: ${message}`);
  const { root, chain, fixes } = bad ?? {};
  return makeVerdict(job, "fails", "has failed", { reason, message, root, chain, fixes });
}

/** Of the workload itself, or of one of its ReplicaSets that wants more pods. */
function cannotMake(facts: RunFacts, workload: Workload): EventEntry | undefined {
  const sets = replicaSetsOf(facts, workload.metadata.uid).filter(
    ({ spec, status }) => (spec.replicas ?? 1) > (status?.replicas ?? 0),
  );
  for (const maker of [workload, ...sets]) {
    const failed = failedCreate(facts, refOf(maker));
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** The claim of an earlier pod of the name, which has to be gone before the next one's is made. */
function awaitedClaim(
  facts: RunFacts,
  { metadata }: Workload,
  { message }: EventEntry,
): Verdict | undefined {
  const name = /pvc (\S+) is being deleted/.exec(message)?.[1];
  const claim = facts.get("PersistentVolumeClaim", metadata.namespace, name ?? "");
  return claim?.metadata.deletionTimestamp === undefined ? undefined : claimVerdict(facts, claim);
}

function heldBack(workload: Workload, headline: string, field: string): Verdict {
  const at = { ref: refOf(workload), field };
  return makeVerdict(workload, "waits-for-you", headline, {
    root: at,
    fixes: [
      {
        text: `set ${field} to false, or leave it out`,
        doing: `leave out ${field}`,
        at,
        value: null,
      },
    ],
  });
}

/**
 * How far a Deployment has replaced its pods; undefined where it has none of an older template. Its old pods may all be ready
 * while no new one will ever be. Upstream: deployment/util DeploymentComplete.
 */
function rolloutText({ status }: KubeObject<"Deployment">): string | undefined {
  const { replicas = 0, updatedReplicas = 0 } = status ?? {};
  const oldReplicas = replicas - updatedReplicas;
  return oldReplicas > 0
    ? `is rolling out: ${updatedReplicas} new of ${replicas} pods, ${oldReplicas} old`
    : undefined;
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
