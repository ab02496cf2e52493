/** What a trace is made of: each write, call, event and decision, with what led to it. Objects are frozen versions. */
import type { ApiError, Cause, KubeObject, Ref } from "../api/meta.ts";
import type { Decision } from "./decision.ts";
import type { Instant } from "./instant.ts";

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
  readonly before?: KubeObject | undefined;
  readonly after?: KubeObject | undefined;
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
  /** The claims that the pods of an object that was not created would use. */
  readonly claims?: readonly Ref[] | undefined;
  /** The class of a volume that was not created. */
  readonly volumeClass?: string | undefined;
}

export interface EventEntry extends Common {
  readonly type: "event";
  readonly about: Ref;
  readonly source: string;
  readonly eventType: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The pod's container that the event is about. */
  readonly container?: string | undefined;
  /** How often this event has been seen; above 1 the entry updates an earlier event. */
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
