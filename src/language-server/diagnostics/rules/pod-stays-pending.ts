/** A pod that no node can take. If a claim is the reason, the finding is about the claim. */
import { hasAssumedNodes, hasGuessedNodes } from "../outcome-basis.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { isTopologyConflict } from "./class-topology-pod-conflict.ts";
import { asksForLabels, asksForOtherNodes } from "./pod-cause.ts";

export const podStaysPending: PredictionRule = outcomeRule(
  "pod-stays-pending",
  "warning",
  (verdict, prediction) =>
    isKind(verdict, "Pod") &&
    verdict.headline.startsWith("stays Pending") &&
    !isTopologyConflict(verdict, prediction) &&
    !asksForOtherNodes(verdict),
  (verdict, prediction) =>
    verdict.kind === "waits-for-you" ||
    hasGuessedNodes(prediction) ||
    (hasAssumedNodes(prediction) && asksForLabels(verdict))
      ? "information"
      : "warning",
);
