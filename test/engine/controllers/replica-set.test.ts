/** ReplicaSets: how many pods, which of them go, which belong to the set. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { podsToDelete } from "../../../src/engine/controllers/replica-set/pods-to-delete.ts";
import { check } from "../../support/check.ts";
import { play } from "../../support/play.ts";
import { oneNode, runs, template } from "../../support/workloads.ts";

suite("ReplicaSet controller", function () {
  this.timeout(20_000);

  test("makes as many pods as are asked for, whatever crashes in between", () => {
    const { simulation } = check(
      `
      kind: ReplicaSet
      metadata: {name: web}          #=> 2 of 2 ready
      spec: {replicas: 2, ${runs("web")}}
      `,
      { cluster: oneNode },
    );
    assert.equal(simulation.runtime.api.store.list("Pod").length, 2);
  });

  test("a ReplicationController does the same", () => {
    const played = play(`
      kind: ReplicationController
      metadata: {name: web}          #=> 2 of 2 ready
      spec: {replicas: 2, selector: {app: web}, template: ${template("web")}}
    `);
    assert.equal(played.names("Pod").length, 2);
    assert.equal(played.events("SuccessfulCreate").length, 2);
  });

  test("scaling down deletes pods, and the events name them", () => {
    const played = play(
      `
      kind: ReplicaSet
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 3, ${runs("web")}}
      `,
      {
        steps: [
          { type: "scale", object: { kind: "ReplicaSet", name: "web" }, replicas: 1 },
          { type: "settle" },
        ],
      },
    );
    const deleted = played.events("SuccessfulDelete");
    assert.equal(deleted.length, 2);
    for (const message of deleted) assert.match(message, /^Deleted pod: web-/);
  });

  test("adopts pods that match and belong to nobody", () => {
    const played = play(`
      kind: Pod
      metadata: {name: lonely, labels: {app: web}}          #=> Running node-a
      ---
      kind: ReplicaSet
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("web")}}
    `);
    assert.deepEqual(played.names("Pod"), ["lonely"]);
    assert.equal(played.get("Pod", "lonely")?.metadata.ownerReferences?.[0]?.name, "web");
  });

  test("lets go of a pod that is relabelled, and makes another", () => {
    const played = play(
      `
      kind: Pod
      metadata: {name: mine, labels: {app: web}}          #=> Running node-a
      ---
      kind: ReplicaSet
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("web")}}
      `,
      {
        steps: [
          {
            type: "patch",
            object: { kind: "Pod", name: "mine" },
            patch: { metadata: { labels: { app: "other" } } },
          },
          { type: "settle" },
        ],
      },
    );
    assert.equal(played.get("Pod", "mine")?.metadata.ownerReferences, undefined);
    assert.equal(played.names("Pod").length, 2);
  });

  test("pods that a quota refuses show as the set's condition", () => {
    const played = play(`
      kind: ResourceQuota
      metadata: {name: few}          #=> pods 1 of 1
      spec: {hard: {pods: "1"}}
      ---
      kind: ReplicaSet
      metadata: {name: web}          #=> 1 of 4 ready
      spec: {replicas: 4, ${runs("web")}}
    `);
    const [failure] = played.get("ReplicaSet", "web")?.status?.conditions ?? [];
    assert.equal(failure?.reason, "FailedCreate");
    assert.match(
      failure?.message ?? "",
      /^pods "web-.*" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1$/,
    );
  });
});

suite("pods to delete", () => {
  const pod = (name: string, more: object = {}, node = "node-a"): KubeObject<"Pod"> => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { containers: [], ...(node !== "" && { nodeName: node }) },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:01Z" }],
    },
    ...more,
  });
  const first = (...pods: KubeObject<"Pod">[]): string | undefined =>
    podsToDelete(pods, pods, 1, 60_000)[0]?.metadata.name;

  test("a pod without a node goes before one that has one", () => {
    assert.equal(first(pod("a"), pod("b", {}, ""), pod("c")), "b");
  });

  test("a pod that is not ready goes before one that is", () => {
    assert.equal(first(pod("a"), pod("b", { status: { phase: "Running" } })), "b");
  });

  test("the lower deletion cost goes first", () => {
    const cost = (name: string, value: string): KubeObject<"Pod"> => {
      const plain = pod(name);
      const annotations = { "controller.kubernetes.io/pod-deletion-cost": value };
      return { ...plain, metadata: { ...plain.metadata, annotations } };
    };
    assert.equal(first(cost("a", "10"), cost("b", "-5"), cost("c", "0")), "b");
  });

  test("the node with most pods gives first", () => {
    assert.equal(first(pod("a", {}, "node-b"), pod("b"), pod("c")), "b");
  });

  const ready = (at: string): object => ({
    phase: "Running",
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: at }],
  });
  const made = (name: string, creationTimestamp: string): KubeObject<"Pod"> => {
    const plain = pod(name, { status: { phase: "Pending" } });
    return { ...plain, metadata: { ...plain.metadata, creationTimestamp } };
  };

  test("a pod that waits goes before one whose node is silent, and that before one that runs", () => {
    const [pending, unknown] = ["Pending", "Unknown"].map((phase) =>
      pod(phase, { status: { phase } }),
    );
    const running = pod("running", { status: { phase: "Running" } });
    assert.ok(pending !== undefined && unknown !== undefined);
    assert.equal(first(running, unknown), "Unknown");
    assert.equal(first(unknown, pending, running), "Pending");
  });

  test("a deletion cost that is no number is none", () => {
    const cost = (name: string, value: string): KubeObject<"Pod"> => {
      const plain = pod(name);
      const annotations = { "controller.kubernetes.io/pod-deletion-cost": value };
      return { ...plain, metadata: { ...plain.metadata, annotations } };
    };
    assert.equal(first(cost("a", "1"), cost("b", "-05"), cost("c", "-1")), "c");
  });

  test("a pod with more restarts goes first, of its containers and then of its sidecars", () => {
    const restarted = (name: string, restartCount: number, sidecar: number, init = 0) => {
      const initContainers = [{ name: "side", restartPolicy: "Always" }, { name: "init" }];
      return pod(name, {
        spec: { nodeName: "node-a", containers: [], initContainers },
        status: {
          ...ready("2026-01-01T00:00:01Z"),
          containerStatuses: [
            { name: "main", restartCount },
            { name: "other", restartCount: 0 },
          ],
          initContainerStatuses: [
            { name: "side", restartCount: sidecar },
            { name: "init", restartCount: init },
          ],
        },
      });
    };
    assert.equal(first(restarted("a", 1, 5), restarted("b", 2, 0)), "b");
    assert.equal(first(restarted("a", 1, 0, 9), restarted("b", 1, 2)), "b");
  });

  test("younger pods go before older ones, where one is at least about twice as old", () => {
    const [old, young] = ["2026-01-01T00:00:10Z", "2026-01-01T00:00:55Z"];
    assert.equal(first(pod("a", { status: ready(old) }), pod("b", { status: ready(young) })), "b");
    assert.equal(first(made("a", old), made("b", young)), "b");
    const alike = "2026-01-01T00:00:11Z";
    assert.equal(first(made("b", alike), made("a", old)), "a");
    assert.equal(first(made("a", alike), made("b", old)), "a");
  });

  test("only pods that are not over crowd a node", () => {
    const over = (name: string) => pod(name, { status: { phase: "Succeeded" } }, "node-b");
    const [a, b, c] = [pod("a", {}, "node-b"), pod("b"), pod("c")];
    const [found] = podsToDelete([a, b, c], [a, b, c, over("x"), over("y"), over("z")], 1, 60_000);
    assert.notEqual(found?.metadata.name, "a");
    assert.equal(podsToDelete([a, b], [], 2, 0).length, 2);
  });
});
