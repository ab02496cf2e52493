/** A snapshot that never becomes ready to use. */
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { snapshotCause } from "./snapshot-cause.ts";

export const snapshotNotReady: PredictionRule = outcomeRule(
  "snapshot-not-ready",
  "warning",
  (verdict) => isKind(verdict, "VolumeSnapshot") && snapshotCause(verdict) === undefined,
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
