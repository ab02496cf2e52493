/** What becomes of a CronJob: judged by its newest Job, by the lack of one, or by a Job made from it as a trial. */
import { controllerOf, type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict } from "../make-verdict.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { failedCreate } from "./failed-create.ts";
import { leavingWorkload } from "./leaving-workload.ts";
import { neverDue } from "./never-due.ts";
import { workloadVerdict } from "./workload-verdict.ts";

type CronJob = KubeObject<"CronJob">;
type Job = KubeObject<"Job">;

export function cronJobVerdict(facts: RunFacts, cronJob: CronJob): Verdict {
  const leaving = leavingWorkload(facts, cronJob);
  if (leaving !== undefined) return leaving;
  const ref = refOf(cronJob);
  const newest = newestJobs(facts).get(cronJob.metadata.uid);
  const ofJob = newest === undefined ? undefined : workloadVerdict(facts, newest);
  const called = `Job ${newest?.metadata.name ?? ""}`;
  if (ofJob !== undefined && !isGood(ofJob)) return asItsJob(cronJob, ofJob, called);
  const failed = failedCreate(facts, ref);
  if (failed !== undefined)
    return makeVerdict(cronJob, "fails", "cannot create a Job", {
      event: failed,
      ...exceededQuota(cronJob.metadata.namespace, failed.message),
    });
  if (cronJob.spec?.suspend === true)
    return makeVerdict(cronJob, "healthy", "is suspended and makes no Jobs");
  const never = neverDue(facts, cronJob);
  if (never !== undefined) {
    const at = { ref, field: "spec.schedule" };
    return makeVerdict(cronJob, "fails", "creates no Jobs: no time ever matches its schedule", {
      event: never,
      root: at,
      fixes: [{ text: "give it a date that occurs, such as 0 0 1 * *", at }],
    });
  }
  if (ofJob !== undefined) return makeVerdict(cronJob, ofJob.kind, `${called} ${ofJob.headline}`);
  return makeVerdict(cronJob, "will-happen", untilItsTime(cronJob));
}

/** Names the schedule but no time span: the run's clock is not the user's. */
function untilItsTime({ spec }: CronJob): string {
  return `makes its first Job when its time comes (${spec?.schedule ?? ""})`;
}

function asItsJob(cronJob: CronJob, ofJob: Verdict, called: string): Verdict {
  const { kind, headline, reason, message, root, chain, fixes } = ofJob;
  const text = `${called} ${headline}`;
  return makeVerdict(cronJob, kind, text, { reason, message, root, chain, fixes });
}

/** True if the CronJob only waits for the time of its first Job. */
export function awaitsItsTime(facts: RunFacts, cronJob: CronJob): boolean {
  const { metadata, spec } = cronJob;
  return (
    spec?.suspend !== true &&
    metadata.deletionTimestamp === undefined &&
    !newestJobs(facts).has(metadata.uid) &&
    failedCreate(facts, refOf(cronJob)) === undefined &&
    neverDue(facts, cronJob) === undefined
  );
}

/**
 * Judges by the Job `tried` that a user made from the CronJob ahead of time; undefined if that Job is gone, as nothing is known
 * about its outcome then.
 */
export function triedCronJob(facts: RunFacts, cronJob: CronJob, tried: Ref): Verdict | undefined {
  const job = facts.objects.get(tried);
  const answer = facts.refused.get(tried);
  if (job === undefined && answer !== undefined) {
    const { reason, message = "" } = answer;
    const quota = exceededQuota(cronJob.metadata.namespace, message);
    return makeVerdict(cronJob, "fails", "cannot create a Job", { reason, message, ...quota });
  }
  if (job?.kind !== "Job") return undefined;
  const ofJob = workloadVerdict(facts, job);
  if (!isGood(ofJob)) return asItsJob(cronJob, ofJob, "would make a Job that");
  const outcome = ofJob.kind === "healthy" ? ", which would run" : "";
  return makeVerdict(cronJob, "will-happen", untilItsTime(cronJob) + outcome);
}

/** The newest Job of each CronJob, by the CronJob's uid. */
const newestJobs = onceOf((facts): ReadonlyMap<string, Job> => {
  const newest = new Map<string, Job>();
  for (const job of facts.list("Job")) {
    const { kind, uid = "" } = controllerOf(job) ?? {};
    const known = newest.get(uid);
    if (kind === "CronJob" && (known === undefined || isNewer(job, known))) newest.set(uid, job);
  }
  return newest;
});

/** Compares Jobs of the same second by name: the names of scheduled ones end with their minute. */
function isNewer({ metadata }: Job, than: Job): boolean {
  const [made, before] = [metadata.creationTimestamp, than.metadata.creationTimestamp];
  return made === before ? metadata.name > than.metadata.name : made > before;
}
