/**
 * Events that differ only in their message form a series, which keeps the message of the first one. So a pod that fails for a
 * second reason before anything about it has changed still shows the first reason. A series is written at its first and second
 * event, and then every half hour, however many events follow.
 * Upstream: client-go v0.36 tools/events/event_broadcaster.go getKey, recordToSink, refreshExistingEventSeries, finishSeries.
 * Not modeled: the half-hourly write comes with the next event of the series instead, and events after the last write are not
 * written when the series ends.
 */
import type { Instant } from "../trace/instant.ts";

/** Upstream: finishTime. Series that have been quiet for this long are forgotten, at checks this far apart. */
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

  /** Both periods are counted from the start of the process. */
  constructor(startedAt: Instant) {
    this.#startedAt = startedAt;
    this.#lookedAt = startedAt;
  }

  /** `key` is what all events of the series have in common. Returns undefined if nothing is written. */
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
