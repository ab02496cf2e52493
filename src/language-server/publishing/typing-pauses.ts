/** Notes when each environment was edited, and waits for a pause in typing after that. */

/** A preview waits this long during fast typing, so that the client's requests after a keystroke come first. */
const previewHoldMs = 20;
const typesOnMs = 250;
/** A held key repeats faster than this: nobody reads findings in between. */
const heldKeyMs = 45;

interface Edits {
  readonly lastAt: number;
  /** The time between the last two edits. */
  readonly betweenMs: number;
}

export class TypingPauses {
  readonly #edits = new Map<string, Edits>();
  /** By environment: ends the wait, so that its length is computed again. */
  readonly #wake = new Map<string, () => void>();

  noteEdit(id: string): void {
    const now = performance.now();
    const betweenMs = now - (this.#edits.get(id)?.lastAt ?? Number.NEGATIVE_INFINITY);
    this.#edits.set(id, { lastAt: now, betweenMs });
  }

  forget(id: string): void {
    this.#edits.delete(id);
  }

  /** How long after an edit its preview begins. */
  previewHoldMs(id: string): number {
    const { betweenMs = Number.POSITIVE_INFINITY } = this.#edits.get(id) ?? {};
    if (betweenMs < heldKeyMs) return heldKeyMs;
    return betweenMs < typesOnMs ? previewHoldMs : 0;
  }

  /** Resolves to true once the last edit is `pauseMs` ago, or if there was none; to false once the wait is stale. */
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

  /** Recomputes the length of the waits in one environment, or in all. */
  askAgain(id?: string): void {
    if (id !== undefined) this.#wake.get(id)?.();
    else for (const wake of this.#wake.values()) wake();
  }
}
