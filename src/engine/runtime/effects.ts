/**
 * The effects that a component may ask for. A task is a generator: it yields an effect and is resumed with the answer. Between
 * two effects anything can happen: another component writes, a call is slow, the component itself dies.
 */
import type { ApiError, Draft, Kind, KubeObject, Ref, Result } from "../api/meta.ts";
import type { ObjectMeta } from "../api/types.ts";

export type Task<T = void> = Generator<Effect, T, unknown>;

export interface CallResult {
  /** gRPC code by name: `OK`, `NotFound`, `DeadlineExceeded` … */
  readonly code: string;
  readonly message: string;
  /** Empty if the call failed. */
  readonly response: Readonly<Record<string, unknown>>;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditionUid?: string;
}

export type Effect =
  | { readonly type: "create"; readonly object: Draft }
  | { readonly type: "update"; readonly object: KubeObject; readonly subresource: "" | "status" }
  | {
      readonly type: "patch";
      readonly kind: Kind;
      readonly namespace: string;
      readonly name: string;
      readonly subresource: "" | "status";
      readonly change: (current: KubeObject) => KubeObject;
    }
  | {
      readonly type: "delete";
      readonly kind: Kind;
      readonly namespace: string;
      readonly name: string;
      readonly options: DeleteOptions;
    }
  | {
      readonly type: "bind";
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly node: string;
    }
  | { readonly type: "get"; readonly kind: Kind; readonly namespace: string; readonly name: string }
  | { readonly type: "list"; readonly kind: Kind; readonly namespace?: string }
  | {
      readonly type: "call";
      readonly driver: string;
      readonly node: string;
      readonly call: string;
      readonly request: Readonly<Record<string, unknown>>;
      readonly timeoutMs: number;
    }
  | {
      readonly type: "event";
      readonly about: Ref;
      readonly eventType: "Normal" | "Warning";
      readonly reason: string;
      readonly message: string;
      readonly source?: string;
      /** The pod's container that the event is about. */
      readonly container?: string;
      /** What identifies its series, together with the object, the type and the reason. */
      readonly series?: string;
    }
  | { readonly type: "sleep"; readonly ms: number }
  /** The task resumes with the value of the first call of `resume`; further calls do nothing. */
  | {
      readonly type: "suspend";
      readonly begin: (resume: (value: unknown) => void) => void;
    };

export type EventEffect = Extract<Effect, { type: "event" }>;

/** The effects that ask the API server for a change. */
export type WriteEffect = Extract<
  Effect,
  { type: "create" | "update" | "patch" | "delete" | "bind" }
>;

/** Creates an object; the answer holds it as stored. */
export function* create<K extends Kind>(object: Draft<K>): Task<Result<KubeObject<K>>> {
  return (yield { type: "create", object }) as Result<KubeObject<K>>;
}

/** Replaces spec and metadata. Fails with a conflict if `object.metadata.resourceVersion` is not the current one. */
export function* update<K extends Kind>(object: KubeObject<K>): Task<Result<KubeObject<K>>> {
  return (yield { type: "update", object, subresource: "" }) as Result<KubeObject<K>>;
}

/** Replaces the status only. Conflicts like `update`. */
export function* updateStatus<K extends Kind>(object: KubeObject<K>): Task<Result<KubeObject<K>>> {
  return (yield { type: "update", object, subresource: "status" }) as Result<KubeObject<K>>;
}

/** Patches an object. The API server applies `change` to the version stored at that time, so there is no conflict. */
export function* patch<K extends Kind>(
  kind: K,
  namespace: string | undefined,
  name: string,
  change: (current: KubeObject<K>) => KubeObject<K>,
  subresource: "" | "status" = "",
): Task<Result<KubeObject<K>>> {
  return (yield {
    type: "patch",
    kind,
    namespace: namespace ?? "",
    name,
    subresource,
    change: change as unknown as (current: KubeObject) => KubeObject,
  }) as Result<KubeObject<K>>;
}

/** Requests a deletion. The answer holds the object as it is afterwards; if it is gone, its last version. */
export function* remove<K extends Kind>(
  kind: K,
  namespace: string | undefined,
  name: string,
  options: DeleteOptions = {},
): Task<Result<KubeObject<K>>> {
  return (yield { type: "delete", kind, namespace: namespace ?? "", name, options }) as Result<
    KubeObject<K>
  >;
}

/** The binding subresource of a pod: sets spec.nodeName once. */
export function* bindPod(
  namespace: string,
  name: string,
  uid: string,
  node: string,
): Task<Result<KubeObject<"Pod">>> {
  return (yield { type: "bind", namespace, name, uid, node }) as Result<KubeObject<"Pod">>;
}

/** A live read, bypassing every cache. */
export function* getLive<K extends Kind>(
  kind: K,
  namespace: string | undefined,
  name: string,
): Task<Result<KubeObject<K>>> {
  return (yield { type: "get", kind, namespace: namespace ?? "", name }) as Result<KubeObject<K>>;
}

/** A live list, bypassing every cache; all namespaces if none is given. */
export function* listLive<K extends Kind>(
  kind: K,
  namespace?: string,
): Task<readonly KubeObject<K>[]> {
  const effect: Effect =
    namespace === undefined ? { type: "list", kind } : { type: "list", kind, namespace };
  return (yield effect) as readonly KubeObject<K>[];
}

/** A CSI call to the controller plugin (node "") or to a node's plugin. DeadlineExceeded after `timeoutMs`. */
export function* callDriver(
  driver: string,
  node: string,
  call: string,
  request: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Task<CallResult> {
  return (yield { type: "call", driver, node, call, request, timeoutMs }) as CallResult;
}

/** An event about an object. `source` is the component's own where absent. */
export function* event(
  about: Ref,
  eventType: "Normal" | "Warning",
  reason: string,
  message: string,
  source?: string,
): Task {
  yield {
    type: "event",
    about,
    eventType,
    reason,
    message,
    ...(source !== undefined && { source }),
  };
}

/** An event about one container of a pod. Equal events of two containers stay separate. */
export function* containerEvent(
  pod: Ref,
  container: string,
  eventType: "Normal" | "Warning",
  reason: string,
  message: string,
): Task {
  yield { type: "event", about: pod, eventType, reason, message, container };
}

/** What the events of a series are about: a version of an object, and possibly the uid of a related object. */
export interface SeriesSubject {
  readonly ref: Ref;
  readonly metadata: ObjectMeta;
  readonly related?: string;
}

/** An event of the scheduler. Events that differ only in their message form a series. */
export function* eventInSeries(
  { ref, metadata: { resourceVersion = "" }, related = "" }: SeriesSubject,
  eventType: "Normal" | "Warning",
  reason: string,
  message: string,
): Task {
  const series = `${resourceVersion} ${related}`;
  yield { type: "event", about: ref, eventType, reason, message, series };
}

export function* sleep(ms: number): Task {
  yield { type: "sleep", ms };
}

/** Waits for something that a handler will hear of. `begin` is run at once with the function to call when it has happened. */
export function* suspend<T>(begin: (resume: (value: T) => void) => void): Task<T> {
  return (yield { type: "suspend", begin }) as T;
}

export function isConflict(error: ApiError): boolean {
  return error.reason === "Conflict";
}
export function isNotFound(error: ApiError): boolean {
  return error.reason === "NotFound";
}
