/** How the simulation takes over the objects of an imported cluster. */
import assert from "node:assert/strict";
import { readState } from "../../../src/engine/existing/read-state.ts";

function stateOf(status: object): unknown {
  const metadata = { name: "a", creationTimestamp: "2024-05-01T00:00:00Z" };
  const manifest = { apiVersion: "v1", kind: "Node", metadata, status };
  const [object] = readState({ state: [manifest] }).objects;
  return object?.kind === "Node" ? object.status?.conditions : undefined;
}

suite("an imported cluster", () => {
  test("keeps its age and its texts, even if those begin with a date", () => {
    const condition = { type: "Ready", status: "False", reason: "KubeletNotReady" };
    const message = "2024-05-01T00:00:10Z: the runtime is down";
    const lastHeartbeatTime = "2024-05-01T00:00:20Z";
    assert.deepEqual(stateOf({ conditions: [{ ...condition, message, lastHeartbeatTime }] }), [
      { ...condition, message, lastHeartbeatTime: "2025-12-31T23:59:59Z" },
    ]);
  });
});
