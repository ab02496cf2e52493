/** Runs a component's task without a runtime, if its only effects are live reads. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../src/engine/api/meta.ts";
import type { Task } from "../../src/engine/runtime/effects.ts";

/** The task's result in a cluster that has only these objects. */
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
