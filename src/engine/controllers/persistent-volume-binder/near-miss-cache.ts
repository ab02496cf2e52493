/** The volumes that a claim came near to, kept for the claim's next sync; for explanations only. */
import { type Key, keyOf } from "../../api/meta.ts";
import type { MatchRequest } from "../../matching/match-request.ts";
import { nearMisses } from "../../matching/near-misses.ts";
import type { VolumeInventory } from "../../matching/volume-inventory.ts";
import type { Candidate } from "../../trace/decision.ts";

/** Near misses of a claim as of one state of the inventory: a resync that finds nothing new compares nothing anew. */
export class NearMissCache {
  readonly #known = new Map<
    Key,
    { readonly stamp: string; readonly candidates: readonly Candidate[] }
  >();

  get(inventory: VolumeInventory, request: MatchRequest): readonly Candidate[] {
    const key = keyOf(request.claim);
    const stamp = `${inventory.version} ${request.claim.metadata.resourceVersion} ${request.delayed}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp) return known.candidates;
    const candidates = nearMisses(inventory, request, undefined);
    this.#known.set(key, { stamp, candidates });
    return candidates;
  }

  forget(key: Key): void {
    this.#known.delete(key);
  }
}
