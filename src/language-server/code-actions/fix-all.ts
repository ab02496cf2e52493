/** All changes of a file that findings know themselves and that harm nothing, at once. */
import { documentAt } from "../yaml/manifest-file.ts";
import type { ActionContext, CodeAction, FileEdit } from "./code-action.ts";
import { mayBeRefusedLater } from "./later-refused.ts";
import { ownEdit } from "./quick-fixes.ts";

/** None where there is nothing to mend. Of two changes of the same text the second waits for the next time. */
export function fixAll({ analysis, file, diagnostics }: ActionContext): readonly CodeAction[] {
  const edits = diagnostics
    .filter(({ fix, start }) => {
      if (fix === undefined || fix.isChoice === true) return false;
      const document = documentAt(file.manifest, start)?.document;
      return document !== undefined && !mayBeRefusedLater(analysis, document, fix);
    })
    .flatMap((diagnostic) => ownEdit(file, diagnostic) ?? [])
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const apart: FileEdit[] = [];
  for (const edit of edits) {
    const last = apart.at(-1);
    if (last === undefined || edit.start > last.end) apart.push(edit);
  }
  if (apart.length === 0) return [];
  const title = "Fix all that Claimcheck can fix in this file";
  return [{ title, kind: "source.fixAll", edits: apart }];
}
