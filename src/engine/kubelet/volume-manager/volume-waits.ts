/**
 * Waiting for a pod's volumes to be mounted or unmounted: polls of 300 ms, 123 s at most. A poll at which nothing can have
 * changed is left out. Upstream: volume_manager.go podAttachAndMountRetryInterval, podAttachAndMountTimeout, and kubelet.go
 * SyncTerminatedPod v1.36.
 */
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import type { Instant } from "../../trace/instant.ts";

/** How often is looked, and for how long; without a limit until it is so. */
interface Pace {
  readonly pollMs: number;
  readonly limitMs?: number;
}

const mountPace: Pace = { pollMs: 300, limitMs: 123_000 };
/** How SyncTerminatedPod waits for what may be mounted yet. */
export const cleanUpPace: Pace = { pollMs: 100 };

/** Why waiting for a pod's volumes ended without them. */
export interface WaitFailure {
  readonly error: string;
  /** Nobody is told of a wait that just took too long. */
  readonly isTimeout: boolean;
  /** Pod volumes that were not even attached. */
  readonly unattached: readonly string[];
}

export type Waited = (failure: WaitFailure | undefined) => void;

/** What a look at the volumes gives; undefined: go on waiting. `isLate`: this look is the last. */
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

  /** Calls back once, now or at a later poll; the answer cancels the wait. */
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

  /** Something has changed for the pod: its waiter looks again when its next poll is due. */
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
