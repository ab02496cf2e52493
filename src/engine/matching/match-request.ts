/** What a claim requires of a volume, computed once for all candidates. */
import { requestedStorage } from "../api/claim-size.ts";
import { withFields } from "../api/json.ts";
import { quantityOrZero } from "../api/quantity.ts";
import type { Labels } from "../api/selection/label-selector.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";

/** Conditions of a search for a matching volume. */
export interface MatchConditions {
  /** Set by the scheduler, which searches for one node at a time; the PV controller searches without a node. */
  readonly node?: { readonly name: string; readonly labels: Labels };
  /** Names of volumes that other claims of the same pod take. */
  readonly excluded?: ReadonlySet<string>;
  /** The claim's class waits for its first consumer: without a node, only a volume reserved for the claim may be bound. */
  readonly delayed: boolean;
  /** The feature gate VolumeAttributesClass. */
  readonly attributesClasses: boolean;
}

export interface MatchRequest extends MatchConditions {
  readonly claim: PersistentVolumeClaim;
  /** In billionths of a byte. */
  readonly size: bigint;
  readonly className: string;
  readonly volumeMode: string;
  readonly attributesClassName: string;
}

export function matchRequest(
  claim: PersistentVolumeClaim,
  conditions: MatchConditions,
): MatchRequest {
  const asked = {
    claim,
    size: sizeOfText(requestedStorage(claim)),
    className: effectiveClassName(claim),
    volumeMode: volumeModeOf(claim),
    attributesClassName: claim.spec.volumeAttributesClassName ?? "",
  };
  return withFields(asked, conditions);
}

export function sizeOf(volume: PersistentVolume): bigint {
  return sizeOfText(volume.spec.capacity?.["storage"]);
}

let lastText: string | undefined;
let lastSize = quantityOrZero(undefined).nanos;

/** Remembers the last result: claims and volumes that are compared mostly have the same size. */
function sizeOfText(text: string | undefined): bigint {
  if (text !== lastText) {
    lastText = text;
    lastSize = quantityOrZero(text).nanos;
  }
  return lastSize;
}

export function volumeModeOf(object: { readonly spec: { readonly volumeMode?: string } }): string {
  return object.spec.volumeMode ?? "Filesystem";
}
