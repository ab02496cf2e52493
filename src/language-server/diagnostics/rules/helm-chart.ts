/** Why Helm would refuse to render a chart, or what is missing of it; and values that are given to it in vain. */
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
