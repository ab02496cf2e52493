/** When each environment was edited, and the wait for a pause in typing after that. */

/** While keys follow each other a preview waits this long: what a client asks after a key comes first. */
const previewHoldMs = 20;
const typesOnMs = 250;
/** A key that is held down comes again after less than this: nobody reads what is said in between. */
const heldKeyMs = 45;

interface Edits {
  readonly lastAt: number;
  /** Between the last two of them. */
  readonly betweenMs: number;
}

export class TypingPauses {
  readonly #edits = new Map<string, Edits>();
  /** Ends the wait of each environment that waits, to ask once more how long it should be. */
  readonly #wake = new Map<string, () => void>();

  noteEdit(id: string): void {
    const now = performance.now();
    const betweenMs = now - (this.#edits.get(id)?.lastAt ?? Number.NEGATIVE_INFINITY);
    this.#edits.set(id, { lastAt: now, betweenMs });
  }

  forget(id: string): void {
    this.#edits.delete(id);
  }

  /** How long after an edit a preview of it begins. */
  previewHoldMs(id: string): number {
    const { betweenMs = Number.POSITIVE_INFINITY } = this.#edits.get(id) ?? {};
    if (betweenMs < heldKeyMs) return heldKeyMs;
    return betweenMs < typesOnMs ? previewHoldMs : 0;
  }

  /** Resolves once the last edit is `pauseMs` ago, at once where there was none; to false where the wait has become stale. */
  async pause(id: string, pauseMs: () => number, isStale: () => boolean): Promise<boolean> {
    for (;;) {
      if (isStale()) return false;
      const { lastAt = Number.NEGATIVE_INFINITY } = this.#edits.get(id) ?? {};
      const waitMs = lastAt + pauseMs() - performance.now();
      if (waitMs <= 0) return true;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#wake.set(id, () => {
          clearTimeout(timer);
          resolve();
        });
      });
      this.#wake.delete(id);
    }
  }

  /** Has whoever waits ask again how long to wait: for a pause in one environment, or in any. */
  askAgain(id?: string): void {
    if (id !== undefined) this.#wake.get(id)?.();
    else for (const wake of this.#wake.values()) wake();
  }
}
