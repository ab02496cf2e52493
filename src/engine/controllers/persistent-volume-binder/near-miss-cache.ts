/** Caches the volumes that nearly fit a claim. They serve explanations only: no decision depends on them. */
import { type Key, keyOf } from "../../api/meta.ts";
import type { PersistentVolume } from "../../api/types.ts";
import type { MatchRequest } from "../../matching/match-request.ts";
import { nearMiss, nearMisses } from "../../matching/near-misses.ts";
import type { VolumeInventory } from "../../matching/volume-inventory.ts";
import type { Candidate } from "../../trace/decision.ts";

/** Number of different requests to remember; at this number all of them are dropped. */
const sharedCountMax = 256;

interface Known {
  readonly volume: PersistentVolume;
  readonly candidate: Candidate;
}

export class NearMissCache {
  /** Near misses by claim, for one state of the inventory: a resync without changes compares nothing again. */
  readonly #known = new Map<
    Key,
    { readonly stamp: string; readonly candidates: readonly Candidate[] }
  >();
  /** Candidates by request, then by volume name: most claims request the same as some other claim. */
  readonly #shared = new Map<string, Map<string, Known>>();

  get(inventory: VolumeInventory, request: MatchRequest): readonly Candidate[] {
    const key = keyOf(request.claim);
    const stamp = `${inventory.version} ${request.claim.metadata.resourceVersion} ${request.delayed}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp) return known.candidates;
    const { selector } = request.claim.spec;
    const shared = selector === undefined ? this.#sharedBy(request) : undefined;
    const candidates = nearMisses(inventory, request, undefined, (volume) =>
      // Whether a reserved volume fits depends on the claim's name, so the answer is not shared between claims.
      shared === undefined || volume.spec.claimRef !== undefined
        ? nearMiss(volume, request, undefined)
        : candidateAmong(shared, volume, request),
    );
    this.#known.set(key, { stamp, candidates });
    return candidates;
  }

  forget(key: Key): void {
    this.#known.delete(key);
  }

  #sharedBy(request: MatchRequest): Map<string, Known> {
    const { claim, className, volumeMode, attributesClassName, delayed } = request;
    const { accessModes = [], resources } = claim.spec;
    const size = resources?.requests?.["storage"];
    const modes = accessModes.join("+");
    const asked = [className, size, modes, volumeMode, attributesClassName, delayed].join();
    let shared = this.#shared.get(asked);
    if (shared === undefined) {
      if (this.#shared.size >= sharedCountMax) this.#shared.clear();
      shared = new Map();
      this.#shared.set(asked, shared);
    }
    return shared;
  }
}

function candidateAmong(
  shared: Map<string, Known>,
  volume: PersistentVolume,
  request: MatchRequest,
): Candidate {
  const { name } = volume.metadata;
  const known = shared.get(name);
  if (known?.volume === volume) return known.candidate;
  const candidate = nearMiss(volume, request, undefined);
  shared.set(name, { volume, candidate });
  return candidate;
}
