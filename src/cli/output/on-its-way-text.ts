/** What will still happen by itself after the end of the run, and so is not in the tables. */
import { dueText } from "../../engine/explain/verdict.ts";
import { printOutcome } from "../../language-server/prediction/print-ref.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";

/** Leaves out CronJobs that `unscheduledText` lists; empty if there is nothing. */
export function onItsWayText(result: ClusterResult): string {
  const { verdicts, trials } = result.prediction;
  const lines = verdicts
    .filter(({ kind, ref }) => kind === "will-happen" && !trials.untried.has(ref))
    .filter(({ ref }) => isTold(result, ref))
    .map((verdict) => {
      const due = dueText(verdict);
      return `  ${printOutcome(verdict.ref, verdict.headline)}${due === undefined ? "" : ` (${due})`}`;
    });
  return lines.length === 0
    ? ""
    : `${["Still on its way at the end of the run:", ...lines].join("\n")}\n`;
}
