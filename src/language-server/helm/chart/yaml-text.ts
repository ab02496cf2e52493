/** Reads YAML as it is: braces are not treated as templates, as they would be in a workspace's manifests. */
import { deepFreeze } from "../../../engine/api/json.ts";
import { notText } from "../../yaml/not-text.ts";
import { readSimpleYaml } from "../../yaml/simple-yaml.ts";
import type { YamlProblem } from "../../yaml/syntax-problem.ts";
import { parseSyntaxTree } from "../../yaml/syntax-tree.ts";
import { toValue } from "../../yaml/to-value.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";

function* noUtf8(text: string): Iterable<YamlProblem> {
  const start = text.indexOf(notText);
  if (start < 0) return;
  yield { code: "yaml-syntax", message: "Here is a byte that is no UTF-8", start, end: start + 1 };
}

export function readYamlText(text: string): YamlDocument {
  const simple = readSimpleYaml(text);
  if (simple !== undefined)
    return { text, value: deepFreeze(simple), problems: [], claimsKubernetes: false };
  const tree = parseSyntaxTree(text);
  const { value, problems } = toValue(tree.root);
  const all = tree.problems.length > 0 ? tree.problems : [...noUtf8(text), ...problems];
  const isBroken = all.some(({ code }) => code !== "yaml-duplicate-key");
  return {
    text,
    value: isBroken ? undefined : deepFreeze(value),
    problems: all,
    claimsKubernetes: false,
  };
}
