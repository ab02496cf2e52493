/** CronJobs whose schedule never matches, such as a schedule for February 30. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { RunFacts } from "../run-facts.ts";

/** The event about the current schedule; undefined if some time matches it. Upstream: syncCronJob. */
export function neverDue(facts: RunFacts, cronJob: KubeObject<"CronJob">): EventEntry | undefined {
  const beginning = `invalid schedule: ${cronJob.spec?.schedule ?? ""} : `;
  return facts.lastEvent(
    refOf(cronJob),
    ({ reason, message }) => reason === "InvalidSchedule" && message.startsWith(beginning),
  );
}
