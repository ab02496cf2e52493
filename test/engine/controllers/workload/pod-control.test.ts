/** Pods that count as deleted. Upstream: pkg/controller/job/job_controller.go deleteActivePods, deleteJobPods. */
import assert from "node:assert/strict";
import { keyOf } from "../../../../src/engine/api/meta.ts";
import { PodControl } from "../../../../src/engine/controllers/workload/pod-control.ts";
import { bare } from "../../../support/bare-objects.ts";

test("a pod that is already gone counts as deleted, without an event or an expectation", () => {
  const owner = bare("Job", "once");
  const pods = ["gone", "there"].map((name) => bare("Pod", name));
  const control = new PodControl();
  const task = control.deletePods(owner, pods);
  const told: string[] = [];
  let step = task.next();
  while (step.done !== true) {
    const effect = step.value;
    if (effect.type === "event") {
      told.push(effect.message);
      step = task.next();
      continue;
    }
    assert.ok(effect.type === "delete");
    const error = { code: 404, reason: "NotFound", message: "no such pod" };
    step = task.next(
      effect.name === "gone"
        ? { ok: false, error }
        : { ok: true, object: bare("Pod", effect.name) },
    );
  }
  assert.deepEqual(
    step.value.deleted.map(({ metadata }) => metadata.name),
    ["gone", "there"],
  );
  assert.deepEqual(told, ["Deleted pod: there"]);
  assert.ok(!control.expectations.satisfied(keyOf(owner)));
  control.expectations.deletionObserved(keyOf(owner), "there");
  assert.ok(control.expectations.satisfied(keyOf(owner)));
});
