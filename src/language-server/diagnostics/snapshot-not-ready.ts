/** A snapshot that never becomes ready to use. */
import { isKind, outcomeRule } from "./predicted-outcome.ts";
import type { PredictionRule } from "./rule.ts";

export const snapshotNotReady: PredictionRule = outcomeRule(
  "snapshot-not-ready",
  "warning",
  (verdict) => isKind(verdict, "VolumeSnapshot"),
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
