/** The volumes that a claim did not get, and why: the closest first, at most as many as a person would read. */
import { accessModeSet, shortAccessModes } from "../api/access-modes.ts";
import { deepEqual } from "../api/json.ts";
import { refOf } from "../api/meta.ts";
import { compareQuantityTexts } from "../api/quantity.ts";
import type { PersistentVolume } from "../api/types.ts";
import type { Candidate, FailedRule } from "../trace/decision.ts";
import { isVolumeBoundToClaim } from "./claim-reference.ts";
import type { MatchRequest } from "./match-request.ts";
import type { VolumeInventory } from "./volume-inventory.ts";
import {
  eachFailedRule,
  notBeingDeleted,
  ownOrNoClaimRef,
  type VolumeRule,
} from "./volume-rules.ts";

const candidateCountMax = 10;
/** Above this number of volumes only a sample near the request is compared, to keep a match cheap. */
const comparedCountMax = 64;

/**
 * Returns the candidates to record with a decision, each made by `candidateOf`. Candidates that fit but were not `chosen` fail
 * a rule of preference.
 */
export function nearMisses(
  inventory: VolumeInventory,
  request: MatchRequest,
  chosen: PersistentVolume | undefined,
  candidateOf: (volume: PersistentVolume) => Candidate = (volume) =>
    nearMiss(volume, request, chosen),
): readonly Candidate[] {
  if (chosen !== undefined && inventory.count > comparedCountMax) {
    return runnerUp(inventory, request, chosen);
  }
  return inventory
    .nearby(request, comparedCountMax)
    .filter((volume) => volume.metadata.name !== chosen?.metadata.name)
    .map((volume) => ({ volume, distance: distance(volume, request, chosen) }))
    .sort((a, b) => a.distance - b.distance || byName(a.volume, b.volume))
    .slice(0, candidateCountMax)
    .map(({ volume }) => candidateOf(volume));
}

/** Returns the rules that a volume fails, or why the chosen one was preferred. */
export function nearMiss(
  volume: PersistentVolume,
  request: MatchRequest,
  chosen: PersistentVolume | undefined,
): Candidate {
  return { ref: refOf(volume), failed: failures(volume, request, chosen) };
}

/** With many volumes, a match records only the one that would have been next. */
function runnerUp(
  inventory: VolumeInventory,
  request: MatchRequest,
  chosen: PersistentVolume,
): readonly Candidate[] {
  const next = inventory.nextFit(request, chosen.metadata.name);
  return next === undefined
    ? []
    : [{ ref: refOf(next), failed: [preference(next, request, chosen)] }];
}

function failures(
  volume: PersistentVolume,
  request: MatchRequest,
  chosen: PersistentVolume | undefined,
): readonly FailedRule[] {
  const failed: VolumeRule[] = [];
  eachFailedRule(volume, request, (rule) => failed.push(rule));
  if (failed.length === 0 && chosen !== undefined) return [preference(volume, request, chosen)];
  return failed.map((rule) => rule.explain(volume, request));
}

/** The rule by which the chosen volume was preferred to another that fits. */
function preference(
  volume: PersistentVolume,
  request: MatchRequest,
  chosen: PersistentVolume,
): FailedRule {
  const { name } = chosen.metadata;
  if (isVolumeBoundToClaim(chosen, request.claim)) {
    return {
      rule: "reserved-volume-first",
      wanted: `${name}, reserved for the claim`,
      found: "not reserved",
      foundField: "spec.claimRef",
    };
  }
  const modes = accessModeSet(volume.spec.accessModes);
  const chosenModes = accessModeSet(chosen.spec.accessModes);
  if (request.node === undefined && !deepEqual(chosenModes, modes)) {
    return {
      rule: "fewer-access-modes-first",
      wanted: `${name} with ${shortAccessModes(chosenModes)}`,
      found: shortAccessModes(modes),
      foundField: "spec.accessModes",
    };
  }
  const found = volume.spec.capacity?.["storage"] ?? "0";
  const size = chosen.spec.capacity?.["storage"] ?? "0";
  return {
    rule: compareQuantityTexts(size, found) < 0 ? "smaller-volume-first" : "equal-volume-first",
    wanted: `${name} with ${size}`,
    found,
    foundField: "spec.capacity.storage",
  };
}

/**
 * Counts the rules that a volume fails; 1 if it only fails the preference. A volume that belongs to another claim or is being
 * deleted counts two more, because no edit of the claim frees it.
 */
function distance(
  volume: PersistentVolume,
  request: MatchRequest,
  chosen: PersistentVolume | undefined,
): number {
  let failedCount = 0;
  let isOutOfReach = false;
  eachFailedRule(volume, request, (rule) => {
    failedCount++;
    if (rule === ownOrNoClaimRef || rule === notBeingDeleted) isOutOfReach = true;
  });
  if (failedCount === 0 && chosen !== undefined) return 1;
  return failedCount + (isOutOfReach ? 2 : 0);
}

function byName(a: PersistentVolume, b: PersistentVolume): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
