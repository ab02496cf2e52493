/** What comes of itself, but after the cluster has been at rest for so long that the run ends: the tables do not show it. */
import { dueText } from "../../engine/explain/verdict.ts";
import { printOutcome } from "../../language-server/prediction/print-ref.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";

/** Without CronJobs of which it is told that nobody has tried them; empty where there is none. */
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
