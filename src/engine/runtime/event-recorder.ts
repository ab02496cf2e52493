/**
 * Counts equal events, combines similar ones and drops spam, so that one busy object does not fill the cluster with events.
 * Upstream: client-go v0.36 tools/record/events_cache.go EventCorrelator (core/v1, everything but the scheduler) and
 * tools/events/event_broadcaster.go (events.k8s.io, the scheduler), where equal events form a series.
 * Not modelled: the LRU limit of 4096 remembered events.
 */
import type { Ref } from "../api/meta.ts";

export interface RecordedEvent {
  readonly about: Ref;
  readonly source: string;
  readonly eventType: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

export interface CorrelatedEvent {
  readonly message: string;
  readonly count: number;
}

/** Upstream: defaultSpamBurst and defaultSpamQPS, per source and object. */
const spamBurst = 25;
const spamRefillMs = 300_000;
/** Upstream: defaultAggregateMaxEvents and defaultAggregateIntervalInSeconds. */
const similarMax = 10;
const similarWindowMs = 600_000;
/** Upstream: finishTime of tools/events; a series that was quiet for so long is over. */
const seriesQuietMs = 360_000;

const combinedPrefix = "(combined from similar events): ";

/** What is remembered of events alike in all but their message. */
interface Similar {
  messages: Set<string>;
  lastAt: number;
}

/** An allowance in milliseconds of refill, so that it stays an integer. */
interface Bucket {
  creditMs: number;
  at: number;
}

interface Series {
  count: number;
  lastAt: number;
}

export class EventRecorder {
  readonly #counts = new Map<string, number>();
  readonly #similar = new Map<string, Similar>();
  readonly #buckets = new Map<string, Bucket>();
  readonly #series = new Map<string, Series>();

  /** What is written of an event: its text and how often it has been seen; undefined where it is dropped as spam. */
  correlate(event: RecordedEvent, nowMs: number): CorrelatedEvent | undefined {
    if (event.source === "default-scheduler") return this.#inSeries(event, nowMs);
    const { message, key } = this.#aggregate(event, nowMs);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return this.#mayPass(event, nowMs) ? { message, count } : undefined;
  }

  /** Upstream: EventAggregator.EventAggregate. The tenth distinct message within the window is combined, and all after it. */
  #aggregate(
    event: RecordedEvent,
    nowMs: number,
  ): { readonly message: string; readonly key: string } {
    const key = `${event.source}\n${event.about}\n${event.eventType}\n${event.reason}`;
    let similar = this.#similar.get(key);
    if (similar === undefined || nowMs - similar.lastAt > similarWindowMs) {
      similar = { messages: new Set(), lastAt: nowMs };
      this.#similar.set(key, similar);
    }
    similar.messages.add(event.message);
    similar.lastAt = nowMs;
    if (similar.messages.size < similarMax)
      return { message: event.message, key: `${key}\n${event.message}` };
    // One is forgotten, so that the set does not grow beyond what is compared.
    for (const oldest of similar.messages) {
      similar.messages.delete(oldest);
      break;
    }
    return { message: combinedPrefix + event.message, key };
  }

  /** Upstream: EventSourceObjectSpamFilter.Filter, a token bucket for each source and object. */
  #mayPass(event: RecordedEvent, nowMs: number): boolean {
    const key = `${event.source}\n${event.about}`;
    const bucket = this.#buckets.get(key) ?? { creditMs: spamBurst * spamRefillMs, at: nowMs };
    bucket.creditMs = Math.min(spamBurst * spamRefillMs, bucket.creditMs + nowMs - bucket.at);
    bucket.at = nowMs;
    this.#buckets.set(key, bucket);
    if (bucket.creditMs < spamRefillMs) return false;
    bucket.creditMs -= spamRefillMs;
    return true;
  }

  /** Nothing is combined or dropped here. */
  #inSeries(event: RecordedEvent, nowMs: number): CorrelatedEvent {
    const key = `${event.about}\n${event.eventType}\n${event.reason}\n${event.message}`;
    const known = this.#series.get(key);
    const goesOn = known !== undefined && nowMs - known.lastAt <= seriesQuietMs;
    const series = { count: goesOn ? known.count + 1 : 1, lastAt: nowMs };
    this.#series.set(key, series);
    return { message: event.message, count: series.count };
  }
}
