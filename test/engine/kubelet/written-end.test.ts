/** A terminal phase that a user writes into a pod's status. Without faults: a restarted kubelet believes it. */
import assert from "node:assert/strict";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import { advance, clusterOf } from "./node-fixture.ts";

const object = { kind: "Pod", name: "p" } as const;
const lost: Step = {
  type: "patch",
  object,
  subresource: "status",
  patch: { status: { phase: "Failed", reason: "Lost", message: "nobody has seen it" } },
};

/** Returns the reason in the pod's status and its container's exit code. */
function after(mark: string, ...steps: readonly Step[]): readonly unknown[] {
  const pod = `
    kind: Pod
    metadata: { name: p }        #=> ${mark}
    spec: { nodeName: node-a, containers: [{ name: app, image: app }] }`;
  const played = play(pod, { cluster: clusterOf([]), steps });
  const { reason, containerStatuses: [app] = [] } = played.get("Pod", "p")?.status ?? {};
  return [reason, app?.state?.terminated?.exitCode];
}

suite("kubelet: a terminal phase that a user has written", () => {
  test("is corrected within ten seconds", () => {
    assert.deepEqual(after("Running node-a", lost, advance(11)), [undefined, undefined]);
  });

  for (const field of ["labels", "annotations"]) {
    test(`ends the pod if a change of its ${field} makes the kubelet process it before, whatever the exit codes`, () => {
      const patch = { metadata: { [field]: { seen: "yes" } } };
      const touch: Step = { type: "patch", object, patch };
      // The reason is dropped because it belonged to a phase that the kubelet had not reported.
      assert.deepEqual(after("Failed node-a", lost, touch, advance(11)), [undefined, 0]);
    });
  }

  test("ends the pod if the periodic sync comes before", () => {
    const again = [...Array(9)].flatMap(() => [lost, advance(11)]);
    assert.deepEqual(after("Failed node-a", ...again), [undefined, 0]);
  });
});
