/** `claimcheck simulate`: tables, all events, what one would see on each node, and causes. */
import type { ClusterResult } from "../cluster-result.ts";
import { eventTable } from "./event-table.ts";
import { nodeViews } from "./node-views.ts";
import { outcomeText } from "./outcome-text.ts";
import { headText } from "./profile-text.ts";
import { resourceTables } from "./resource-tables.ts";
import { humanDuration } from "./table.ts";

export function simulateText(result: ClusterResult, cwd: string): string {
  const { prediction } = result;
  const { trace } = prediction;
  const head = `${headText(result, cwd)}At rest after ${humanDuration(trace.end)} of cluster time.\n`;
  const parts = [
    head,
    resourceTables(result),
    eventTable(result),
    nodeViews(prediction),
    outcomeText(result, cwd),
  ];
  return parts.filter((part) => part !== "").join("\n");
}
