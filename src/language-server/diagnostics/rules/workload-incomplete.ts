/** A workload that cannot make the pods it wants. Where a pod or a claim is the reason, the finding is there. */
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

export const workloadIncomplete: PredictionRule = outcomeRule(
  "workload-incomplete",
  "warning",
  (verdict) => isKind(verdict, "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"),
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
