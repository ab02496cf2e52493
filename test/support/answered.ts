/** Runs what a component does where all it asks for are live reads, without a runtime. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../src/engine/api/meta.ts";
import type { Task } from "../../src/engine/runtime/effects.ts";

/** What comes of the task where these objects are all that there is. */
export function answered<T>(task: Task<T>, objects: readonly KubeObject[]): T {
  const stored = objects as readonly KubeObject[];
  let step = task.next();
  while (step.done !== true) {
    const effect = step.value;
    assert.ok(effect.type === "get", effect.type);
    const object = stored.find(
      ({ kind, metadata }) => kind === effect.kind && metadata.name === effect.name,
    );
    const error = { code: 404, reason: "NotFound", message: `${effect.name} not found` };
    step = task.next(object === undefined ? { ok: false, error } : { ok: true, object });
  }
  return step.value;
}
