import assert from "node:assert/strict";
import type { ContainerState, Pod } from "../../../src/engine/api/types.ts";
import { isPodTerminated } from "../../../src/engine/matching/pod-state.ts";

suite("a pod that no longer uses its volumes", () => {
  const ended: ContainerState = { terminated: { exitCode: 0 } };

  test("is one that is being deleted and has no running container", () => {
    assert.equal(isPodTerminated(deletedPod(ended)), true);
    assert.equal(isPodTerminated(deletedPod({ waiting: {} })), true);
    assert.equal(isPodTerminated(deletedPod({ running: {} })), false);
  });

  test("is not one with a container of unknown state", () => {
    assert.equal(isPodTerminated(deletedPod({})), false);
  });

  test("is not one that is not being deleted", () => {
    const { deletionTimestamp: _, ...metadata } = deletedPod(ended).metadata;
    assert.equal(isPodTerminated({ ...deletedPod(ended), metadata }), false);
  });
});

function deletedPod(state: ContainerState): Pod {
  const container = { name: "main", image: "", imageID: "", ready: false, restartCount: 0, state };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", deletionTimestamp: "2026-01-01T00:00:00Z" },
    spec: { containers: [] },
    status: { phase: "Running", containerStatuses: [container] },
  } as unknown as Pod;
}
