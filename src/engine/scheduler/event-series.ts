/**
 * Events that differ in nothing but their words count as one series, and the series keeps the words of its first event. So a
 * pod that fails for a second reason before anything about it has changed shows the first one.
 * Upstream: client-go v0.36 tools/events/event_broadcaster.go getKey, recordToSink, finishSeries. Only the scheduler uses this recorder.
 */
import type { ObjectMeta } from "../api/types.ts";
import type { Instant } from "../trace/instant.ts";

const seriesMs = 360_000;

interface Series {
  readonly words: string;
  lastAt: Instant;
}

export class EventSeries {
  /** By what the events have in common; the oldest series first. */
  readonly #series = new Map<string, Series>();

  /** The words under which an event about this version of an object is recorded. */
  wordsOf(
    { uid, resourceVersion }: ObjectMeta,
    reason: string,
    words: string,
    now: Instant,
  ): string {
    const key = `${uid ?? ""} ${resourceVersion ?? ""} ${reason}`;
    const known = this.#series.get(key);
    if (known !== undefined && now - known.lastAt <= seriesMs) {
      known.lastAt = now;
      return known.words;
    }
    this.#forgetBefore(now - seriesMs);
    this.#series.delete(key);
    this.#series.set(key, { words, lastAt: now });
    return words;
  }

  #forgetBefore(instant: Instant): void {
    for (const [key, { lastAt }] of this.#series) {
      if (lastAt >= instant) return;
      this.#series.delete(key);
    }
  }
}
