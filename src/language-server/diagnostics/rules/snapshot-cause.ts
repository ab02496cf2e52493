/** Causes of snapshots that cannot be taken, for rules of their own; snapshot-not-ready reports the rest. */
import type { Verdict } from "../../../engine/explain/verdict.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

/** The id of the rule for the snapshot's cause; undefined if snapshot-not-ready reports it. */
export function snapshotCause(verdict: Verdict): string | undefined {
  const { message = "" } = verdict;
  if (!isKind(verdict, "VolumeSnapshot")) return undefined;
  if (message.includes("cannot find default snapshot class")) return "snapshot-no-default";
  // Reported at the classes.
  if (message.includes("default snapshot classes were found")) return "snapshot-multiple-defaults";
  return undefined;
}

export const snapshotNoDefault: PredictionRule = {
  ...outcomeRule(
    "snapshot-no-default",
    "information",
    (verdict) => snapshotCause(verdict) === "snapshot-no-default",
  ),
  misses: "VolumeSnapshotClass",
};
