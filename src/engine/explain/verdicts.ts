/** The verdicts on the claims, volumes, pods, workloads and others of a run, worst first. Boundary of the engine. */
import type { KubeObject, Ref } from "../api/meta.ts";
import type { Trace } from "../trace/trace.ts";
import { claimVerdict } from "./claims/claim-verdict.ts";
import { cronJobVerdict, triedCronJob } from "./pods/cron-job-verdict.ts";
import { podVerdict } from "./pods/pod-verdict.ts";
import { workloadVerdict } from "./pods/workload-verdict.ts";
import { blamingRefused } from "./refused-object.ts";
import { RunFacts } from "./run-facts.ts";
import { type Verdict, verdictKinds } from "./verdict.ts";
import { attachmentVerdict } from "./volumes/attachment-verdict.ts";
import { snapshotVerdict } from "./volumes/snapshot-verdict.ts";
import { volumeVerdict } from "./volumes/volume-verdict.ts";

/** The verdicts at the end of a trace, or after its entry `seq`: worst first, then by kind, namespace and name. */
export function verdicts(trace: Trace, seq?: number): readonly Verdict[] {
  const steps = verdictsInSteps(new RunFacts(trace, seq));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `verdicts`, but yields after each object, as there may be many. */
export function* verdictsInSteps(facts: RunFacts): Generator<void, readonly Verdict[]> {
  const all: Verdict[] = [];
  for (const object of facts.objects.values()) {
    const verdict = verdictOn(facts, object);
    if (verdict !== undefined) all.push(verdict);
    yield;
  }
  return all.sort(compareVerdicts);
}

/** Worst first, then by kind, namespace and name. */
export function compareVerdicts(a: Verdict, b: Verdict): number {
  return verdictKinds.indexOf(a.kind) - verdictKinds.indexOf(b.kind) || (a.ref < b.ref ? -1 : 1);
}

/** The verdict on one object; undefined for kinds without an outcome, such as classes. */
export function verdictOn(facts: RunFacts, object: KubeObject): Verdict | undefined {
  const verdict = verdictByKind(facts, object);
  return verdict === undefined ? undefined : blamingRefused(facts, verdict);
}

/** The verdict on a CronJob, judged by a Job that a user made from it; see `triedCronJob`. */
export function verdictOnTried(
  facts: RunFacts,
  cronJob: KubeObject<"CronJob">,
  tried: Ref,
): Verdict | undefined {
  const verdict = triedCronJob(facts, cronJob, tried);
  return verdict === undefined ? undefined : blamingRefused(facts, verdict);
}

function verdictByKind(facts: RunFacts, object: KubeObject): Verdict | undefined {
  switch (object.kind) {
    case "PersistentVolumeClaim":
      return claimVerdict(facts, object);
    case "PersistentVolume":
      return volumeVerdict(facts, object);
    case "Pod":
      return podVerdict(facts, object);
    case "VolumeAttachment":
      return attachmentVerdict(facts, object);
    case "VolumeSnapshot":
      return snapshotVerdict(facts, object, claimVerdict);
    case "Deployment":
    case "ReplicaSet":
    case "ReplicationController":
    case "StatefulSet":
    case "DaemonSet":
    case "Job":
      return workloadVerdict(facts, object);
    case "CronJob":
      return cronJobVerdict(facts, object);
    default:
      return undefined;
  }
}
