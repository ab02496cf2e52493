/** Splits a list item with several mount options into one item each. */
import { optionsIn } from "../diagnostics/facts/options-in.ts";
import { type Diagnostic, documentPath } from "../diagnostics/rule.ts";
import { mountOptionsBlank } from "../diagnostics/rules/mount-options.ts";
import { targetAt } from "../features/target.ts";
import { splitItem } from "../yaml/edits.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { editOf } from "./field-edit.ts";

export function separateOptions(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== mountOptionsBlank.id) return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined) return [];
  const { entry, path } = target;
  const option = valueAt(entry.object.value, path);
  if (typeof option !== "string") return [];
  const options = optionsIn(option);
  const edit = splitItem(entry.document.yaml, documentPath(entry.object, path), options);
  return offer(`Split it into ${options.length} items`, [edit && editOf(entry, edit)], diagnostic);
}
