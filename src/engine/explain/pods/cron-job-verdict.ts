/** What a CronJob has come to: its newest Job, or that it has made none. */
import { controllerOf, type KubeObject, refOf } from "../../api/meta.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict } from "../make-verdict.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { failedCreate } from "./failed-create.ts";
import { workloadVerdict } from "./workload-verdict.ts";

type CronJob = KubeObject<"CronJob">;
type Job = KubeObject<"Job">;

export function cronJobVerdict(facts: RunFacts, cronJob: CronJob): Verdict {
  const ref = refOf(cronJob);
  const newest = newestJobs(facts).get(cronJob.metadata.uid);
  const ofJob = newest === undefined ? undefined : workloadVerdict(facts, newest);
  if (ofJob !== undefined && !isGood(ofJob)) {
    const { kind, headline, reason, message, root, chain, fixes } = ofJob;
    const text = `Job ${newest?.metadata.name ?? ""} ${headline}`;
    return makeVerdict(cronJob, kind, text, { reason, message, root, chain, fixes });
  }
  const failed = failedCreate(facts, ref);
  if (failed !== undefined)
    return makeVerdict(cronJob, "fails", "cannot make a Job", {
      event: failed,
      ...exceededQuota(cronJob.metadata.namespace, failed.message),
    });
  if (cronJob.spec?.suspend === true)
    return makeVerdict(cronJob, "healthy", "is suspended and makes no Jobs");
  if (ofJob !== undefined)
    return makeVerdict(cronJob, ofJob.kind, `Job ${newest?.metadata.name ?? ""} ${ofJob.headline}`);
  // By the run's clock, which is nobody's: how long until then is not for anybody to know.
  const text = `makes its first Job when its time comes (${cronJob.spec?.schedule ?? ""})`;
  return makeVerdict(cronJob, "will-happen", text);
}

/** By the uid of the CronJob. */
const newestJobs = onceOf((facts): ReadonlyMap<string, Job> => {
  const newest = new Map<string, Job>();
  // Their names end in the minute of their time.
  for (const job of facts.list("Job")) {
    const { kind, uid = "" } = controllerOf(job) ?? {};
    const known = newest.get(uid);
    if (kind === "CronJob" && (known === undefined || known.metadata.name < job.metadata.name))
      newest.set(uid, job);
  }
  return newest;
});
