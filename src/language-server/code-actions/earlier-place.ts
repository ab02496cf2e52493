/** Moves an object before the first one in its file that needs it, along with its comments. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { firstUserOf, neededEarlier } from "../diagnostics/rules/needed-earlier.ts";
import { targetAt } from "../features/target.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { moveItem } from "../yaml/edits.ts";
import { moveDocument } from "../yaml/manifest-file.ts";
import { type ActionContext, type CodeAction, type FileEdit, offer } from "./code-action.ts";
import { editFrom, editOf } from "./field-edit.ts";

/** Nothing if a List would have to move other objects, too. */
export function earlierPlace(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== neededEarlier.id) return [];
  const needed = targetAt(analysis.environment, file, diagnostic.start)?.entry;
  const user = needed === undefined ? undefined : firstUserOf(needed);
  if (needed === undefined || user === undefined) return [];
  const { kind, name } = user.object;
  return offer(`Move it before ${kind} “${name}”`, moved(needed, user), diagnostic);
}

function moved(needed: WorkspaceObject, user: WorkspaceObject): readonly (FileEdit | undefined)[] {
  const { documentIndex: from, object, document, file } = needed;
  const to = user.documentIndex;
  if (from !== to) {
    if (document.objects.length > 1) return [];
    return moveDocument(file.manifest, from, to).map((edit) => editFrom(file, 0, edit));
  }
  const [list = "", index] = object.path;
  const before = user.object.path[1];
  if (typeof index !== "number" || typeof before !== "number") return [];
  return moveItem(document.yaml, [list], index, before).map((edit) => editOf(needed, edit));
}
