/**
 * Does the work that nobody waits for, in slices. The client's messages are handled between two slices, and after each request the
 * work pauses for a moment.
 */

/** Lets others work: the next turn of the event loop. */
export type Pause = () => Promise<void>;

/** The longest time that a message waits while somebody works with the editor. */
export const sliceMs = 2;
/** The same when nobody has done anything for a while: longer slices, because each turn of the event loop costs something. */
const quietSliceMs = 6;
const quietAfterMs = 2000;
/** Requests come in bursts: an edit or a move of the cursor makes an editor ask several things. */
const restMs = 5;

export class Background {
  /** The next turn of the event loop, after everything that was sent by then has been handled. */
  readonly pause: Pause;
  #askedAt: number = Number.NEGATIVE_INFINITY;
  #activeAt: number = Number.NEGATIVE_INFINITY;
  #workedMs = 0;

  constructor(pause: Pause) {
    this.pause = pause;
  }

  /** To be called for each request of the client. */
  noteRequest(): void {
    this.#askedAt = performance.now();
    this.#activeAt = this.#askedAt;
  }

  /** To be called for each edit. */
  noteEdit(): void {
    this.#activeAt = performance.now();
  }

  /** How long all the work has taken so far, without what was done in between. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** Returns true at the end of the work, false if it has become stale or has taken longer than `forMs`. */
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

  /** The next turn, a little later where the client has just asked something. */
  readonly turn: Pause = async () => {
    await this.pause();
    const waitMs = this.#askedAt + restMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
