/** Moves a mount that may hide another one before it. */
import { type Diagnostic, documentPath } from "../diagnostics/rule.ts";
import { mountPathNested, placesInList } from "../diagnostics/rules/mount-path.ts";
import { targetAt } from "../features/target.ts";
import { moveItem } from "../yaml/edits.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { editOf } from "./field-edit.ts";

export function earlierMount(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== mountPathNested.id) return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined) return [];
  const { entry, path } = target;
  const places = placesInList(entry.object, path);
  const list = documentPath(entry.object, path.slice(0, path.lastIndexOf("volumeMounts") + 1));
  if (places === undefined) return [];
  const edits = moveItem(entry.document.yaml, list, places.from, places.to);
  return offer(
    "Move this mount before the other one",
    edits.map((edit) => editOf(entry, edit)),
    diagnostic,
  );
}
