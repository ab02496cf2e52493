/**
 * Objects whose request the driver has called infeasible; they are retried rarely.
 * Upstream: external-resizer v2.2 pkg/slowset.
 */
import type { Instant } from "../../trace/instant.ts";
import { slowRetentionMs } from "./flags.ts";

export class SlowSet {
  readonly #addedAt = new Map<string, Instant>();
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** A key that is in the set already keeps its time. */
  add(key: string): void {
    if (this.remainingMs(key) === 0) this.#addedAt.set(key, this.#now());
  }

  remove(key: string): void {
    this.#addedAt.delete(key);
  }

  /** How long the key still has to wait; 0 if it is not in the set. */
  remainingMs(key: string): number {
    const addedAt = this.#addedAt.get(key);
    if (addedAt === undefined) return 0;
    const remaining = addedAt + slowRetentionMs - this.#now();
    if (remaining <= 0) this.#addedAt.delete(key);
    return Math.max(0, remaining);
  }
}
