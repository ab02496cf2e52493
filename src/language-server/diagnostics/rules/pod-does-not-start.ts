/** A pod that has a node but does not run: a volume cannot be attached or mounted, or a container cannot start. */
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { usesClaimPastScheduler } from "./class-wffc-pod-nodename.ts";

export const podDoesNotStart: PredictionRule = outcomeRule(
  "pod-does-not-start",
  "warning",
  (verdict, prediction) =>
    isKind(verdict, "Pod") &&
    !verdict.headline.startsWith("stays Pending") &&
    !usesClaimPastScheduler(verdict, prediction),
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
