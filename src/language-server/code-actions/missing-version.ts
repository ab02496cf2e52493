/** Adds the missing apiVersion of an object, before its kind. */
import { kindSchemas } from "../../engine/api/schema.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { kindMissing } from "../diagnostics/rules/kind-missing.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { addBefore } from "../yaml/edits.ts";
import { pathAt } from "../yaml/locate.ts";
import { valueAt } from "../yaml/manifest.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import { type CodeAction, offer } from "./code-action.ts";
import { editFrom } from "./field-edit.ts";

/** Nothing if several API groups have the kind. */
export function missingVersion(file: WorkspaceFile, diagnostic: Diagnostic): readonly CodeAction[] {
  const at = documentAt(file.manifest, diagnostic.start);
  if (diagnostic.code !== kindMissing.id || at === undefined) return [];
  const { yaml } = at.document;
  const { path } = pathAt(yaml, diagnostic.start - at.start);
  if (path.at(-1) !== "kind") return [];
  const kind = valueAt(yaml.value, path);
  const [schema, ...others] = kindSchemas.filter((candidate) => candidate.kind === kind);
  if (schema === undefined || others.length > 0) return [];
  const { apiVersion } = schema;
  const edit = addBefore(yaml, path, "apiVersion", apiVersion);
  const edits = [edit && editFrom(file, at.start, edit)];
  return offer(`Set apiVersion to ${apiVersion}`, edits, diagnostic);
}
