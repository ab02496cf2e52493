/** A key that occurs twice in a mapping. If the second one belongs to a second object, a separator is missing between them. */
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type { DocumentReport, DocumentRule } from "../rule.ts";

export const yamlDuplicateKey: DocumentRule = {
  id: "yaml-duplicate-key",
  severity: "warning",
  scope: "document",
  isOfText: true,
  *check({ yaml }) {
    const found = yaml.problems.filter(({ code }) => code === "yaml-duplicate-key");
    const second = secondObject(yaml, found);
    if (second !== undefined) yield second;
    for (const problem of found)
      if (second === undefined || !isOfRoot(yaml, problem)) yield problem;
  },
};

export const separatorIsMissing =
  "A second object begins here without a `---` before it: kubectl silently keeps only the last of each key";

/** The finding at the first repeated key, if apiVersion and kind are repeated; else undefined. */
function secondObject(
  yaml: YamlDocument,
  found: readonly DocumentReport[],
): DocumentReport | undefined {
  const ofRoot = found.filter((problem) => isOfRoot(yaml, problem));
  const keys = new Set(ofRoot.map(({ start, end }) => yaml.text.slice(start, end)));
  const [first] = ofRoot;
  if (first === undefined || !keys.has("apiVersion") || !keys.has("kind")) return undefined;
  return { start: first.start, end: first.end, message: separatorIsMissing };
}

function isOfRoot({ text }: YamlDocument, { start }: DocumentReport): boolean {
  return text[start - 1] === "\n";
}
