/**
 * A claim that nothing in the cluster will ever bind, or whose volume cannot be provisioned, for reasons without a rule of
 * their own.
 */
import type { Verdict } from "../../../engine/explain/verdict.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { hasAssumedNodes } from "../outcome-basis.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { claimCause } from "./claim-cause.ts";
import { isBoundClaim } from "./claim-stays-unchanged.ts";
import { isTopologyConflict } from "./class-topology-pod-conflict.ts";
import { missedForDefaultClass } from "./pvc-default-class-over-volume.ts";

export const claimStaysPending: PredictionRule = outcomeRule(
  "claim-stays-pending",
  "warning",
  (verdict, prediction) =>
    isKind(verdict, "PersistentVolumeClaim") &&
    !isBoundClaim(verdict, prediction) &&
    verdict.reason !== "WaitForFirstConsumer" &&
    claimCause(verdict, prediction) === undefined &&
    !isKeptFromVolume(verdict, prediction) &&
    !isTopologyConflict(verdict, prediction),
  ({ kind, root }, prediction) =>
    kind === "waits-for-you" ||
    (root?.field?.startsWith("allowedTopologies") === true && hasAssumedNodes(prediction))
      ? "information"
      : "warning",
);

/** Reported by pvc-default-class-over-volume. */
function isKeptFromVolume({ ref }: Verdict, prediction: Prediction): boolean {
  const claim = prediction.facts.objects.get(ref);
  return (
    claim?.kind === "PersistentVolumeClaim" &&
    missedForDefaultClass(prediction, claim) !== undefined
  );
}
