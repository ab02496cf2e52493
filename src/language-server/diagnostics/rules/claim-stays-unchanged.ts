/** A bound claim that never gets the change it asks for. */
import type { Verdict } from "../../../engine/explain/verdict.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

export const claimStaysUnchanged: PredictionRule = outcomeRule(
  "claim-stays-unchanged",
  "warning",
  isBoundClaim,
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);

export function isBoundClaim(verdict: Verdict, { facts }: Prediction): boolean {
  if (!isKind(verdict, "PersistentVolumeClaim")) return false;
  const claim = facts.objects.get(verdict.ref);
  return claim?.kind === "PersistentVolumeClaim" && claim.status?.phase === "Bound";
}
