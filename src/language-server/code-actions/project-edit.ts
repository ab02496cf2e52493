/** A change of the environment's project file, which is made where there is none. */
import { projectFileName } from "../project/project-file.ts";
import { setField } from "../yaml/edits.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import type { ActionContext, CodeAction } from "./code-action.ts";

/** `whole` is what a project file holds that says nothing else. Undefined where something else stands in the way. */
export function projectEdit(
  { analysis, findFile }: Pick<ActionContext, "analysis" | "findFile">,
  path: readonly string[],
  value: string,
  whole: string,
): Pick<CodeAction, "edits" | "creates"> | undefined {
  const uri = `${analysis.environment.id}/${projectFileName}`;
  const text = findFile(uri)?.manifest.text;
  if (text === undefined || text.trim() === "") {
    const edits = [{ uri, start: 0, end: 0, text: whole }];
    return { edits, ...(text === undefined && { creates: [uri] }) };
  }
  const edit = setField(readYamlDocument(text), path, value);
  return edit && { edits: [{ uri, ...edit }] };
}
