/** Sets the security fields of a pod that the Pod Security level of its namespace refuses. */
import { securityChanges } from "../../engine/explain/pods/security-changes.ts";
import { takenObject } from "../diagnostics/api-answer.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { fieldsOf } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Scalar } from "../yaml/edits.ts";
import { parseFieldPath } from "../yaml/field-path.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, type FileEdit, offer } from "./code-action.ts";
import { fieldEdit, fieldsEdit, itemEdit } from "./field-edit.ts";

/** All fields in one action, because the pod is refused until all are set. Nothing if patches or a chart write the pod. */
export function fewerRights(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined || target.built.patched !== undefined) return [];
  const { entry } = target;
  // The text may have changed since the finding was made.
  const object = takenObject(entry.object, analysis.version);
  const changes = object === undefined ? [] : securityChanges(object, diagnostic.message);
  const edits = changes.flatMap(({ field, values }) =>
    editsFor(entry, parseFieldPath(field), { ...values }),
  );
  const names = new Set(changes.flatMap(({ values }) => Object.keys(values)));
  const title = `Set ${[...names].join(", ")} as the Pod Security level requires`;
  return offer(title, edits, diagnostic).map((action) => ({
    ...action,
    edits: together(action.edits),
  }));
}

/** An undefined edit stands for a change that is impossible. */
function editsFor(
  entry: WorkspaceObject,
  path: Path,
  wanted: Readonly<Record<string, unknown>>,
): readonly (FileEdit | undefined)[] {
  const { value } = entry.object;
  const there = valueAt(value, path);
  if (there === undefined)
    return [fieldsEdit(entry, path.slice(0, -1), { [String(path.at(-1))]: wanted })];
  const known = fieldsOf(there);
  const missing = Object.entries(wanted).filter(([name]) => known[name] === undefined);
  const present = Object.entries(wanted).filter(([name]) => known[name] !== undefined);
  return [
    ...present.flatMap(([name, one]) => {
      const at = [...path, name];
      if (Array.isArray(one)) return [itemEdit(entry, at, one[0])];
      return typeof one === "object" && one !== null
        ? editsFor(entry, at, { ...one })
        : [fieldEdit(entry, at, one as Scalar)];
    }),
    ...(missing.length === 0 ? [] : [fieldsEdit(entry, path, Object.fromEntries(missing))]),
  ];
}

/** Joins the edits at the same place in their order: a container and the pod's spec may end in the same line. */
function together(edits: readonly FileEdit[]): readonly FileEdit[] {
  const byPlace = new Map<string, FileEdit>();
  for (const edit of edits) {
    const key = [edit.uri, edit.start, edit.end].join(" ");
    const before = byPlace.get(key)?.text ?? "";
    byPlace.set(key, { ...edit, text: before + edit.text });
  }
  return [...byPlace.values()];
}
