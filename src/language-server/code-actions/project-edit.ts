/** A change of the environment's project file, which is made where there is none. */
import { projectFileName } from "../project/project-file.ts";
import { setField, type TextEdit } from "../yaml/edits.ts";
import { readYamlDocument, type YamlDocument } from "../yaml/yaml-document.ts";
import type { ActionContext, CodeAction } from "./code-action.ts";

type ProjectContext = Pick<ActionContext, "analysis" | "findFile">;
type ProjectEdit = Pick<CodeAction, "edits" | "creates">;

/** `whole` is what a project file holds that says nothing else. Undefined where something else stands in the way. */
export function projectEdit(
  context: ProjectContext,
  path: readonly string[],
  value: string,
  whole: string,
): ProjectEdit | undefined {
  return projectChange(context, whole, (document) => setField(document, path, value));
}

/** The same for what is more than a field with a text. */
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
