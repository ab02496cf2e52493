/**
 * How the claims of a pod could be served on a node: by volumes that exist, or by new ones.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go FindPodVolumes, AssumePodVolumes. Not modelled: the scorer
 * (gate StorageCapacityScoring, off by default).
 */
import type { Labels } from "../../api/label-selector.ts";
import { keyOf } from "../../api/meta.ts";
import { topologyTermsMatch } from "../../api/node-selector.ts";
import { quantityOrZero } from "../../api/quantity.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "../../api/types.ts";
import {
  annotation,
  annotationOf,
  hasAnnotation,
  withAnnotations,
} from "../../matching/annotations.ts";
import { matchRequest } from "../../matching/match-request.ts";
import { isReachableFrom } from "../../matching/node-affinity.ts";
import { noProvisioner } from "../../matching/storage-class.ts";
import { withClaimRef } from "../../matching/volume-binding.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { hasVolumeAttributesClasses } from "../../version-differences.ts";
import type { PodClaims } from "./pod-claims.ts";
import type { HasEnoughCapacity } from "./storage-capacity.ts";
import type { VolumeCaches } from "./volume-caches.ts";

/** Why a node cannot serve the claims. */
export type VolumeConflict = "unreachable" | "nothing-to-bind" | "no-capacity" | "volume-missing";

export interface StaticBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** What has to be written for a pod to run on a node. */
export interface PodVolumes {
  readonly bindings: readonly StaticBinding[];
  /** Claims that a provisioner makes a volume for. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

export type NodeVolumes =
  | { readonly ok: true; readonly volumes: PodVolumes }
  /** In the order in which upstream reports them; the volume or claim that each is about. */
  | { readonly ok: false; readonly conflicts: readonly Conflict[] };

export interface Conflict {
  readonly conflict: VolumeConflict;
  readonly claim: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
}

const nothingToDo: NodeVolumes = { ok: true, volumes: { bindings: [], provisions: [] } };
const noLabels: Labels = {};

export class VolumeBinder {
  readonly #caches: VolumeCaches;
  readonly #classOf: (name: string) => StorageClass | undefined;
  readonly #hasEnoughCapacity: HasEnoughCapacity;
  readonly #attributesClasses: boolean;

  constructor(
    version: KubernetesVersion,
    caches: VolumeCaches,
    classOf: (name: string) => StorageClass | undefined,
    hasEnoughCapacity: HasEnoughCapacity,
  ) {
    this.#caches = caches;
    this.#classOf = classOf;
    this.#hasEnoughCapacity = hasEnoughCapacity;
    this.#attributesClasses = hasVolumeAttributesClasses(version);
  }

  find(claims: PodClaims, node: Node): NodeVolumes {
    const ofBound = this.#boundConflict(claims.bound, node);
    const unbound = claims.delayed.length === 0 ? nothingToDo : this.#findForUnbound(claims, node);
    if (ofBound === undefined) return unbound;
    const ofUnbound = unbound.ok ? [] : unbound.conflicts;
    return {
      ok: false,
      conflicts:
        ofBound.conflict === "unreachable" ? [ofBound, ...ofUnbound] : [...ofUnbound, ofBound],
    };
  }

  /** Takes the volumes for chosen, before anything is written. Returns what is to be written. */
  assume(volumes: PodVolumes, nodeName: string): PodVolumes {
    const bindings = volumes.bindings.map(({ claim, volume }) => {
      const reserved = withClaimRef(volume, claim);
      if (reserved !== volume) this.#caches.assumeVolume(reserved);
      return { claim, volume: reserved };
    });
    const provisions = volumes.provisions.map((claim) => {
      const selected = withAnnotations(claim, { [annotation.selectedNode]: nodeName });
      this.#caches.assumeClaim(selected);
      return selected;
    });
    return { bindings, provisions };
  }

  /** Upstream: RevertAssumedPodVolumes. */
  revert(volumes: PodVolumes): void {
    for (const { volume } of volumes.bindings) this.#caches.restoreVolume(volume.metadata.name);
    for (const claim of volumes.provisions) this.#caches.restoreClaim(keyOf(claim));
  }

  /** Upstream: checkBoundClaims. Stops at the first claim whose volume is out of reach. */
  #boundConflict(claims: readonly PersistentVolumeClaim[], node: Node): Conflict | undefined {
    for (const claim of claims) {
      const volume = this.#caches.volume(claim.spec.volumeName ?? "");
      if (volume === undefined) return { conflict: "volume-missing", claim };
      if (!isReachableFrom(volume, node.metadata.labels))
        return { conflict: "unreachable", claim, volume };
    }
    return undefined;
  }

  #findForUnbound({ delayed }: PodClaims, node: Node): NodeVolumes {
    const toProvision: PersistentVolumeClaim[] = [];
    const toMatch: PersistentVolumeClaim[] = [];
    for (const claim of delayed) {
      if (!hasAnnotation(claim, annotation.selectedNode)) toMatch.push(claim);
      else if (annotationOf(claim, annotation.selectedNode) === node.metadata.name)
        toProvision.push(claim);
      else return { ok: false, conflicts: [{ conflict: "nothing-to-bind", claim }] };
    }
    const bindings = this.#match(toMatch, node);
    const served = new Set(bindings.map(({ claim }) => claim));
    for (const claim of bySize(toMatch)) if (!served.has(claim)) toProvision.push(claim);
    for (const claim of toProvision) {
      const conflict = this.#provisionConflict(claim, node);
      if (conflict !== undefined) return { ok: false, conflicts: [{ conflict, claim }] };
    }
    return { ok: true, volumes: { bindings, provisions: toProvision } };
  }

  /** Upstream: findMatchingVolumes. The smallest claim chooses first; a volume serves one claim of the pod. */
  #match(claims: readonly PersistentVolumeClaim[], node: Node): readonly StaticBinding[] {
    const bindings: StaticBinding[] = [];
    const excluded = new Set<string>();
    for (const claim of bySize(claims)) {
      const request = matchRequest(claim, {
        node: { name: node.metadata.name, labels: node.metadata.labels ?? noLabels },
        excluded,
        delayed: true,
        attributesClasses: this.#attributesClasses,
      });
      const { node: where } = request;
      if (where === undefined) continue;
      const volume = this.#caches.inventory.findForNode({ ...request, node: where });
      if (volume === undefined) continue;
      bindings.push({ claim, volume });
      excluded.add(volume.metadata.name);
    }
    return bindings;
  }

  /** Upstream: checkVolumeProvisions. */
  #provisionConflict(claim: PersistentVolumeClaim, node: Node): VolumeConflict | undefined {
    const storageClass = this.#classOf(effectiveClassName(claim));
    const provisioner = storageClass?.provisioner ?? "";
    if (storageClass === undefined || provisioner === "" || provisioner === noProvisioner)
      return "nothing-to-bind";
    if (!topologyTermsMatch(storageClass.allowedTopologies, node.metadata.labels))
      return "nothing-to-bind";
    return this.#hasEnoughCapacity(claim, storageClass, node) ? undefined : "no-capacity";
  }
}

function bySize(claims: readonly PersistentVolumeClaim[]): readonly PersistentVolumeClaim[] {
  if (claims.length < 2) return claims;
  const size = (claim: PersistentVolumeClaim): bigint =>
    quantityOrZero(claim.spec.resources?.requests?.["storage"]).nanos;
  return claims.toSorted((a, b) => (size(a) < size(b) ? -1 : size(a) > size(b) ? 1 : 0));
}
