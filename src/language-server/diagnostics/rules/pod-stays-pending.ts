/** A pod that no node can take. Where a claim is the reason, the finding is at the claim. */

import { hasGuessedNodes } from "../outcome-basis.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { isTopologyConflict } from "./class-topology-pod-conflict.ts";
import { asksForOtherNodes } from "./pod-cause.ts";

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
