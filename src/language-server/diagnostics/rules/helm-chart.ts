/** Why Helm would refuse to render a chart, or what is missing of it. */
import type { FileRule } from "../rule.ts";

export const helmChart: FileRule = {
  id: "helm-chart",
  severity: "error",
  scope: "file",
  *check(_, { chartProblems }) {
    yield* chartProblems;
  },
};
