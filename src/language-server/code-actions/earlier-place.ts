/** What others of the file need is moved before them, with its comments. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { firstUserOf, neededEarlier } from "../diagnostics/rules/needed-earlier.ts";
import { targetAt } from "../features/target.ts";
import { documentStart, type WorkspaceObject } from "../workspace/workspace-object.ts";
import { moveItem, type TextEdit } from "../yaml/edits.ts";
import { moveDocument } from "../yaml/manifest-file.ts";
import type { ActionContext, CodeAction } from "./code-action.ts";

/** Nothing where another object of a List would go with it. */
export function earlierPlace(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== neededEarlier.id) return [];
  const needed = targetAt(analysis.environment, file, diagnostic.start)?.entry;
  const user = needed === undefined ? undefined : firstUserOf(needed);
  if (needed === undefined || user === undefined) return [];
  const edits = moved(needed, user).map((edit) => ({ uri: file.uri, ...edit }));
  const { kind, name } = user.object;
  const title = `Move it before ${kind} “${name}”`;
  return edits.length === 0 ? [] : [{ title, kind: "quickfix", edits, diagnostic }];
}

function moved(needed: WorkspaceObject, user: WorkspaceObject): readonly TextEdit[] {
  const { documentIndex: from, object, document, file } = needed;
  const to = user.documentIndex;
  if (from !== to) return document.objects.length > 1 ? [] : moveDocument(file.manifest, from, to);
  const [list = "", index] = object.path;
  const before = user.object.path[1];
  if (typeof index !== "number" || typeof before !== "number") return [];
  const start = documentStart(needed);
  return moveItem(document.yaml, [list], index, before).map((edit) => ({
    start: start + edit.start,
    end: start + edit.end,
    text: edit.text,
  }));
}
