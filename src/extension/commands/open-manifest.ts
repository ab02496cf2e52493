/** Opens the line that explains an object's outcome: the field to blame, else where the object is written. */
import type { BaseLanguageClient } from "vscode-languageclient";
import { showWritten } from "../file-places.ts";
import type { RowNode } from "../outcome-tree.ts";

export async function openManifest(client: BaseLanguageClient, given: unknown): Promise<void> {
  const { environment, ref, row } = (given ?? {}) as Partial<RowNode>;
  if (environment === undefined || ref === undefined || row === undefined) return;
  await showWritten(client, [
    { environment, ...row.place },
    { environment, ref },
  ]);
}
