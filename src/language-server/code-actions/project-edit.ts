/** Changes claimcheck.yaml of the environment, or creates it. */
import { projectFileName } from "../project/project-file.ts";
import { setField, type TextEdit } from "../yaml/edits.ts";
import { readYamlDocument, type YamlDocument } from "../yaml/yaml-document.ts";
import type { ActionContext, CodeAction } from "./code-action.ts";

type ProjectContext = Pick<ActionContext, "analysis" | "findFile">;
type ProjectEdit = Pick<CodeAction, "edits" | "creates">;

/**
 * Sets a text field. `whole` is the content of a file that has only this setting. Undefined if the file cannot take the field.
 */
export function projectEdit(
  context: ProjectContext,
  path: readonly string[],
  value: string,
  whole: string,
): ProjectEdit | undefined {
  return projectChange(context, whole, (document) => setField(document, path, value));
}

/** The same for any other change. */
export function projectChange(
  { analysis, findFile }: ProjectContext,
  whole: string,
  change: (document: YamlDocument) => TextEdit | undefined,
): ProjectEdit | undefined {
  const uri = `${analysis.environment.id}/${projectFileName}`;
  const text = findFile(uri)?.manifest.text;
  if (text === undefined || text.trim() === "") {
    const edits = [{ uri, start: 0, end: 0, text: whole }];
    return { edits, ...(text === undefined && { creates: [uri] }) };
  }
  const edit = change(readYamlDocument(text));
  return edit && { edits: [{ uri, ...edit }] };
}
