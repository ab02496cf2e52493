/**
 * Events that differ in nothing but their words count as one series, which keeps the words of its first event. So a pod that
 * fails for a second reason before anything about it has changed shows the first one. The series is written when it begins and
 * when it is one, and then every half hour only, however often it has gone on.
 * Upstream: client-go v0.36 tools/events/event_broadcaster.go getKey, recordToSink, refreshExistingEventSeries, finishSeries.
 * Not modelled: what is due is written with the next event of the series; what came after that stays untold when it ends.
 */
import type { Instant } from "../trace/instant.ts";

/** Upstream: finishTime. Every so often all series that have been quiet for as long are forgotten. */
const finishMs = 360_000;
/** Upstream: refreshTime. */
const refreshMs = 1_800_000;

export interface CorrelatedEvent {
  readonly message: string;
  readonly count: number;
}

interface Series {
  readonly message: string;
  count: number;
  lastAt: Instant;
  writtenAt: Instant;
}

export class EventSeries {
  readonly #startedAt: Instant;
  readonly #series = new Map<string, Series>();
  #lookedAt: Instant;

  /** Both kinds of looks at the series recur from the start of the process on. */
  constructor(startedAt: Instant) {
    this.#startedAt = startedAt;
    this.#lookedAt = startedAt;
  }

  /** `key`: all that the events of a series have in common. Undefined where nothing is written. */
  correlate(key: string, message: string, now: Instant): CorrelatedEvent | undefined {
    this.#finish(now);
    const known = this.#series.get(key);
    if (known === undefined) {
      this.#series.set(key, { message, count: 1, lastAt: now, writtenAt: now });
      return { message, count: 1 };
    }
    known.count++;
    known.lastAt = now;
    if (known.count > 2 && known.writtenAt >= this.#lastLook(refreshMs, now)) return undefined;
    known.writtenAt = now;
    return { message: known.message, count: known.count };
  }

  #finish(now: Instant): void {
    const look = this.#lastLook(finishMs, now);
    if (look === this.#lookedAt) return;
    this.#lookedAt = look;
    for (const [key, { lastAt }] of this.#series)
      if (lastAt < look - finishMs) this.#series.delete(key);
  }

  #lastLook(everyMs: number, now: Instant): Instant {
    return now - ((now - this.#startedAt) % everyMs);
  }
}
