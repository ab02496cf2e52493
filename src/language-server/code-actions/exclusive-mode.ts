/** ReadWriteOncePod must be the only access mode: removes it, or the mode beside it. */
import { type Diagnostic, documentPath } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { removeItem } from "../yaml/edits.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { editOf } from "./field-edit.ts";

const mode = "ReadWriteOncePod";
const refusal = `may not use ${mode} with other access modes`;

/** With three or more modes it is unclear which ones are wanted: offers only to remove ReadWriteOncePod. */
export function exclusiveMode(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (!diagnostic.message.includes(refusal)) return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined) return [];
  const { entry } = target;
  const list = target.path.slice(0, target.path.lastIndexOf("accessModes") + 1);
  const modes = valueAt(entry.object.value, list);
  if (!Array.isArray(modes)) return [];
  return modes.flatMap((other, index): readonly CodeAction[] => {
    if (other !== mode && modes.length > 2) return [];
    const edit = removeItem(entry.document.yaml, documentPath(entry.object, [...list, index]));
    return offer(`Leave out ${other}`, [edit && editOf(entry, edit)], diagnostic);
  });
}
