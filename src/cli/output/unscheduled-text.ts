/** CronJobs that made no Job in the run and were not tried either, so that the outcome of their pods is not known. */
import { printRef } from "../../language-server/prediction/print-ref.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";

/** Empty if there are none. */
export function unscheduledText(result: ClusterResult): string {
  const { facts, trials } = result.prediction;
  const lines = [...trials.untried].flatMap((ref) => {
    const cronJob = facts.objects.get(ref);
    if (cronJob?.kind !== "CronJob" || !isTold(result, ref)) return [];
    return [`  ${printRef(ref)} (${cronJob.spec?.schedule ?? ""})`];
  });
  if (lines.length === 0) return "";
  const head =
    "Not run, because they are not due by then and trying them all takes too long (a scenario's `advance` lets time pass):";
  return `${[head, ...lines].join("\n")}\n`;
}
