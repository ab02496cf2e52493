/** A claim that nothing in the cluster will ever bind, or whose volume cannot be made, for reasons without a rule of their own. */
import { hasAssumedNodes } from "../outcome-basis.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { claimCause } from "./claim-cause.ts";
import { isBoundClaim } from "./claim-stays-unchanged.ts";
import { isTopologyConflict } from "./class-topology-pod-conflict.ts";

export const claimStaysPending: PredictionRule = outcomeRule(
  "claim-stays-pending",
  "warning",
  (verdict, prediction) =>
    isKind(verdict, "PersistentVolumeClaim") &&
    !isBoundClaim(verdict, prediction) &&
    verdict.reason !== "WaitForFirstConsumer" &&
    claimCause(verdict, prediction) === undefined &&
    !isTopologyConflict(verdict, prediction),
  ({ kind, root }, prediction) =>
    kind === "waits-for-you" ||
    (root?.field?.startsWith("allowedTopologies") === true && hasAssumedNodes(prediction))
      ? "information"
      : "warning",
);
