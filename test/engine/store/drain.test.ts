import assert from "node:assert/strict";
import { drainTargets } from "../../../src/engine/store/drain.ts";
import { bare } from "../../support/bare-objects.ts";
import { Scene } from "../../support/component-scene.ts";

suite("drain", () => {
  test("evicts a node's pods except mirror pods and those of existing DaemonSets that have not ended", () => {
    const pod = (
      name: string,
      kind: string | undefined,
      phase: string,
      { mirror = false, owner = "owner" } = {},
    ) =>
      bare("Pod", name, {
        metadata: {
          ...(mirror && { annotations: { "kubernetes.io/config.mirror": "x" } }),
          ...(kind !== undefined && {
            ownerReferences: [
              { apiVersion: "apps/v1", kind, name: owner, uid: "u", controller: true },
            ],
          }),
        },
        spec: { nodeName: name === "elsewhere" ? "node-b" : "node-a" },
        status: { phase },
      });
    const { store } = new Scene(
      [],
      [
        bare("DaemonSet", "owner", { spec: {} as never }),
        pod("orphan", "DaemonSet", "Running", { owner: "gone" }),
        pod("bare", undefined, "Running"),
        pod("replica", "ReplicaSet", "Running"),
        pod("agent", "DaemonSet", "Running"),
        pod("agent-before", "DaemonSet", "Failed"),
        pod("static", undefined, "Running", { mirror: true }),
        pod("elsewhere", undefined, "Running"),
      ],
    ).runtime.api;
    const names = drainTargets(store, "node-a").map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ["agent-before", "bare", "orphan", "replica"]);
  });
});
