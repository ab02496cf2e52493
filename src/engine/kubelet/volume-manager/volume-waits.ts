/**
 * Waits for a pod's volumes to be mounted or unmounted: polls each 300 ms, for 123 s at most. Skips polls at which nothing can
 * have changed. Upstream: volume_manager.go podAttachAndMountRetryInterval, podAttachAndMountTimeout, and kubelet.go
 * SyncTerminatedPod v1.36.
 */
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import type { Instant } from "../../trace/instant.ts";

/** The interval of polls, and for how long; without `limitMs` until they succeed. */
interface Pace {
  readonly pollMs: number;
  readonly limitMs?: number;
}

const mountPace: Pace = { pollMs: 300, limitMs: 123_000 };
/** How SyncTerminatedPod waits for volumes that may still be mounted. */
export const cleanUpPace: Pace = { pollMs: 100 };

/** Why the wait for a pod's volumes failed. */
export interface WaitFailure {
  readonly error: string;
  /** True if the wait took too long, which makes no event. */
  readonly isTimeout: boolean;
  /** Pod volumes that were not attached yet. */
  readonly unattached: readonly string[];
}

export type Waited = (failure: WaitFailure | undefined) => void;

/** Checks the volumes; undefined means: go on waiting. `isLate`: this check is the last. */
export type Look = (isLate: boolean) => { readonly failure: WaitFailure | undefined } | undefined;

interface Waiter {
  readonly podUid: string;
  readonly since: Instant;
  readonly pace: Pace;
  readonly look: Look;
  readonly done: Waited;
  cancelLimit: CancelTimer | undefined;
  isPollDue: boolean;
  isOver: boolean;
}

export class VolumeWaits {
  readonly #context: ComponentContext;
  readonly #waiters = new Map<string, Waiter>();

  constructor(context: ComponentContext) {
    this.#context = context;
  }

  /** Calls `done` once, now or at a later poll; the returned function cancels the wait. */
  wait(podUid: string, done: Waited, look: Look, pace: Pace = mountPace): () => void {
    const first = look(false);
    if (first !== undefined) {
      done(first.failure);
      return () => {};
    }
    const since = this.#context.now;
    const waiter: Waiter = {
      podUid,
      since,
      pace,
      look,
      done,
      cancelLimit: undefined,
      isPollDue: false,
      isOver: false,
    };
    this.#waiters.set(podUid, waiter);
    if (pace.limitMs !== undefined) {
      waiter.cancelLimit = this.#context.after(pace.limitMs, () => this.#poll(waiter));
    }
    return () => this.#end(waiter);
  }

  /** Something has changed for the pod: its waiter checks again when its next poll is due. */
  notify(podUid: string): void {
    const waiter = this.#waiters.get(podUid);
    if (waiter === undefined || waiter.isPollDue) return;
    waiter.isPollDue = true;
    const waited = this.#context.now - waiter.since;
    const { pollMs } = waiter.pace;
    this.#context.after(pollMs - (waited % pollMs), () => {
      waiter.isPollDue = false;
      this.#poll(waiter);
    });
  }

  #poll(waiter: Waiter): void {
    if (waiter.isOver) return;
    const { limitMs = Number.POSITIVE_INFINITY } = waiter.pace;
    const answer = waiter.look(this.#context.now - waiter.since >= limitMs);
    if (answer === undefined) return;
    this.#end(waiter);
    waiter.done(answer.failure);
  }

  #end(waiter: Waiter): void {
    waiter.isOver = true;
    waiter.cancelLimit?.();
    if (this.#waiters.get(waiter.podUid) === waiter) this.#waiters.delete(waiter.podUid);
  }
}
