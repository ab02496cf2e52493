/**
 * Reserves chosen volumes before the choice is written, so that the next pod does not get them too.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go AssumePodVolumes. Not modeled: the scorer (gate
 * StorageCapacityScoring, off by default).
 */
import { keyOf } from "../../api/meta.ts";
import type { StorageClass } from "../../api/types.ts";
import { annotation, withAnnotations } from "../../matching/annotations.ts";
import { withClaimRef } from "../../matching/volume-binding.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { hasVolumeAttributesClasses } from "../../version-differences.ts";
import type { PodClaims } from "./pod-claims.ts";
import { type PlanParts, PodVolumePlan, type PodVolumes } from "./pod-volume-plan.ts";
import type { CapacityCheck } from "./storage-capacity.ts";
import type { VolumeCaches } from "./volume-caches.ts";

export class VolumeBinder {
  readonly #caches: VolumeCaches;
  readonly #parts: PlanParts;

  constructor(
    version: KubernetesVersion,
    caches: VolumeCaches,
    classOf: (name: string) => StorageClass | undefined,
    capacityCheck: CapacityCheck,
  ) {
    this.#caches = caches;
    const attributesClasses = hasVolumeAttributesClasses(version);
    this.#parts = { caches, classOf, capacityCheck, attributesClasses };
  }

  plan(claims: PodClaims): PodVolumePlan {
    return new PodVolumePlan(this.#parts, claims);
  }

  /** Assumes the choice in the caches and returns the objects to be written. */
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
}
