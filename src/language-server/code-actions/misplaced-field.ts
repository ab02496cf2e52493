/** Moves a field that the API server does not know at its place to the place where it belongs. */
import { meantPlace } from "../diagnostics/facts/meant-place.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { apiRefused } from "../diagnostics/rules/api-refused.ts";
import { targetAt } from "../features/target.ts";
import { moveField } from "../yaml/move-field.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { editOf } from "./field-edit.ts";

export function misplacedField(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const { code, message, start } = diagnostic;
  if (code !== apiRefused.id || !message.includes("; it belongs ")) return [];
  const target = targetAt(analysis.environment, file, start);
  if (target === undefined) return [];
  const { entry, path } = target;
  const { object, document } = entry;
  const place = meantPlace(object, path, analysis.version);
  if (place === undefined || !message.endsWith(`; ${place.text}`)) return [];
  const edit = moveField(document.yaml, [...object.path, ...path], [...object.path, ...place.path]);
  const title = place.text.replace(/^it belongs /, "Move it ");
  return offer(title, [edit && editOf(entry, edit)], diagnostic);
}
