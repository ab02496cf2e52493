/**
 * A workload that cannot create the pods it wants, or waits for somebody. If a pod or claim is the reason, the finding is
 * there.
 */
import type { Kind } from "../../../engine/api/meta.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

const workloadKinds: readonly Kind[] = [
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
];

export const workloadIncomplete: PredictionRule = outcomeRule(
  "workload-incomplete",
  "warning",
  (verdict) => isKind(verdict, ...workloadKinds),
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
