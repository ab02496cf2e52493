/** Counts equal events. Upstream: client-go tools/record. */
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

export class EventRecorder {
  readonly #counts = new Map<string, number>();

  /** What is written of an event: its text and how often it has been seen; undefined where it is dropped as spam. */
  correlate(event: RecordedEvent, _nowMs: number): CorrelatedEvent | undefined {
    const key = `${event.source}\n${event.about}\n${event.eventType}\n${event.reason}\n${event.message}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return { message: event.message, count };
  }
}
