/**
 * Upstream syncs all claims, then all volumes, every 15 s. Here only those are synced whose sync could change or record
 * something, and no timer runs while there are none. Upstream: pv_controller_base.go resync v1.36.
 */
import type { Key } from "../../api/meta.ts";
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import type { Instant } from "../../trace/instant.ts";

const resyncPeriodMs = 15_000;

/** How the resync handles one kind of object, claims or volumes. */
export interface ResyncTarget {
  readonly isAtRest: (key: Key) => boolean;
  readonly enqueue: (key: Key) => void;
}

export class Resync {
  readonly #context: ComponentContext;
  readonly #startedAt: Instant;
  readonly #claim: ResyncTarget;
  readonly #volume: ResyncTarget;
  #claims = new Set<Key>();
  #volumes = new Set<Key>();
  #timer: CancelTimer | undefined;

  constructor(context: ComponentContext, claim: ResyncTarget, volume: ResyncTarget) {
    this.#context = context;
    this.#startedAt = context.now;
    this.#claim = claim;
    this.#volume = volume;
  }

  addClaim(key: Key): void {
    this.#claims.add(key);
    this.#arm();
  }

  addVolume(key: Key): void {
    this.#volumes.add(key);
    this.#arm();
  }

  /** Takes both off the list because they are at rest; a change adds them again. */
  leaveOut(claim: Key, volume: Key): void {
    this.#claims.delete(claim);
    this.#volumes.delete(volume);
  }

  #arm(): void {
    if (this.#timer !== undefined) return;
    const elapsed = (this.#context.now - this.#startedAt) % resyncPeriodMs;
    this.#timer = this.#context.after(resyncPeriodMs - elapsed, () => this.#tick());
  }

  #tick(): void {
    const [claims, volumes] = [this.#claims, this.#volumes];
    this.#claims = new Set();
    this.#volumes = new Set();
    this.#timer = undefined;
    for (const key of claims) if (!this.#claim.isAtRest(key)) this.#claim.enqueue(key);
    for (const key of volumes) if (!this.#volume.isAtRest(key)) this.#volume.enqueue(key);
  }
}
