/** A volume that no claim can get any more: Released, Failed, or reserved for somebody who never comes. */
import { isKind, outcomeRule } from "./predicted-outcome.ts";
import type { PredictionRule } from "./rule.ts";

export const volumeUnusable: PredictionRule = outcomeRule(
  "volume-unusable",
  "warning",
  (verdict) => isKind(verdict, "PersistentVolume", "VolumeAttachment"),
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);
