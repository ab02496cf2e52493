/** ReplicaSets: how many pods they create, which ones they delete, and which belong to them. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { podsToDelete } from "../../../src/engine/controllers/replica-set/pods-to-delete.ts";
import { replicaSetController } from "../../../src/engine/controllers/replica-set/replica-set.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { bare, controllerIn } from "../../support/bare-objects.ts";
import { check } from "../../support/check.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { oneNode, runs, template } from "../../support/workloads.ts";

suite("ReplicaSet controller", () => {
  test("creates as many pods as requested, despite crashes", () => {
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

  testWithFaults("adopts matching pods without a controller", () => {
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

  test("of two sets with the same labels one adopts an orphan, and the other does not count it", () => {
    const set = (name: string): string => `
      kind: ReplicaSet
      metadata: {name: ${name}}
      spec: {replicas: 1, ${runs("web")}}`;
    const orphan = `
      kind: Pod
      metadata: {name: orphan, labels: {app: web}}`;
    const played = play([orphan, set("one"), set("two")].join("\n---"));
    const owners = played.list("Pod").map(({ metadata }) => metadata.ownerReferences);
    assert.deepEqual(owners.map((of) => of?.map(({ name }) => name).join()).sort(), ["one", "two"]);
    const counts = played.simulation.trace.entries.flatMap((e) =>
      e.type === "write" && e.ref === "ReplicaSet/default/two" && e.subresource === "status"
        ? [(e.after as KubeObject<"ReplicaSet">).status?.replicas]
        : [],
    );
    assert.equal(counts[0], 0);
  });

  testWithFaults("releases a pod whose labels no longer match, and creates another", () => {
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

  test("pods that a quota refuses are reported in the set's condition", () => {
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

  test("a pod without a node is deleted before one with a node", () => {
    assert.equal(first(pod("a"), pod("b", {}, ""), pod("c")), "b");
  });

  test("a pod that is not ready is deleted before one that is", () => {
    assert.equal(first(pod("a"), pod("b", { status: { phase: "Running" } })), "b");
  });

  test("the pod with the lower deletion cost is deleted first", () => {
    const cost = (name: string, value: string): KubeObject<"Pod"> => {
      const plain = pod(name);
      const annotations = { "controller.kubernetes.io/pod-deletion-cost": value };
      return { ...plain, metadata: { ...plain.metadata, annotations } };
    };
    assert.equal(first(cost("a", "10"), cost("b", "-5"), cost("c", "0")), "b");
  });

  test("a pod on the node with the most pods is deleted first", () => {
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

  test("Pending pods are deleted before Unknown ones, and those before Running ones", () => {
    const [pending, unknown] = ["Pending", "Unknown"].map((phase) =>
      pod(phase, { status: { phase } }),
    );
    const running = pod("running", { status: { phase: "Running" } });
    assert.ok(pending !== undefined && unknown !== undefined);
    assert.equal(first(running, unknown), "Unknown");
    assert.equal(first(unknown, pending, running), "Pending");
  });

  test("an invalid deletion cost is ignored", () => {
    const cost = (name: string, value: string): KubeObject<"Pod"> => {
      const plain = pod(name);
      const annotations = { "controller.kubernetes.io/pod-deletion-cost": value };
      return { ...plain, metadata: { ...plain.metadata, annotations } };
    };
    assert.equal(first(cost("a", "1"), cost("b", "-05"), cost("c", "-1")), "c");
  });

  test("the pod with more restarts is deleted first: of its containers, then of its sidecars", () => {
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

  test("younger pods are deleted before older ones, if one is at least about twice as old", () => {
    const [old, young] = ["2026-01-01T00:00:10Z", "2026-01-01T00:00:55Z"];
    assert.equal(first(pod("a", { status: ready(old) }), pod("b", { status: ready(young) })), "b");
    assert.equal(first(made("a", old), made("b", young)), "b");
    const alike = "2026-01-01T00:00:11Z";
    assert.equal(first(made("b", alike), made("a", old)), "a");
    assert.equal(first(made("a", alike), made("b", old)), "a");
  });

  test("pods that have ended do not count for their node", () => {
    const over = (name: string) => pod(name, { status: { phase: "Succeeded" } }, "node-b");
    const [a, b, c] = [pod("a", {}, "node-b"), pod("b"), pod("c")];
    const [found] = podsToDelete([a, b, c], [a, b, c, over("x"), over("y"), over("z")], 1, 60_000);
    assert.notEqual(found?.metadata.name, "a");
    assert.equal(podsToDelete([a, b], [], 2, 0).length, 2);
  });
});

suite("ReplicaSet controller and existing pods", () => {
  const labels = { app: "web" };
  const set = bare("ReplicaSet", "web", {
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "app" }] } },
    },
  });
  const pod = (name: string, phase: string, metadata: object = {}): KubeObject<"Pod"> =>
    bare("Pod", name, {
      metadata: { labels, ownerReferences: [controllerIn(set)], ...metadata },
      spec: { containers: [] },
      status: { phase },
    });
  const leaving = { deletionTimestamp: "2026-01-01T00:01:00Z", deletionGracePeriodSeconds: 60 };
  const run = (...pods: readonly KubeObject<"Pod">[]): Scene =>
    new Scene([replicaSetController], [set, ...pods]).run(1000);
  const ownersIn = (scene: Scene, name: string) =>
    scene.get("Pod", "default", name)?.metadata.ownerReferences?.map((owner) => owner.name);

  test("ended and terminating pods are neither adopted nor released", () => {
    const scene = run(
      pod("lonely", "Failed", { ownerReferences: [] }),
      pod("lonely leaving", "Running", { ownerReferences: [], ...leaving }),
      pod("relabelled", "Succeeded", { labels: {} }),
      pod("relabelled leaving", "Running", { labels: {}, ...leaving }),
      pod("relabelled running", "Running", { labels: {} }),
    );
    assert.deepEqual(ownersIn(scene, "lonely"), []);
    assert.deepEqual(ownersIn(scene, "lonely leaving"), []);
    assert.deepEqual(ownersIn(scene, "relabelled"), ["web"]);
    assert.deepEqual(ownersIn(scene, "relabelled leaving"), ["web"]);
    assert.deepEqual(ownersIn(scene, "relabelled running"), undefined);
  });

  test("terminatingReplicas counts the set's own pods that are terminating and have not ended", () => {
    const { status } =
      run(
        pod("running", "Running", leaving),
        pod("over", "Failed", leaving),
        pod("relabelled", "Running", { labels: {}, ...leaving }),
        pod("lonely", "Running", { ownerReferences: [], ...leaving }),
      ).get("ReplicaSet", "default", "web") ?? {};
    assert.equal(status?.terminatingReplicas, 1);
  });

  test("if a Deployment owns the set, pods of a crowded node are deleted first, otherwise the younger ones", () => {
    const ready = (seconds: number) => [
      { type: "Ready", status: "True", lastTransitionTime: `2026-01-01T00:00:0${seconds}Z` },
    ];
    const placed = (name: string, nodeName: string, readyAt: number) => ({
      ...pod(name, "Running"),
      spec: { containers: [], nodeName },
      status: { phase: "Running", conditions: ready(readyAt) },
    });
    const two = { ...set, spec: { ...set.spec, replicas: 2 } };
    const found = [placed("a", "node-a", 0), placed("b", "node-a", 0), placed("c", "node-b", 7)];
    const left = (owner: object[]) => {
      const owned = { ...two, metadata: { ...two.metadata, ownerReferences: owner } };
      const scene = new Scene([replicaSetController], []).run(9000);
      for (const object of [...found, owned]) scene.runtime.api.restore(object as KubeObject);
      const pods = scene.run(1000).runtime.api.store.list("Pod");
      return pods.flatMap(({ metadata: { name, deletionTimestamp } }) =>
        deletionTimestamp === undefined ? [name] : [],
      );
    };
    assert.deepEqual(left([]), ["a", "b"]);
    assert.deepEqual(left([controllerIn(bare("Deployment", "web"))]), ["b", "c"]);
  });

  test("a pod that cannot be deleted is reported in the set's condition", () => {
    const conflictOnWrite = { component: "replicaset-controller", write: 1 };
    const scene = new Scene(
      [replicaSetController],
      [set, pod("a", "Running"), pod("b", "Running")],
      { fault: { conflictOnWrite } },
    ).run(1000);
    const shown = scene.runtime.trace.entries.flatMap((e) =>
      e.type === "write" && e.ref === "ReplicaSet/default/web"
        ? ((e.after as KubeObject<"ReplicaSet">).status?.conditions ?? [])
        : [],
    );
    assert.deepEqual(
      shown.map(({ reason, message }) => [reason, message?.split(":")[0]]),
      [["FailedDelete", "unable to delete pods"]],
    );
  });

  test("a pod counts as available after minReadySeconds; up to 1.33 only when all do, or a second later", () => {
    const readyAt = (second: number, name: string) => {
      const lastTransitionTime = `2026-01-01T00:00:0${second}Z`;
      const conditions = [{ type: "Ready", status: "True", lastTransitionTime }];
      return { ...pod(name, "Running"), status: { phase: "Running", conditions } } as const;
    };
    const counted = (version: KubernetesVersion, replicas: number) => {
      const wanted = { ...set, spec: { ...set.spec, replicas, minReadySeconds: 5 } };
      const others = replicas === 2 ? [] : [pod("c", "Running")];
      const found = [wanted, readyAt(0, "a"), pod("b", "Running"), ...others];
      const scene = new Scene([replicaSetController], found, { version }).run(2990);
      scene.runtime.api.restore(readyAt(3, "b"));
      return [2500, 1000, 2000, 400, 200].map(
        (ms) => scene.run(ms).get("ReplicaSet", "default", "web")?.status?.availableReplicas ?? 0,
      );
    };
    assert.deepEqual(counted("1.34", 2), [1, 1, 2, 2, 2]);
    assert.deepEqual(counted("1.33", 2), [0, 0, 2, 2, 2]);
    assert.deepEqual(counted("1.33", 3), [0, 0, 0, 0, 2]);
  });
});
