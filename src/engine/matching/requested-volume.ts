/**
 * Whether a claim may be bound to the volume that it names. Selector, node affinity and phase do not matter here. Upstream:
 * pkg/controller/volume/persistentvolume/pv_controller.go checkVolumeSatisfyClaim v1.36.
 */
import { requestedStorage } from "../api/claim-size.ts";
import { quantityInt64, quantityOrZero } from "../api/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";
import type { FailedRule } from "../trace/decision.ts";
import { matchRequest } from "./match-request.ts";
import {
  largeEnough,
  notBeingDeleted,
  offersModes,
  sameAttributesClass,
  sameClass,
  sameVolumeMode,
  type VolumeRule,
} from "./volume-rules.ts";

export interface Unsuitable {
  /** The first failed check, as worded in the event. */
  readonly why: string;
  /** All failed checks in order: the events report them one at a time. */
  readonly failed: readonly FailedRule[];
}

/** Unlike the matching of volumes, rounds both sides up to whole bytes. */
const largeEnoughInBytes: VolumeRule = {
  ...largeEnough,
  passes: (volume, { claim }) =>
    bytes(volume.spec.capacity?.["storage"]) >= bytes(requestedStorage(claim)),
};

const noAttributesClassAtAll: VolumeRule = {
  ...sameAttributesClass,
  passes: (volume, { attributesClassName }) =>
    attributesClassName === "" && (volume.spec.volumeAttributesClassName ?? "") === "",
};

/** Returns the checks that the volume fails; undefined if it is suitable. */
export function whyUnsuitable(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  attributesClasses: boolean,
): Unsuitable | undefined {
  const request = matchRequest(claim, { delayed: false, attributesClasses });
  const checks: readonly (readonly [VolumeRule, string])[] = [
    [notBeingDeleted, `the volume is marked for deletion "${volume.metadata.name}"`],
    [largeEnoughInBytes, "requested PV is too small"],
    [sameClass, "storageClassName does not match"],
    attributesClasses
      ? [sameAttributesClass, "volumeAttributesClassName does not match"]
      : [
          noAttributesClassAtAll,
          "volumeAttributesClassName is not supported when the feature-gate VolumeAttributesClass is disabled",
        ],
    [sameVolumeMode, "incompatible volumeMode"],
    [offersModes, "incompatible accessMode"],
  ];
  const failing = checks.filter(([rule]) => !rule.passes(volume, request));
  const [first] = failing;
  if (first === undefined) return undefined;
  return { why: first[1], failed: failing.map(([rule]) => rule.explain(volume, request)) };
}

function bytes(text: string | undefined): bigint {
  return quantityInt64(quantityOrZero(text));
}
