/**
 * Running volume operations, and failed ones that are in back-off. Upstream: pkg/volume/util/nestedpendingoperations and
 * pkg/util/goroutinemap/exponentialbackoff v1.36; attach-detach controller and kubelet each have one.
 */
import type { Instant } from "../trace/instant.ts";

/** What an operation is about. An empty pod or node stands for all of them. */
export interface OperationKey {
  readonly volume: string;
  readonly pod: string;
  readonly node: string;
}

const firstDelayMs = 500;
const delayMsMax = 122_000;

interface Entry {
  key: OperationKey;
  operation: string;
  pending: boolean;
  /** 0 if the last run did not fail. */
  delayMs: number;
  failedAt: Instant;
}

export class PendingOperations {
  readonly #now: () => Instant;
  readonly #byVolume = new Map<string, Entry[]>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Notes the start of an operation; false if another one is running or the last failure is too recent. */
  begin(key: OperationKey, operation: string): boolean {
    const entry = this.#find(key);
    if (entry === undefined) {
      const entries = this.#byVolume.get(key.volume);
      const started = { key, operation, pending: true, delayMs: 0, failedAt: 0 };
      if (entries === undefined) this.#byVolume.set(key.volume, [started]);
      else entries.push(started);
      return true;
    }
    if (entry.pending || this.#waits(entry, operation)) return false;
    if (this.#now() < entry.failedAt + entry.delayMs) {
      // A different operation ignores and resets the back-off of its predecessor.
      entry.operation = operation;
      entry.delayMs = 0;
    }
    entry.key = key;
    entry.pending = true;
    return true;
  }

  /** Notes the end of an operation that `begin` started. A success clears the back-off. */
  end(key: OperationKey, ok: boolean): void {
    const entries = this.#byVolume.get(key.volume) ?? [];
    const at = entries.findIndex((e) => e.pending && matches(e.key, key));
    const entry = entries[at];
    if (entry === undefined) return;
    if (ok) {
      entries.splice(at, 1);
      if (entries.length === 0) this.#byVolume.delete(key.volume);
      return;
    }
    entry.pending = false;
    entry.delayMs = entry.delayMs === 0 ? firstDelayMs : Math.min(entry.delayMs * 2, delayMsMax);
    entry.failedAt = this.#now();
  }

  isPending(key: OperationKey): boolean {
    return (this.#byVolume.get(key.volume) ?? []).some((e) => e.pending && matches(e.key, key));
  }

  isSafeToRetry(key: OperationKey, operation: string): boolean {
    const entry = this.#find(key);
    return entry === undefined || !(entry.pending || this.#waits(entry, operation));
  }

  /** Returns when `operation` may run again; undefined while one is running or if nothing holds it back. */
  retryAt(key: OperationKey, operation: string): Instant | undefined {
    const entry = this.#find(key);
    if (entry === undefined || entry.pending || !this.#waits(entry, operation)) return undefined;
    return entry.failedAt + entry.delayMs;
  }

  #waits(entry: Entry, operation: string): boolean {
    return entry.operation === operation && this.#now() < entry.failedAt + entry.delayMs;
  }

  /** Finds the matching entry: a running one first, then an exact match, then the first. */
  #find(key: OperationKey): Entry | undefined {
    let found: Entry | undefined;
    for (const entry of this.#byVolume.get(key.volume) ?? []) {
      if (!matches(entry.key, key)) continue;
      if (entry.pending) return entry;
      const exact = entry.key.pod === key.pod && entry.key.node === key.node;
      if (found === undefined || exact) found = entry;
    }
    return found;
  }
}

function matches(a: OperationKey, b: OperationKey): boolean {
  const alike = (x: string, y: string): boolean => x === "" || y === "" || x === y;
  return alike(a.pod, b.pod) && alike(a.node, b.node);
}
