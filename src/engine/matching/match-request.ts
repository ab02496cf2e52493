/** What a claim asks of a volume, worked out once for all the candidates. */
import { requestedStorage } from "../api/claim-size.ts";
import { withFields } from "../api/json.ts";
import { quantityOrZero } from "../api/quantity.ts";
import type { Labels } from "../api/selection/label-selector.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";

/** Where and under which conditions a match is looked for. */
export interface MatchConditions {
  /** The scheduler asks for one node; the PV controller for none. */
  readonly node?: { readonly name: string; readonly labels: Labels };
  /** Names of volumes that other claims of the same pod have taken. */
  readonly excluded?: ReadonlySet<string>;
  /** The claim's class waits for a first consumer, so that only a volume reserved for it may be bound without a node. */
  readonly delayed: boolean;
  /** The feature gate VolumeAttributesClass. */
  readonly attributesClasses: boolean;
}

export interface MatchRequest extends MatchConditions {
  readonly claim: PersistentVolumeClaim;
  /** Billionths of bytes. */
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

/** Claims and volumes that are compared mostly have the same size. */
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
