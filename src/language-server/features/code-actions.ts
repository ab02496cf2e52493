/** Code actions: fixes for findings, ways to accept them, and manifests that can be generated from what is there. */
import { chosenCluster } from "../code-actions/chosen-cluster.ts";
import type {
  ActionContext,
  ActionKind,
  CodeAction,
  FileEdit,
} from "../code-actions/code-action.ts";
import { fixAll } from "../code-actions/fix-all.ts";
import { generators } from "../code-actions/generators.ts";
import { otherOverlays } from "../code-actions/judged-overlay.ts";
import { judgingOtherValues } from "../code-actions/judged-values.ts";
import { quickFixes } from "../code-actions/quick-fixes.ts";
import { suppressions } from "../code-actions/suppressions.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";

/** The actions whose kind `wants` accepts, fixes before suppressions. */
export function codeActions(
  context: ActionContext,
  wants: (kind: ActionKind) => boolean = () => true,
): readonly CodeAction[] {
  const made = [
    ...generators(context),
    ...otherOverlays(context),
    ...judgingOtherValues(context),
    ...chosenCluster(context),
  ];
  const mending = made.filter(({ kind }) => kind === "quickfix");
  const fixes = preferringFirst([...quickFixes(context), ...mending]);
  return [
    ...fixes,
    ...suppressions(context),
    ...made.filter((action) => !mending.includes(action)),
    ...(wants("source.fixAll") ? fixAll(context) : []),
  ]
    .filter(({ kind }) => wants(kind))
    .map((action) => ({
      ...action,
      edits: action.edits.map((edit) => likeItsFile(context, edit)),
    }));
}

/** Gives the inserted text the line endings of its file. */
function likeItsFile({ findFile }: ActionContext, edit: FileEdit): FileEdit {
  const hasReturns = findFile(edit.uri)?.manifest.text.includes("\r\n") === true;
  return hasReturns ? { ...edit, text: edit.text.replaceAll(/\r?\n/g, "\r\n") } : edit;
}

/**
 * Marks the first fix of each finding as preferred, unless it is one of several equal choices: fixes are listed safest first.
 */
function preferringFirst(fixes: readonly CodeAction[]): readonly CodeAction[] {
  const mended = new Set<Diagnostic | undefined>();
  return fixes.map((fix) => {
    const isPreferred = !mended.has(fix.diagnostic) && fix.isChoice !== true;
    mended.add(fix.diagnostic);
    return isPreferred ? { ...fix, isPreferred } : fix;
  });
}
