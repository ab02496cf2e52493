/** A key that stands twice in a mapping. */
import type { DocumentRule } from "./rule.ts";

export const yamlDuplicateKey: DocumentRule = {
  id: "yaml-duplicate-key",
  severity: "warning",
  scope: "document",
  *check({ yaml }) {
    for (const problem of yaml.problems) if (problem.code === "yaml-duplicate-key") yield problem;
  },
};
