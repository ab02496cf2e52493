/** Which CronJobs have made no Job within the run, so that nobody knows what becomes of their pods. */
import { refOf } from "../../engine/api/meta.ts";
import { printRef } from "../../language-server/prediction/print-ref.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";

/** Empty where there is none. */
export function unscheduledText(result: ClusterResult): string {
  const waiting = result.prediction.facts
    .list("CronJob")
    .filter(({ spec, status }) => spec?.suspend !== true && status?.lastScheduleTime === undefined)
    .filter((cronJob) => isTold(result, refOf(cronJob)));
  if (waiting.length === 0) return "";
  const lines = waiting.map(
    (cronJob) => `  ${printRef(refOf(cronJob))} (${cronJob.spec?.schedule ?? ""})`,
  );
  const head =
    "Not run, because their time does not come by then (a scenario's `advance` lets it come):";
  return `${[head, ...lines].join("\n")}\n`;
}
