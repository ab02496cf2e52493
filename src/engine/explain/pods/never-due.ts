/** CronJobs whose time never comes, such as those of the thirtieth of February. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { RunFacts } from "../run-facts.ts";

/** What is told of the schedule as it stands; undefined where a time fits it. Upstream: syncCronJob. */
export function neverDue(facts: RunFacts, cronJob: KubeObject<"CronJob">): EventEntry | undefined {
  const beginning = `invalid schedule: ${cronJob.spec?.schedule ?? ""} : `;
  return facts.lastEvent(
    refOf(cronJob),
    ({ reason, message }) => reason === "InvalidSchedule" && message.startsWith(beginning),
  );
}
