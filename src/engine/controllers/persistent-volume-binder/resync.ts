/**
 * Every 15 s upstream syncs all claims, then all volumes. Here only those take part whose next sync could do or say
 * something; while there are none the clock is left alone. Upstream: pv_controller_base.go resync v1.36.
 */
import type { Key } from "../../api/meta.ts";
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import type { Instant } from "../../trace/trace.ts";

export const resyncPeriodMs = 15_000;

export class Resync {
  readonly #context: ComponentContext;
  readonly #startedAt: Instant;
  readonly #enqueue: { readonly claim: (key: Key) => void; readonly volume: (key: Key) => void };
  #claims = new Set<Key>();
  #volumes = new Set<Key>();
  #timer: CancelTimer | undefined;

  constructor(
    context: ComponentContext,
    enqueue: { readonly claim: (key: Key) => void; readonly volume: (key: Key) => void },
  ) {
    this.#context = context;
    this.#startedAt = context.now;
    this.#enqueue = enqueue;
  }

  addClaim(key: Key): void {
    this.#claims.add(key);
    this.#arm();
  }

  addVolume(key: Key): void {
    this.#volumes.add(key);
    this.#arm();
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
    for (const key of claims) this.#enqueue.claim(key);
    for (const key of volumes) this.#enqueue.volume(key);
  }
}
