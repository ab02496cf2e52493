/** What a template makes of values, with all of Helm's functions: a text, or after an exclamation mark why it was aborted. */

import { helmFunctions } from "../../../../src/language-server/helm/functions/all.ts";
import { execute } from "../../../../src/language-server/helm/go-template/execution.ts";
import { readTemplates } from "../../../../src/language-server/helm/go-template/templates.ts";
import type { GoMap } from "../../../../src/language-server/helm/go-template/values.ts";

export function rendered(text: string, values: GoMap = new Map()): string {
  const source = { name: "t", uri: "file:///t", text };
  const { templates, problems } = readTemplates([source], helmFunctions);
  const [unread] = problems;
  if (unread !== undefined) return `! ${unread.message}`;
  const { output, problem } = execute(templates, "t", new Map([["Values", values]]), helmFunctions);
  return problem === undefined ? output.text : `! ${problem.message}`;
}
