/** Room that pods which are no part of a run have taken of its machines. */
import assert from "node:assert/strict";
import { simulate } from "../../support/simulate.ts";

/** What the scheduler says of a pod that asks for so much of a machine with two CPUs. */
function said(cpu: string, taken: string): string | undefined {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "default" },
    spec: { containers: [{ name: "c", image: "nginx", resources: { requests: { cpu } } }] },
  };
  const node = { name: "node-a", capacity: { cpu: "2" }, taken: { cpu: taken } };
  const trace = simulate({
    version: "1.36",
    seed: 1,
    cluster: { name: "test", nodes: [node], drivers: [], manifests: [] },
    steps: [{ type: "apply", manifests: [pod] }, { type: "settle" }],
  });
  const events = trace.entries.flatMap((entry) => (entry.type === "event" ? [entry] : []));
  return events.find(({ actor }) => actor.includes("scheduler"))?.message;
}

suite("room taken by pods that a run does not know of", () => {
  test("is not to be had", () => {
    assert.equal(
      said("600m", "1500m"),
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    );
  });

  test("leaves the rest", () => {
    assert.equal(said("500m", "1500m"), "Successfully assigned default/web to node-a");
  });
});
