/** A claim that nothing in the cluster will ever bind, or whose volume cannot be made. */
import { isKind, outcomeRule } from "./predicted-outcome.ts";
import type { PredictionRule } from "./rule.ts";

export const claimStaysPending: PredictionRule = outcomeRule(
  "claim-stays-pending",
  "warning",
  (verdict) =>
    isKind(verdict, "PersistentVolumeClaim") && verdict.reason !== "WaitForFirstConsumer",
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
