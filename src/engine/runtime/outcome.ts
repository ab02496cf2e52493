/**
 * How a reconcile ended. Only the work queue requeues. The reason or error is for people who read or debug a controller; what
 * users may ask about is recorded by `ComponentContext.decide`.
 */
import type { Task } from "./effects.ts";

export type Outcome =
  /** Nothing is left to do for this key until something changes. */
  | { readonly type: "done"; readonly reason: string }
  /** Something else has to change first, and will wake the key. With `afterMs` the key is also checked again by itself. */
  | { readonly type: "wait"; readonly reason: string; readonly afterMs?: number }
  /** It failed and is retried with the queue's back-off. */
  | { readonly type: "retry"; readonly error: string };

export type Reconcile = Task<Outcome>;

export function done(reason: string): Outcome {
  return { type: "done", reason };
}
export function wait(reason: string, afterMs?: number): Outcome {
  return afterMs === undefined ? { type: "wait", reason } : { type: "wait", reason, afterMs };
}
export function retry(error: string): Outcome {
  return { type: "retry", error };
}
