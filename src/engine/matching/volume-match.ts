/**
 * Which volume a claim gets. Upstream: component-helpers v0.36 storage/volume/pv_helpers.go FindMatchingVolume. Upstream walks
 * the volumes in random order and keeps the smallest; here they come smallest first, so the first that fits is the result.
 */
import type { PersistentVolume } from "../api/types.ts";
import { isVolumeBoundToClaim } from "./claim-reference.ts";
import type { MatchRequest } from "./match-request.ts";
import { isReachableFrom } from "./node-affinity.ts";
import { rulesForAll, rulesForUnreserved, type VolumeRule } from "./volume-rules.ts";

/** Iterates over volumes; undefined when there are no more. */
export interface VolumeWalk {
  next(): PersistentVolume | undefined;
}

/**
 * Returns the first volume that fits, or undefined. `candidates` must yield volumes reserved for the claim first, then the
 * others, smallest first.
 */
export function findMatchingVolume(
  candidates: VolumeWalk,
  request: MatchRequest,
): PersistentVolume | undefined {
  for (;;) {
    const volume = candidates.next();
    if (volume === undefined) return undefined;
    if (!passesAll(rulesForAll, volume, request)) continue;
    if (isVolumeBoundToClaim(volume, request.claim)) {
      const { node } = request;
      // If the node cannot reach a reserved volume, no other volume may replace it.
      return node === undefined || isReachableFrom(volume, node.labels) ? volume : undefined;
    }
    if (passesAll(rulesForUnreserved, volume, request)) return volume;
  }
}

function passesAll(
  rules: readonly VolumeRule[],
  volume: PersistentVolume,
  request: MatchRequest,
): boolean {
  for (const rule of rules) if (!rule.passes(volume, request)) return false;
  return true;
}
