/** Text that kubectl cannot parse as YAML. */
import type { DocumentRule } from "../rule.ts";

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
