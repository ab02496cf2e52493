/** Fix all: applies every finding's own fix that is safe and unambiguous. */
import { documentAt } from "../yaml/manifest-file.ts";
import type { ActionContext, CodeAction, FileEdit } from "./code-action.ts";
import { mayBeRefusedLater } from "./later-refused.ts";
import { ownEdit } from "./quick-fixes.ts";
import { sizeOfBoth } from "./size-of-both.ts";

/** Nothing if there is nothing to fix. Of two overlapping fixes the second is left for the next time. */
export function fixAll(context: ActionContext): readonly CodeAction[] {
  const { analysis, file, diagnostics } = context;
  const edits = diagnostics
    .filter((diagnostic) => {
      const { fix, start } = diagnostic;
      if (fix === undefined || fix.isChoice === true) return false;
      const document = documentAt(file.manifest, start)?.document;
      if (document === undefined || mayBeRefusedLater(analysis, document, fix)) return false;
      return sizeOfBoth(context, diagnostic) === undefined;
    })
    .flatMap((diagnostic) => ownEdit(file, diagnostic) ?? [])
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const apart: FileEdit[] = [];
  for (const edit of edits) {
    const last = apart.at(-1);
    if (last === undefined || edit.start > last.end) apart.push(edit);
    else if (follows(file.manifest.text, last, edit)) apart.push(edit);
  }
  if (apart.length === 0) return [];
  const title = "Fix all that Claimcheck can fix in this file";
  return [{ title, kind: "source.fixAll", edits: apart }];
}

/** True if both remove whole lines, one right after the other, and the key above keeps something below it. */
function follows(text: string, last: FileEdit, { start, end, text: written }: FileEdit): boolean {
  const isRemoval = last.text === "" && written === "" && start === last.end;
  if (!isRemoval || text[start - 1] !== "\n") return false;
  const depth = depthAt(text, start);
  const above = text.lastIndexOf("\n", last.start - 2) + 1;
  return depthAt(text, end) >= depth || depthAt(text, above) >= depth;
}

/** The indentation of a line; an item of a list may stand in the column of its key. */
function depthAt(text: string, lineStart: number): number {
  const [indent = "", dash = ""] = /^ *(-?)/.exec(text.slice(lineStart)) ?? [];
  return indent.length + dash.length;
}
