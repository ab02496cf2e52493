/**
 * Merges new conditions into those of a claim, and dates them: when last probed, and since when unchanged.
 * Upstream: external-resizer v2.2 pkg/util/util.go MergePVCConditions.
 */
import type { PersistentVolumeClaimCondition } from "../../api/types.ts";

/** Each found condition replaces the old one of its type; all others stay. */
export function mergeProbed(
  before: readonly PersistentVolumeClaimCondition[],
  found: readonly PersistentVolumeClaimCondition[],
  now: string,
): readonly PersistentVolumeClaimCondition[] {
  const merged = before.map((old) => {
    const next = found.find(({ type }) => type === old.type);
    return next === undefined ? old : probed(next, now, isSame(old, next) ? old : undefined);
  });
  const added = found.filter(({ type }) => !before.some((old) => old.type === type));
  return [...merged, ...added.map((condition) => probed(condition, now))];
}

function probed(
  condition: PersistentVolumeClaimCondition,
  now: string,
  same?: PersistentVolumeClaimCondition,
): PersistentVolumeClaimCondition {
  const lastTransitionTime = same?.lastTransitionTime ?? now;
  return { ...condition, lastProbeTime: now, lastTransitionTime };
}

function isSame(
  one: PersistentVolumeClaimCondition,
  other: PersistentVolumeClaimCondition,
): boolean {
  return (
    one.status === other.status && one.reason === other.reason && one.message === other.message
  );
}
