/**
 * The rules by which a volume fits a claim. Each has a test, used by the matching, and an explanation of its failure. Upstream:
 * component-helpers v0.36 storage/volume/pv_helpers.go FindMatchingVolume.
 */
import { containsAllModes, shortAccessModes } from "../api/access-modes.ts";
import { requestedStorage } from "../api/claim-size.ts";
import { labelSelectorMatches } from "../api/selection/label-selector.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { LabelSelector, PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";
import type { FailedRule } from "../trace/decision.ts";
import { isVolumeBoundToClaim } from "./claim-reference.ts";
import { type MatchRequest, sizeOf, volumeModeOf } from "./match-request.ts";
import { isReachableFrom, nodeAffinityText } from "./node-affinity.ts";

export interface VolumeRule {
  readonly passes: (volume: PersistentVolume, request: MatchRequest) => boolean;
  readonly explain: (volume: PersistentVolume, request: MatchRequest) => FailedRule;
}

/** Fails if another claim of the same pod has taken the volume. */
const notExcluded: VolumeRule = {
  passes: (volume, { excluded }) => excluded?.has(volume.metadata.name) !== true,
  explain: () => ({
    rule: "taken-by-same-pod",
    wanted: "a volume of its own",
    found: "taken by another claim of the same pod",
  }),
};

export const ownOrNoClaimRef: VolumeRule = {
  passes: (volume, { claim }) =>
    volume.spec.claimRef === undefined || isVolumeBoundToClaim(volume, claim),
  explain: (volume, { claim }) => ({
    rule: "claim-ref",
    wanted: `no claim, or ${claim.metadata.namespace}/${claim.metadata.name}`,
    found: claimRefText(volume, claim),
    foundField: "spec.claimRef",
  }),
};

export const largeEnough: VolumeRule = {
  passes: (volume, { size }) => sizeOf(volume) >= size,
  explain: (volume, { claim }) => ({
    rule: "capacity",
    wanted: requestedStorage(claim) ?? "0",
    wantedField: "spec.resources.requests.storage",
    found: volume.spec.capacity?.["storage"] ?? "0",
    foundField: "spec.capacity.storage",
  }),
};

export const sameVolumeMode: VolumeRule = {
  passes: (volume, { volumeMode }) => volumeModeOf(volume) === volumeMode,
  explain: (volume, { volumeMode }) => ({
    rule: "volume-mode",
    wanted: volumeMode,
    wantedField: "spec.volumeMode",
    found: volumeModeOf(volume),
    foundField: "spec.volumeMode",
  }),
};

export const sameAttributesClass: VolumeRule = {
  passes: (volume, { attributesClasses, attributesClassName }) =>
    (volume.spec.volumeAttributesClassName ?? "") ===
    (attributesClasses ? attributesClassName : ""),
  explain: (volume, { attributesClassName }) => ({
    rule: "volume-attributes-class",
    wanted: attributesClassName,
    wantedField: "spec.volumeAttributesClassName",
    found: volume.spec.volumeAttributesClassName ?? "",
    foundField: "spec.volumeAttributesClassName",
  }),
};

export const notBeingDeleted: VolumeRule = {
  passes: (volume) => volume.metadata.deletionTimestamp === undefined,
  explain: (volume) => ({
    rule: "deletion",
    wanted: "a volume that is not being deleted",
    found: `being deleted since ${volume.metadata.deletionTimestamp ?? ""}`,
    foundField: "metadata.deletionTimestamp",
  }),
};

/** Without a node, the PV controller leaves volumes of a class that waits for its first consumer to the scheduler. */
const notDelayed: VolumeRule = {
  passes: (_, { node, delayed }) => node !== undefined || !delayed,
  explain: (_, { className }) => ({
    rule: "delayed-binding",
    wanted: `a volume reserved for the claim, as class "${className}" waits for the first consumer`,
    wantedField: "spec.storageClassName",
    found: "not reserved for the claim",
  }),
};

const available: VolumeRule = {
  passes: (volume) => volume.status?.phase === "Available",
  explain: (volume) => ({
    rule: "phase",
    wanted: "Available",
    found: volume.status?.phase ?? "",
    foundField: "status.phase",
  }),
};

const selected: VolumeRule = {
  passes: (volume, { claim }) =>
    claim.spec.selector === undefined ||
    labelSelectorMatches(claim.spec.selector, volume.metadata.labels),
  explain: (volume, { claim }) => ({
    rule: "selector",
    wanted: selectorText(claim.spec.selector),
    wantedField: "spec.selector",
    found: labelsText(volume.metadata.labels),
    foundField: "metadata.labels",
  }),
};

export const sameClass: VolumeRule = {
  passes: (volume, { className }) => effectiveClassName(volume) === className,
  explain: (volume, { className }) => ({
    rule: "storage-class",
    wanted: className,
    wantedField: "spec.storageClassName",
    found: effectiveClassName(volume),
    foundField: "spec.storageClassName",
  }),
};

const reachable: VolumeRule = {
  passes: (volume, { node }) => node === undefined || isReachableFrom(volume, node.labels),
  explain: (volume, { node }) => ({
    rule: "node-affinity",
    wanted: `reachable from node ${node?.name ?? ""}`,
    found: nodeAffinityText(volume),
    foundField: "spec.nodeAffinity",
  }),
};

export const offersModes: VolumeRule = {
  passes: (volume, { claim }) => containsAllModes(volume.spec.accessModes, claim.spec.accessModes),
  explain: (volume, { claim }) => ({
    rule: "access-modes",
    wanted: shortAccessModes(claim.spec.accessModes),
    wantedField: "spec.accessModes",
    found: shortAccessModes(volume.spec.accessModes),
    foundField: "spec.accessModes",
  }),
};

/** Rules for every volume. */
export const rulesForAll: readonly VolumeRule[] = [
  notExcluded,
  ownOrNoClaimRef,
  largeEnough,
  sameVolumeMode,
  sameAttributesClass,
  notBeingDeleted,
];

/** Rules that a volume reserved for the claim need not pass. */
export const rulesForUnreserved: readonly VolumeRule[] = [
  notDelayed,
  available,
  selected,
  sameClass,
  reachable,
  offersModes,
];

const reservedAskedByController: readonly VolumeRule[] = [offersModes];
const reservedAskedByScheduler: readonly VolumeRule[] = [sameClass, reachable];

/**
 * Visits every rule that the volume fails. For a volume of another claim the phase is skipped, because it follows from that.
 */
export function eachFailedRule(
  volume: PersistentVolume,
  request: MatchRequest,
  visit: (rule: VolumeRule) => void,
): void {
  const reserved = isVolumeBoundToClaim(volume, request.claim);
  const taken = !ownOrNoClaimRef.passes(volume, request);
  // The PV controller searches only groups with the wanted modes; the scheduler searches only the claim's class.
  const forReserved =
    request.node === undefined ? reservedAskedByController : reservedAskedByScheduler;
  for (const rule of rulesForAll) if (!rule.passes(volume, request)) visit(rule);
  for (const rule of reserved ? forReserved : rulesForUnreserved)
    if (!(taken && rule === available) && !rule.passes(volume, request)) visit(rule);
}

/** Names the uid only if it is the sole difference from the claim. */
function claimRefText({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): string {
  const { namespace = "", name = "", uid = "" } = spec.claimRef ?? {};
  const isNamesake = namespace === metadata.namespace && name === metadata.name;
  return isNamesake && uid !== "" ? `${namespace}/${name} with uid ${uid}` : `${namespace}/${name}`;
}

function selectorText(selector: LabelSelector | undefined): string {
  const equal = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  const expressions = (selector?.matchExpressions ?? []).map((e) =>
    e.values === undefined || e.values.length === 0
      ? `${e.key} ${e.operator}`
      : `${e.key} ${e.operator} (${e.values.join(", ")})`,
  );
  return [...equal, ...expressions].join(", ");
}

function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "no labels" : pairs.join(", ");
}
