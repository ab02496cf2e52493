/** A pod that no node can take. Where a claim is the reason, the finding is at the claim. */
import { isTopologyConflict } from "./class-topology-pod-conflict.ts";
import { hasGuessedNodes } from "./outcome-basis.ts";
import { asksForOtherNodes } from "./pod-cause.ts";
import { isKind, outcomeRule } from "./predicted-outcome.ts";
import type { PredictionRule } from "./rule.ts";

export const podStaysPending: PredictionRule = outcomeRule(
  "pod-stays-pending",
  "warning",
  (verdict, prediction) =>
    isKind(verdict, "Pod") &&
    verdict.headline.startsWith("stays Pending") &&
    !isTopologyConflict(verdict, prediction) &&
    !asksForOtherNodes(verdict),
  ({ kind }, prediction) =>
    kind === "waits-for-you" || hasGuessedNodes(prediction) ? "information" : "warning",
);
