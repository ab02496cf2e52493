/** Which CronJobs have made no Job within the run and could not be tried either, so that nobody knows what becomes of their pods. */
import { printRef } from "../../language-server/prediction/print-ref.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";

/** Empty where there is none. */
export function unscheduledText(result: ClusterResult): string {
  const { facts, trials } = result.prediction;
  const lines = [...trials.untried].flatMap((ref) => {
    const cronJob = facts.objects.get(ref);
    if (cronJob?.kind !== "CronJob" || !isTold(result, ref)) return [];
    return [`  ${printRef(ref)} (${cronJob.spec?.schedule ?? ""})`];
  });
  if (lines.length === 0) return "";
  const head =
    "Not run, because their time does not come by then and to try them all takes too long (a scenario's `advance` lets it come):";
  return `${[head, ...lines].join("\n")}\n`;
}
