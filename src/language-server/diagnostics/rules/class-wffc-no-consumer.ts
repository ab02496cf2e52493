/** A claim whose class waits for a pod, but that no pod uses. */
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { waitsPastScheduler } from "./class-wffc-pod-nodename.ts";

const outcome: PredictionRule = outcomeRule(
  "class-wffc-no-consumer",
  "information",
  (verdict, prediction) =>
    isKind(verdict, "PersistentVolumeClaim") &&
    verdict.reason === "WaitForFirstConsumer" &&
    !waitsPastScheduler(verdict, prediction),
);

export const classWffcNoConsumer: PredictionRule = {
  ...outcome,
  *check(prediction) {
    for (const report of outcome.check(prediction)) {
      const { kind, ref } = report.entry.object;
      const isOfClaim = kind === "PersistentVolumeClaim" && ref !== undefined;
      yield isOfClaim ? { ...report, unused: ref } : report;
    }
  },
};
