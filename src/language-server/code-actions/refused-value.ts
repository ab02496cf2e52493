/**
 * Fixes for a value that the API server refuses: one of the values that it lists, a list around a single item, a missing
 * required field, or removal.
 */
import {
  nearlyStorage,
  supportedValues,
  unsupportedValue,
} from "../diagnostics/facts/meant-value.ts";
import { type Diagnostic, documentPath } from "../diagnostics/rule.ts";
import { apiRefused } from "../diagnostics/rules/api-refused.ts";
import { targetAt } from "../features/target.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { manifestPath, parseFieldPath } from "../yaml/field-path.ts";
import { locate } from "../yaml/locate.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import {
  type ActionContext,
  type CodeAction,
  type FileEdit,
  offer,
  statementOf,
} from "./code-action.ts";
import { editOf, fieldEdit, fieldsEdit, replacementEdit } from "./field-edit.ts";

export function refusedValue(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== apiRefused.id) return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined) return [];
  const { built: entry, path } = target;
  const words = statementOf(diagnostic);
  const action = (title: string, edit: FileEdit | undefined): readonly CodeAction[] =>
    offer(title, [edit], diagnostic);
  if (/cannot unmarshal (?:string|number) into Go .* of type \[\]/.test(words))
    return action("Make it a list", listAround(entry, path));
  const lacking = missingField(entry, words);
  if (lacking !== undefined) return action(...lacking);
  const written = valueAt(entry.object.value, path);
  if (words.endsWith("must be a relative path") && typeof written === "string")
    return action("Leave out the first slash", fieldEdit(entry, path, written.replace(/^\/+/, "")));
  const isMissing = unsupportedValue(words) === undefined;
  const field = isMissing ? namedField(entry, words) : path;
  if (words.endsWith("`selector` not auto-generated"))
    return action(
      "Leave it out: the server chooses a Job's selector",
      fieldEdit(entry, field, null),
    );
  const taken = isMissing ? [] : neighborsOf(entry, field);
  const values = supportedValues(words).filter((value) => value !== "" && !taken.includes(value));
  return values.flatMap((value) => {
    const title = isMissing ? `Set ${field.at(-1)} to ${value}` : `Change to “${value}”`;
    return action(title, fieldEdit(entry, field, value)).map((made) => ({
      ...made,
      isChoice: values.length > 1,
    }));
  });
}

/** The other items if the path is that of a list item; else nothing. */
function neighborsOf({ object }: WorkspaceObject, path: Path): readonly unknown[] {
  const list = valueAt(object.value, path.slice(0, -1));
  return Array.isArray(list) ? list : [];
}

/** Required fields of claims and volumes, with their most common values. */
function missingField(
  entry: WorkspaceObject,
  message: string,
): [title: string, edit: FileEdit | undefined] | undefined {
  const [, above = "", field] =
    /^(.*)\b(accessModes|resources\[storage\]|capacity): Required value/.exec(message) ?? [];
  const path = manifestPath(parseFieldPath(above.replace(/\.$/, "")), entry.object.value);
  switch (field) {
    case "accessModes":
      return ["Set accessModes to [ReadWriteOnce]", oneMode(entry, path)];
    case "resources[storage]": {
      const resources = [...path, "resources"];
      const requests = valueAt(entry.object.value, [...resources, "requests"]);
      if (nearlyStorage(requests) !== undefined) return undefined;
      // Somebody who wrote only a limit meant that size.
      const limit = valueAt(entry.object.value, [...resources, "limits", "storage"]);
      const size = typeof limit === "string" ? limit : "1Gi";
      return [`Ask for ${size}`, fieldEdit(entry, [...resources, "requests", "storage"], size)];
    }
    case "capacity":
      return ["Set capacity to 1Gi", fieldEdit(entry, [...path, "capacity", "storage"], "1Gi")];
    default:
      return undefined;
  }
}

/** Replaces an empty list. Nothing if a patch has written the spec. */
function oneMode(entry: WorkspaceObject, spec: Path): FileEdit | undefined {
  if (entry.patched !== undefined) return undefined;
  const fields = { accessModes: ["ReadWriteOnce"] };
  return (
    replacementEdit(entry, [...spec, "accessModes"], fields) ?? fieldsEdit(entry, spec, fields)
  );
}

/** The field with which the message begins. */
function namedField({ object }: WorkspaceObject, message: string): Path {
  return manifestPath(parseFieldPath(message.slice(0, message.indexOf(":"))), object.value);
}

/** Nothing if a patch has written the value. */
function listAround(entry: WorkspaceObject, path: Path): FileEdit | undefined {
  const { yaml } = entry.document;
  const { start, end } = locate(yaml, documentPath(entry.object, path)).value;
  const text = yaml.text.slice(start, end);
  const isScalar = typeof valueAt(entry.object.value, path) !== "object";
  if (!isScalar || entry.patched !== undefined || text.includes("\n")) return undefined;
  return editOf(entry, { start, end, text: `[${text}]` });
}
