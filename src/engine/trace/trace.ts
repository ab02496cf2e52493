/**
 * What happened, in order, and why. Every reading of a run (outcome, explanation, timeline, events, fixes) starts here.
 * Entries refer to objects by their frozen versions, so any moment can be shown without running again.
 */
import type { AnyObject, ApiError, Cause, Ref } from "../api/meta.ts";
import type { Decision } from "./decision.ts";
import { Histories } from "./histories.ts";
import { keptBytes } from "./kept-size.ts";

/** Virtual milliseconds since the start of the run. */
export type Instant = number;

interface Common {
  readonly seq: number;
  readonly at: Instant;
  /** Who did it: `persistentvolume-binder`, `kubelet node-a`, `user`. */
  readonly actor: string;
  /** seq of the entry that led to this one. */
  readonly cause?: number | undefined;
}

/** A change of one object: `before` is absent at creation, `after` at removal. */
export interface WriteEntry extends Common {
  readonly type: "write";
  readonly verb: "create" | "update" | "delete";
  readonly subresource?: string | undefined;
  readonly ref: Ref;
  readonly before?: AnyObject | undefined;
  readonly after?: AnyObject | undefined;
}

/** A write that the API server refused. */
export interface RefusedEntry extends Common {
  readonly type: "refused";
  readonly verb: string;
  readonly ref: Ref;
  readonly error: ApiError;
}

/** A user's request, and what the API server answered. */
export interface RequestEntry extends Common {
  readonly type: "request";
  readonly step: number;
  readonly verb: string;
  readonly ref: Ref;
  readonly status: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly causes?: readonly Cause[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

export interface EventEntry extends Common {
  readonly type: "event";
  readonly about: Ref;
  readonly source: string;
  readonly eventType: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** How often this event has been seen by now; above 1 the entry updates an earlier event. */
  readonly count: number;
}

/** A CSI call that began; its answer is a later `answer` entry with the same call number. */
export interface CallEntry extends Common {
  readonly type: "call";
  readonly id: number;
  readonly driver: string;
  /** The node whose plugin is called; "" for the controller. */
  readonly node: string;
  readonly call: string;
  readonly request: Readonly<Record<string, unknown>>;
}
export interface AnswerEntry extends Common {
  readonly type: "answer";
  readonly id: number;
  /** gRPC code by name. */
  readonly code: string;
  readonly message: string;
}

export interface DecisionEntry extends Common {
  readonly type: "decision";
  readonly about: Ref;
  readonly decision: Decision;
}

/** A step of the scenario begins. */
export interface StepEntry extends Common {
  readonly type: "step";
  readonly step: number;
  readonly text: string;
}

/** The run ended before it came to rest. */
export interface LimitEntry extends Common {
  readonly type: "limit";
  readonly limit: string;
  readonly message: string;
}

/** A component, machine or driver went down or came up. */
export interface LifecycleEntry extends Common {
  readonly type: "lifecycle";
  readonly what: string;
  readonly state: string;
}

export type TraceEntry =
  | WriteEntry
  | RefusedEntry
  | RequestEntry
  | EventEntry
  | CallEntry
  | AnswerEntry
  | DecisionEntry
  | StepEntry
  | LimitEntry
  | LifecycleEntry;

type WithoutCommon<T> = T extends TraceEntry ? Omit<T, "seq" | "at"> : never;
export type NewEntry = WithoutCommon<TraceEntry>;

/** The objects of one moment, in order of their first creation. */
export interface State extends Iterable<[Ref, AnyObject]> {
  get(ref: Ref): AnyObject | undefined;
}

export class Trace {
  readonly entries: TraceEntry[] = [];
  /** About how much memory the entries take. */
  keptBytes = 0;
  /** Made when a state is first asked for. */
  #histories: Histories | undefined;
  #reached: Instant = 0;

  /** The entry was made for this call and is completed in place; it grows by that, unless it has `seq` and `at` already. */
  add(at: Instant, entry: NewEntry | TraceEntry): number {
    const seq = this.entries.length;
    const completed = entry as { seq?: number; at?: Instant };
    completed.seq = seq;
    completed.at = at;
    this.entries.push(entry as TraceEntry);
    this.keptBytes += keptBytes(entry);
    return seq;
  }

  get end(): Instant {
    return this.entries.at(-1)?.at ?? 0;
  }

  /** How far the run has come: later than the last entry where nothing happened since. */
  get now(): Instant {
    return Math.max(this.#reached, this.end);
  }

  reach(at: Instant): void {
    this.#reached = at;
  }

  /** The objects as they were after the entry `seq`; none for -1. Costs nothing until something is asked of it. */
  stateAt(seq: number): State {
    this.#histories ??= new Histories();
    this.#histories.extend(this.entries);
    return new Moment(this.#histories, this.#histories.writeAt(seq));
  }
}

/** What was at a moment is looked up object by object: a person looks at a few of them. */
class Moment implements State {
  readonly #histories: Histories;
  readonly #lastWrite: number;

  constructor(histories: Histories, lastWrite: number) {
    this.#histories = histories;
    this.#lastWrite = lastWrite;
  }

  get(ref: Ref): AnyObject | undefined {
    const object = this.#histories.numberOf(ref);
    return object === undefined ? undefined : this.#histories.version(object, this.#lastWrite);
  }

  /** No generator, for all objects of a long trace are many. */
  [Symbol.iterator](): Iterator<[Ref, AnyObject]> {
    const histories = this.#histories;
    const lastWrite = this.#lastWrite;
    let number = 0;
    return {
      next(): IteratorResult<[Ref, AnyObject]> {
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
