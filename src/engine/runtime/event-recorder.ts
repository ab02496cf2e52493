/**
 * Counts equal events, combines similar ones and drops spam, so that one busy object does not fill the cluster with events.
 * Upstream: client-go v0.36 tools/record/events_cache.go EventCorrelator (core/v1). The scheduler uses events.k8s.io, whose
 * events form series.
 * Not modeled: the LRU limit of 4096 remembered events.
 */
import type { Ref } from "../api/meta.ts";
import { combinedPrefix } from "../trace/event-key.ts";
import type { Instant } from "../trace/instant.ts";
import { type CorrelatedEvent, EventSeries } from "./event-series.ts";

export interface RecordedEvent {
  readonly about: Ref;
  /** How many objects had that name before this one: events are about a uid, so those of earlier objects do not count. */
  readonly predecessors: number;
  readonly source: string;
  readonly eventType: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The pod's container that the event is about: equal events of two containers are not one. */
  readonly container?: string | undefined;
  /** What all events of a series share: the object's version and the related object. */
  readonly series?: string | undefined;
}

/** Upstream: defaultSpamBurst and defaultSpamQPS, per source, object and type. */
const spamBurst = 25;
const spamRefillMs = 300_000;
/** Upstream: defaultAggregateMaxEvents and defaultAggregateIntervalInSeconds. */
const similarMax = 10;
const similarWindowMs = 600_000;

/**
 * What is remembered of events that differ only in their message. There are many of these records; nearly all have one message.
 */
interface Similar {
  readonly reason: string;
  /** The first message, the container it is about, and how often it has come as long as it is the only one. */
  readonly message: string;
  readonly container: string | undefined;
  count: number;
  lastAt: number;
  /** From the second message on. */
  several: Several | undefined;
  /** The next record of the same object, source and type. */
  readonly next: Similar | undefined;
}

interface Several {
  /** Distinct messages within the window, the oldest first. */
  messages: string[];
  readonly counts: Count[];
  combinedCount: number;
}

interface Count {
  readonly message: string;
  readonly container: string | undefined;
  count: number;
}

/** What is remembered of one object's events of one type from one source. */
interface Told {
  readonly predecessors: number;
  similar: Similar | undefined;
  /** The content of the token bucket, in milliseconds of refill so that it stays an integer. */
  creditMs: number;
  creditAt: number;
}

export class EventRecorder {
  /** By type and source, then by object. */
  readonly #told: Readonly<Record<RecordedEvent["eventType"], Map<string, Map<Ref, Told>>>> = {
    Normal: new Map(),
    Warning: new Map(),
  };
  readonly #series: EventSeries;

  constructor(startedAt: Instant) {
    this.#series = new EventSeries(startedAt);
  }

  /** Returns the message and count to write for an event; undefined if nothing is written. */
  correlate(event: RecordedEvent, nowMs: number): CorrelatedEvent | undefined {
    const { about, predecessors, source, eventType, reason, message, series } = event;
    if (series !== undefined) {
      const key = `${about}\n${predecessors}\n${eventType}\n${reason}\n${series}`;
      return this.#series.correlate(key, message, nowMs);
    }
    const ofType = this.#told[eventType];
    let bySource = ofType.get(source);
    if (bySource === undefined) ofType.set(source, (bySource = new Map()));
    let told = bySource.get(about);
    if (told?.predecessors !== predecessors) {
      told = {
        predecessors,
        similar: undefined,
        creditMs: spamBurst * spamRefillMs,
        creditAt: nowMs,
      };
      bySource.set(about, told);
    }
    const counted = aggregate(told, event, nowMs);
    return mayPass(told, nowMs) ? counted : undefined;
  }
}

/** Upstream: EventAggregator.EventAggregate. The tenth distinct message within the window and all later ones are combined. */
function aggregate(told: Told, event: RecordedEvent, nowMs: number): CorrelatedEvent {
  const { reason, message, container } = event;
  let similar = told.similar;
  while (similar !== undefined && similar.reason !== reason) similar = similar.next;
  if (similar === undefined) {
    const next = told.similar;
    told.similar = {
      reason,
      message,
      container,
      count: 1,
      lastAt: nowMs,
      several: undefined,
      next,
    };
    return { message, count: 1 };
  }
  const isQuiet = nowMs - similar.lastAt > similarWindowMs;
  similar.lastAt = nowMs;
  const isFirst = message === similar.message && container === similar.container;
  if (similar.several === undefined && isFirst) {
    similar.count++;
    return { message, count: similar.count };
  }
  similar.several ??= severalOf(similar);
  return countOne(similar.several, event, isQuiet);
}

function severalOf({ message, container, count }: Similar): Several {
  return { messages: [message], counts: [{ message, container, count }], combinedCount: 0 };
}

function countOne(
  several: Several,
  { message, container }: RecordedEvent,
  isQuiet: boolean,
): CorrelatedEvent {
  const { counts } = several;
  if (isQuiet) several.messages = [];
  if (!several.messages.includes(message)) several.messages.push(message);
  if (several.messages.length < similarMax) {
    const known = counts.find((c) => c.message === message && c.container === container);
    if (known === undefined) counts.push({ message, container, count: 1 });
    else known.count++;
    return { message, count: known?.count ?? 1 };
  }
  // Dropping the oldest message keeps the list just long enough for the comparison.
  several.messages.shift();
  several.combinedCount++;
  return { message: combinedPrefix + message, count: several.combinedCount };
}

/** Upstream: EventSourceObjectSpamFilter.Filter, a token bucket for each source, object and type (getSpamKey). */
function mayPass(told: Told, nowMs: number): boolean {
  told.creditMs = Math.min(spamBurst * spamRefillMs, told.creditMs + nowMs - told.creditAt);
  told.creditAt = nowMs;
  if (told.creditMs < spamRefillMs) return false;
  told.creditMs -= spamRefillMs;
  return true;
}
