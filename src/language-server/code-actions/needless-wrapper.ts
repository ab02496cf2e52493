/** Removes a mapping and moves its fields one level up: for example the `spec` of a kind that has none. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { apiRefused, needlessText } from "../diagnostics/rules/api-refused.ts";
import { targetAt } from "../features/target.ts";
import { unwrapField } from "../yaml/unwrap-field.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { editOf } from "./field-edit.ts";

export function needlessWrapper(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const { code, message, start } = diagnostic;
  if (code !== apiRefused.id || !message.endsWith(needlessText)) return [];
  const target = targetAt(analysis.environment, file, start);
  if (target === undefined) return [];
  const { entry, path } = target;
  const { object, document } = entry;
  const edit = unwrapField(document.yaml, [...object.path, ...path]);
  const title = `Remove “${String(path.at(-1))}” and keep its fields`;
  return offer(title, [edit && editOf(entry, edit)], diagnostic);
}
