/** `claimcheck predict`: the tables at rest, then the causes of what does not succeed. */
import type { ClusterResult } from "../cluster-result.ts";
import { outcomeText } from "./outcome-text.ts";
import { headText } from "./profile-text.ts";
import { resourceTables } from "./resource-tables.ts";

export function predictText(result: ClusterResult, cwd: string): string {
  const head = headText(result, cwd);
  return [head, resourceTables(result), outcomeText(result, cwd)]
    .filter((part) => part !== "")
    .join("\n");
}
