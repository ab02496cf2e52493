/**
 * What happened, in order, and why. Every reading of a run (outcome, explanation, timeline, events, fixes) starts here.
 * Entries refer to objects by their frozen versions, so any moment can be shown without running again.
 */
import type { KubeObject, Ref } from "../api/meta.ts";
import { catalogueAlone, type DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import type { KubernetesVersion } from "../scenario.ts";
import type { NewEntry, TraceEntry } from "./entry.ts";
import { Histories } from "./histories.ts";
import type { Instant } from "./instant.ts";
import { keptBytes } from "./kept-size.ts";

/** The objects of one moment, in order of their first creation. */
export interface State extends Iterable<[Ref, KubeObject]> {
  get(ref: Ref): KubeObject | undefined;
}

export class Trace {
  /** What is known of the run's drivers; advice on changes is based on it. */
  readonly drivers: DriverKnowledge;
  readonly version: KubernetesVersion;
  readonly entries: TraceEntry[] = [];
  /** An estimate of the memory that the entries take. */
  keptBytes = 0;
  /** Created when a state is first asked for. */
  #histories: Histories | undefined;
  #reached: Instant = 0;

  constructor(drivers: DriverKnowledge = catalogueAlone, version: KubernetesVersion = "1.36") {
    this.drivers = drivers;
    this.version = version;
  }

  /**
   * Appends the entry, which must be new: its `seq` and `at` are set in place. An entry that already has these two fields keeps
   * its shape.
   */
  add(at: Instant, entry: NewEntry | TraceEntry): number {
    const seq = this.entries.length;
    const completed = entry as { seq?: number; at?: Instant };
    completed.seq = seq;
    completed.at = at;
    this.entries.push(entry as TraceEntry);
    this.keptBytes += keptBytes(entry);
    return seq;
  }

  /** Returns a copy of the trace as it is now; later entries are not added to it. */
  copy(): Trace {
    const copy = new Trace(this.drivers, this.version);
    for (const entry of this.entries) copy.entries.push(entry);
    copy.keptBytes = this.keptBytes;
    copy.reach(this.#reached);
    return copy;
  }

  get end(): Instant {
    return this.entries.at(-1)?.at ?? 0;
  }

  /** How far the run has come: later than its last entry if nothing has happened since. */
  get now(): Instant {
    return Math.max(this.#reached, this.end);
  }

  reach(at: Instant): void {
    this.#reached = at;
  }

  /** The objects as they were after the entry `seq`; none for -1. Each is looked up only when asked for. */
  stateAt(seq: number): State {
    this.#histories ??= new Histories();
    this.#histories.extend(this.entries);
    return new Moment(this.#histories, this.#histories.writeAt(seq));
  }
}

/** Looks objects up one by one, because a person views only a few of them. */
class Moment implements State {
  readonly #histories: Histories;
  readonly #lastWrite: number;

  constructor(histories: Histories, lastWrite: number) {
    this.#histories = histories;
    this.#lastWrite = lastWrite;
  }

  get(ref: Ref): KubeObject | undefined {
    const object = this.#histories.numberOf(ref);
    return object === undefined ? undefined : this.#histories.version(object, this.#lastWrite);
  }

  /** Not a generator: that would be too slow for all objects of a long trace. */
  [Symbol.iterator](): Iterator<[Ref, KubeObject]> {
    const histories = this.#histories;
    const lastWrite = this.#lastWrite;
    let number = 0;
    return {
      next(): IteratorResult<[Ref, KubeObject]> {
        for (; number < histories.refs.length; number++) {
          const object = histories.version(number, lastWrite);
          if (object === undefined) continue;
          return { done: false, value: [histories.refs[number++] ?? "", object] };
        }
        return { done: true, value: undefined };
      },
    };
  }
}
