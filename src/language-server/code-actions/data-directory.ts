/**
 * For a database that does not start in a mount's top directory: sets the variable that names its data directory to one below,
 * which the program creates.
 */
import { withoutEndSlashes } from "../../engine/api/go/file-path.ts";
import { knownImageOf } from "../diagnostics/facts/known-images.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { dataDirLostFound, dataDirOwnedByRoot } from "../diagnostics/rules/database-directory.ts";
import { targetAt } from "../features/target.ts";
import { type Fields, itemsOf, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, type FileEdit, offer } from "./code-action.ts";
import { fieldEdit, fieldsEdit, itemEdit } from "./field-edit.ts";

export function dataDirectory(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const { code, start } = diagnostic;
  if (code !== dataDirLostFound.id && code !== dataDirOwnedByRoot.id) return [];
  const target = targetAt(analysis.environment, file, start);
  if (target === undefined) return [];
  const { entry, path } = target;
  const mountPath = valueAt(entry.object.value, path);
  // `path` ends in volumeMounts[i].mountPath.
  const at = path.slice(0, -3);
  const container = valueAt(entry.object.value, at) as Fields;
  const variable = knownImageOf(container)?.data?.variable;
  if (variable === undefined || typeof mountPath !== "string") return [];
  const below = `${withoutEndSlashes(mountPath)}/${variable === "PGDATA" ? "pgdata" : "data"}`;
  const edit = settingEdit(entry, { container, at }, { name: variable, value: below });
  return offer(`Set ${variable} to ${below}`, [edit], diagnostic);
}

/** Changes the variable if the container has it, else adds it. */
function settingEdit(
  entry: WorkspaceObject,
  { container, at }: { readonly container: Fields; readonly at: Path },
  variable: { readonly name: string; readonly value: string },
): FileEdit | undefined {
  const list = [...at, "env"];
  const own = itemsOf(container["env"], list).find(
    ({ fields }) => textAt(fields, "name") === variable.name,
  );
  if (own !== undefined) return fieldEdit(entry, [...own.path, "value"], variable.value);
  if (container["env"] === undefined) return fieldsEdit(entry, at, { env: [variable] });
  return itemEdit(entry, list, variable);
}
