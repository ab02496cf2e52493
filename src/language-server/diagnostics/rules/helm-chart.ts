/** Why Helm would refuse to render a chart, what the chart lacks, and values that no template reads. */
import type { FileRule } from "../rule.ts";

export const helmChart: FileRule = {
  id: "helm-chart",
  severity: "error",
  scope: "file",
  *check(_, { chartProblems }) {
    yield* chartProblems.filter(({ isUnread }) => isUnread !== true);
  },
};

export const helmValueUnread: FileRule = {
  id: "helm-value-unread",
  severity: "warning",
  scope: "file",
  *check(_, { chartProblems }) {
    yield* chartProblems.filter(({ isUnread }) => isUnread === true);
  },
};
