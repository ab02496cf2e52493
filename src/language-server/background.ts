/**
 * Does background work in slices. Between two slices the client's messages are handled, and after each request the work pauses
 * for a moment.
 */

/** Resolves in the next turn of the event loop, so that others can work. */
export type Pause = () => Promise<void>;

/** Longest time that a message has to wait while somebody is using the editor. */
export const sliceMs = 2;
/** Slices are longer when nothing has happened for a while, because each turn of the event loop costs something. */
const quietSliceMs = 6;
const quietAfterMs = 2000;
/** Requests come in bursts: after an edit or a cursor move an editor asks for several things. */
const restMs = 5;

export class Background {
  /** Resolves in the next turn of the event loop, once everything sent before it has been handled. */
  readonly pause: Pause;
  #askedAt: number = Number.NEGATIVE_INFINITY;
  #activeAt: number = Number.NEGATIVE_INFINITY;
  #workedMs = 0;

  constructor(pause: Pause) {
    this.pause = pause;
  }

  /** Must be called for each request of the client. */
  noteRequest(): void {
    this.#askedAt = performance.now();
    this.#activeAt = this.#askedAt;
  }

  /** Must be called for each edit. */
  noteEdit(): void {
    this.#activeAt = performance.now();
  }

  /** Total time spent on work so far, without the pauses between slices. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** Returns true once the work is done, false if it has become stale or has taken longer than `forMs`. */
  async drive(
    work: Iterator<void>,
    isStale: () => boolean,
    forMs: number = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    let begunAt = performance.now();
    const end = begunAt + forMs;
    for (;;) {
      const isDone = work.next().done === true;
      const now = performance.now();
      const isQuiet = now - this.#activeAt > quietAfterMs;
      if (!isDone && now - begunAt < (isQuiet ? quietSliceMs : sliceMs)) continue;
      this.#workedMs += now - begunAt;
      if (isDone) return true;
      await this.turn();
      if (isStale() || performance.now() > end) return false;
      begunAt = performance.now();
    }
  }

  /** The next turn; a little later if the client has just sent a request. */
  readonly turn: Pause = async () => {
    await this.pause();
    const waitMs = this.#askedAt + restMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
