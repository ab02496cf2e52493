/** What comes of itself, but after the cluster has been at rest for so long that the run ends: the tables do not show it. */
import { dueText } from "../../engine/explain/verdict.ts";
import { printRef } from "../../language-server/prediction/print-ref.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";

/** Without CronJobs, of which it is told that they have not run; empty where there is none. */
export function onItsWayText(result: ClusterResult): string {
  const lines = result.prediction.verdicts
    .filter(({ kind, ref }) => kind === "will-happen" && !ref.startsWith("CronJob/"))
    .filter(({ ref }) => isTold(result, ref))
    .map((verdict) => {
      const due = dueText(verdict);
      return `  ${printRef(verdict.ref)} ${verdict.headline}${due === undefined ? "" : ` (${due})`}`;
    });
  return lines.length === 0
    ? ""
    : `${["Still on its way at the end of the run:", ...lines].join("\n")}\n`;
}
