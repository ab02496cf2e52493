/** Executes templates in tests: the first one is executed, the others can be called by it. */
import type { Json } from "../../../../src/engine/api/json.ts";
import { goMapOf } from "../../../../src/language-server/helm/chart/go-value-of.ts";
import { helmFunctions } from "../../../../src/language-server/helm/functions/all.ts";
import {
  type Executed,
  execute,
} from "../../../../src/language-server/helm/go-template/execution.ts";
import { readTemplates } from "../../../../src/language-server/helm/go-template/templates.ts";

export type Texts = Readonly<Record<string, string>>;

export function executed(
  texts: Texts,
  values: { readonly [key: string]: Json } = {},
  others: { readonly [key: string]: Json } = {},
): Executed {
  const sources = Object.entries(texts).map(([name, text]) => ({ name, uri: name, text }));
  const { templates } = readTemplates(sources, helmFunctions);
  const data = goMapOf({ ...others, Values: values });
  return execute(templates, sources[0]?.name ?? "", data, helmFunctions);
}
