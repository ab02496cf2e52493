/** A claim whose class waits for a pod, and no pod uses it. */
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { waitsPastScheduler } from "./class-wffc-pod-nodename.ts";

export const classWffcNoConsumer: PredictionRule = outcomeRule(
  "class-wffc-no-consumer",
  "information",
  (verdict, prediction) =>
    isKind(verdict, "PersistentVolumeClaim") &&
    verdict.reason === "WaitForFirstConsumer" &&
    !waitsPastScheduler(verdict, prediction),
);
