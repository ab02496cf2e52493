/** Writes the version of an object that says only what kind it is, before the kind. */
import { kindSchemas } from "../../engine/api/schema.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { kindMissing } from "../diagnostics/rules/kind-missing.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { addBefore } from "../yaml/edits.ts";
import { pathAt } from "../yaml/locate.ts";
import { valueAt } from "../yaml/manifest.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { CodeAction } from "./code-action.ts";

/** Where but one group has that kind. */
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
  if (edit === undefined) return [];
  const edits = [
    { uri: file.uri, start: at.start + edit.start, end: at.start + edit.end, text: edit.text },
  ];
  return [{ title: `Set apiVersion to ${apiVersion}`, kind: "quickfix", edits, diagnostic }];
}
