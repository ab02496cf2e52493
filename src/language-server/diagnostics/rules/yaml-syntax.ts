/** Text that is no YAML as kubectl reads it, or bytes that are no such text. */
import type { DocumentRule, FileRule } from "../rule.ts";

export const yamlSyntax: DocumentRule = {
  id: "yaml-syntax",
  severity: "error",
  scope: "document",
  isOfText: true,
  keepsOut: true,
  *check({ yaml }) {
    for (const problem of yaml.problems) if (problem.code === "yaml-syntax") yield problem;
  },
};

/**
 * UTF-16 as PowerShell writes it. Kubectl puts the line together anew that ends the file, which leaves half a character; what
 * comes behind a first document it does not look at. Upstream: apimachinery util/yaml, LineReader.Read.
 */
export const fileEncoding: FileRule = {
  id: "yaml-syntax",
  severity: "error",
  scope: "file",
  *check({ manifest, isUtf16 }) {
    const isApplied = manifest.documents.some(({ objects }) =>
      objects.some(({ served }) => served),
    );
    if (isUtf16 === true && isApplied) yield { start: 0, end: 0, message: utf16Message };
  },
};

const utf16Message =
  "This file is UTF-16, as PowerShell writes it: kubectl refuses it (yaml: incomplete UTF-16 character), or reads its first document alone; save it as UTF-8";
