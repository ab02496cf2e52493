/**
 * Does work that nobody waits for in slices. Whatever the client has sent is handled between two of them, and for a moment
 * after each request the work rests.
 */

/** Lets others work: the next turn of the event loop. */
export type Pause = () => Promise<void>;

/** The longest that a message waits for its turn while somebody works with the editor. */
export const sliceMs = 2;
/** The longest where nobody has done anything for a while: each turn of the event loop has its price. */
const quietSliceMs = 6;
const quietAfterMs = 2000;
/** Requests come in bursts: an edit or a move of the cursor makes an editor ask several things. */
const restMs = 5;

export class Background {
  /** The next turn of the event loop, after all that has been sent by then. */
  readonly pause: Pause;
  #askedAt: number = Number.NEGATIVE_INFINITY;
  #activeAt: number = Number.NEGATIVE_INFINITY;
  #workedMs = 0;

  constructor(pause: Pause) {
    this.pause = pause;
  }

  /** The client has asked something. */
  noteRequest(): void {
    this.#askedAt = performance.now();
    this.#activeAt = this.#askedAt;
  }

  /** Somebody types. */
  noteEdit(): void {
    this.#activeAt = performance.now();
  }

  /** What all the work that was driven has taken, without the turns of others in between. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** True at the end of the work, false where it is stale or its time is up. */
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
