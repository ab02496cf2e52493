/** A claim that nothing in the cluster will ever bind, or whose volume cannot be made. */
import { isKind, outcomeRule } from "./predicted-outcome.ts";
import type { PredictionRule } from "./rule.ts";

export const claimStaysPending: PredictionRule = outcomeRule(
  "claim-stays-pending",
  "warning",
  (verdict) =>
    isKind(verdict, "PersistentVolumeClaim") && verdict.reason !== "WaitForFirstConsumer",
  ({ kind, reason }) => {
    // Two manifests that contradict each other can never work; everything else may be in the cluster already.
    if (reason === "VolumeMismatch") return "error";
    return kind === "waits-for-you" ? "information" : "warning";
  },
);
