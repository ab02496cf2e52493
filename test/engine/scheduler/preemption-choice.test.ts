/** Which node preemption chooses, and which of its pods. */
import assert from "node:assert/strict";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const cpu = "4";

function withClasses(...names: readonly string[]): SchedulerWorld {
  const values: Readonly<Record<string, number>> = { urgent: 1000, middle: 500, minor: -5 };
  const world = new SchedulerWorld();
  for (const [name, value] of Object.entries(values)) {
    world.apply(
      `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ${name}}, value: ${value}}`,
    );
  }
  for (const name of names) world.node(name, { allocatable: { cpu } });
  return world;
}

const containers = (amount: string): Pod["spec"]["containers"] => [
  { name: "main", image: "busybox", resources: { requests: { cpu: amount } } },
];

interface Occupant {
  readonly cpu?: string;
  readonly priority?: "middle" | "minor";
  readonly labels?: Readonly<Record<string, string>>;
  readonly startTime?: string;
}

/** Puts a pod onto the node; by default it uses all of the node's CPU. */
function occupy(world: SchedulerWorld, node: string, name: string, given: Occupant = {}): void {
  const { priority, labels, startTime } = given;
  world.pod(
    name,
    {
      nodeName: node,
      containers: containers(given.cpu ?? cpu),
      ...(priority !== undefined && { priorityClassName: priority }),
    },
    labels === undefined ? {} : { labels },
  );
  world.run(10);
  if (startTime === undefined) return;
  const withStart = (pod: Pod): Pod => ({ ...pod, status: { ...pod.status, startTime } });
  world.change("Pod", name, withStart as never, "status").run(10);
}

/** Returns the names of the pods that a new urgent pod has preempted. */
function goneFor(world: SchedulerWorld, amount = cpu): readonly string[] {
  world.pod("urgent", { containers: containers(amount), priorityClassName: "urgent" }).run(50);
  return world
    .events("Preempted")
    .map(({ about }) => about.replace("Pod/default/", ""))
    .toSorted();
}

function budget(world: SchedulerWorld, selector: string, status: object): void {
  world.apply(`
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: keep}
    spec: {minAvailable: 1, selector: ${selector}}`);
  const said = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  world.change(
    "PodDisruptionBudget",
    "keep",
    (object) => ({ ...object, status: { ...said, ...status } }),
    "status",
  );
  world.run(10);
}

suite("the node on which pods are preempted", () => {
  test("is the one whose highest victim priority is lowest", () => {
    const world = withClasses("node-a", "node-b");
    occupy(world, "node-a", "a", { priority: "middle" });
    occupy(world, "node-b", "b1", { cpu: "2" });
    occupy(world, "node-b", "b2", { cpu: "2" });
    assert.deepEqual(goneFor(world), ["b1", "b2"]);
  });

  test("then the one with the lowest sum of victim priorities", () => {
    const world = withClasses("node-a", "node-b");
    occupy(world, "node-a", "a1", { cpu: "2", priority: "middle" });
    occupy(world, "node-a", "a2", { cpu: "2" });
    occupy(world, "node-b", "b1", { cpu: "2", priority: "middle" });
    occupy(world, "node-b", "b2", { cpu: "2", priority: "minor" });
    assert.deepEqual(goneFor(world), ["b1", "b2"]);
  });

  test("then the one with fewer victims", () => {
    const world = withClasses("node-a", "node-b");
    occupy(world, "node-a", "a1", { cpu: "2" });
    occupy(world, "node-a", "a2", { cpu: "2" });
    occupy(world, "node-b", "b", {});
    assert.deepEqual(goneFor(world), ["b"]);
  });

  test("then the one whose victims of highest priority have run for the shortest time", () => {
    const world = withClasses("node-a", "node-b");
    occupy(world, "node-a", "a1", { cpu: "2", priority: "middle", startTime: at(10) });
    occupy(world, "node-a", "a2", { cpu: "2", startTime: at(50) });
    occupy(world, "node-b", "b1", { cpu: "2", priority: "middle", startTime: at(20) });
    occupy(world, "node-b", "b2", { cpu: "2", startTime: at(5) });
    assert.deepEqual(goneFor(world), ["b1", "b2"]);
  });

  test("is among the first hundred possible ones, and the first if several are equal", () => {
    const names = Array.from({ length: 101 }, (_, i) => `node-${String(i).padStart(3, "0")}`);
    const world = withClasses(...names);
    const startTime = at(10);
    for (const name of names) {
      const isLast = name === names.at(-1);
      occupy(world, name, `on-${name}`, { startTime, ...(isLast && { priority: "minor" }) });
    }
    assert.deepEqual(goneFor(world), ["on-node-000"]);
  });

  test("a victim that has not started counts as the youngest, and the oldest victim decides for its node", () => {
    const world = withClasses("node-a", "node-b", "node-c");
    occupy(world, "node-a", "a1", { cpu: "2", startTime: at(10) });
    occupy(world, "node-a", "a2", { cpu: "2" });
    occupy(world, "node-b", "b1", { cpu: "2", startTime: at(20) });
    occupy(world, "node-b", "b2", { cpu: "2", startTime: at(30) });
    occupy(world, "node-c", "c1", { cpu: "2", startTime: at(15) });
    occupy(world, "node-c", "c2", { cpu: "2" });
    assert.deepEqual(goneFor(world), ["b1", "b2"]);
  });
});

suite("PodDisruptionBudgets in preemption", () => {
  const labels = { app: "kept" };
  const selector = "{matchLabels: {app: kept}}";
  /** Two pods that a budget protects on one node, and an unprotected one of higher priority on the other. */
  const two = (): SchedulerWorld => {
    const world = withClasses("node-a", "node-b");
    occupy(world, "node-a", "kept-1", { cpu: "2", labels });
    occupy(world, "node-a", "kept-2", { cpu: "2", labels });
    occupy(world, "node-b", "free", { priority: "middle" });
    return world;
  };
  const chosen = (of: string, status: object): readonly string[] => {
    const world = two();
    budget(world, of, status);
    return goneFor(world);
  };

  test("fewer violations come before lower priorities", () => {
    assert.deepEqual(chosen(selector, { disruptionsAllowed: 0 }), ["free"]);
    assert.deepEqual(chosen(selector, { disruptionsAllowed: 1 }), ["free"]);
    assert.deepEqual(chosen(selector, { disruptionsAllowed: 2 }), ["kept-1", "kept-2"]);
  });

  test("a pod in status.disruptedPods counts as already allowed", () => {
    const disruptedPods = { "kept-1": "2026-01-01T00:00:00Z" };
    assert.deepEqual(chosen(selector, { disruptionsAllowed: 1, disruptedPods }), [
      "kept-1",
      "kept-2",
    ]);
  });

  test("an empty selector protects nothing here, matchExpressions do", () => {
    assert.deepEqual(chosen("{}", {}), ["kept-1", "kept-2"]);
    const exists = "{matchExpressions: [{key: app, operator: Exists}]}";
    assert.deepEqual(chosen(exists, {}), ["free"]);
  });

  test("a node's highest victim priority is taken from all victims, protected or not", () => {
    const world = withClasses("node-a", "node-b");
    occupy(world, "node-a", "a1", { cpu: "2", labels, priority: "minor" });
    occupy(world, "node-a", "a2", { cpu: "2", priority: "middle" });
    occupy(world, "node-b", "b1", { cpu: "2", labels });
    occupy(world, "node-b", "b2", { cpu: "2" });
    budget(world, selector, {});
    assert.deepEqual(goneFor(world), ["b1", "b2"]);
  });

  test("a pod without labels is not protected, nor is one by a budget of another namespace", () => {
    const between = (given: Occupant): SchedulerWorld => {
      const world = withClasses("node-a", "node-b");
      occupy(world, "node-a", "important", { priority: "middle" });
      occupy(world, "node-b", "other", given);
      return world;
    };
    const others = "{matchExpressions: [{key: app, operator: NotIn, values: [none]}]}";
    const [labelled, bare, elsewhere] = [between({ labels }), between({}), between({ labels })];
    budget(labelled, others, {});
    budget(bare, others, {});
    elsewhere.apply(`
      {apiVersion: v1, kind: Namespace, metadata: {name: elsewhere, namespace: ""}}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: keep, namespace: elsewhere}
      spec: {minAvailable: 1, selector: ${others}}`);
    assert.deepEqual(
      [labelled, bare, elsewhere].map((world) => goneFor(world)),
      [["important"], ["other"], ["other"]],
    );
  });

  test("a protected pod stays if deleting another one is enough", () => {
    const world = withClasses("node-a");
    occupy(world, "node-a", "kept", { cpu: "2", labels });
    occupy(world, "node-a", "free", { cpu: "2", priority: "middle" });
    budget(world, selector, {});
    assert.deepEqual(goneFor(world, "2"), ["free"]);
  });
});

suite("the pods of a node that are preempted", () => {
  test("are, among those of equal priority, the ones that have run for the shortest time", () => {
    const world = withClasses("node-a");
    occupy(world, "node-a", "young", { cpu: "2", startTime: at(20) });
    occupy(world, "node-a", "old", { cpu: "2", startTime: at(10) });
    assert.deepEqual(goneFor(world, "2"), ["young"]);
    const waiting = withClasses("node-a");
    occupy(waiting, "node-a", "waiting", { cpu: "2" });
    occupy(waiting, "node-a", "old", { cpu: "2", startTime: at(10) });
    assert.deepEqual(goneFor(waiting, "2"), ["waiting"]);
  });

  test("are, among those that have not started, the ones that were added first", () => {
    const world = withClasses("node-a");
    for (const name of ["first", "second"]) occupy(world, "node-a", name, { cpu: "2" });
    assert.deepEqual(goneFor(world, "2"), ["first"]);
    const three = withClasses("node-a");
    for (const name of ["first", "second", "third"]) occupy(three, "node-a", name, { cpu: "1" });
    assert.deepEqual(goneFor(three, "3"), ["first", "second"]);
  });

  test("are, among those started in the same second, the last changed, as the list moves its last one into a removed one's place", () => {
    const names = ["a", "b", "c"];
    const gone = (amount: string, ...changed: readonly string[]): readonly string[] => {
      const world = withClasses("node-a");
      for (const name of names) occupy(world, "node-a", name, { cpu: "1", startTime: at(10) });
      for (const name of changed) {
        const withIP = (pod: Pod): Pod => ({
          ...pod,
          status: { ...pod.status, podIP: "10.0.0.9" },
        });
        world.change("Pod", name, withIP as never, "status").run(10);
      }
      return goneFor(world, amount);
    };
    assert.deepEqual(gone("2"), ["c"]);
    assert.deepEqual(gone("2", "b"), ["b"]);
    // The list is a, c, b before; b takes the place of a.
    assert.deepEqual(gone("2", "b", "a"), ["a"]);
    assert.deepEqual(gone("3", "b", "a"), ["a", "c"]);
  });

  test("are the ones of lower priority, however long they have run", () => {
    const world = withClasses("node-a");
    occupy(world, "node-a", "young", { cpu: "2", priority: "middle", startTime: at(20) });
    occupy(world, "node-a", "old", { cpu: "2", startTime: at(10) });
    assert.deepEqual(goneFor(world, "2"), ["old"]);
  });
});

suite("a pod that is nominated for a node", () => {
  /** Returns what it preempts. A pod on its node is terminating; on the other node is one of an even lower priority. */
  const preempted = (
    leaving: Partial<Pod["spec"]>,
    reason: string | undefined,
    isCordoned = false,
  ): readonly string[] => {
    const world = withClasses("node-a", "node-b");
    world.pod(
      "leaving",
      { nodeName: "node-a", containers: containers(cpu), ...leaving },
      {
        finalizers: ["example.com/keep"],
      },
    );
    occupy(world, "node-b", "other", { priority: "minor" });
    const conditions = [{ type: "DisruptionTarget", status: "True", reason }];
    const marked = (pod: Pod): Pod => ({
      ...pod,
      status: { ...pod.status, ...(reason !== undefined && { conditions }) } as never,
    });
    world.change("Pod", "leaving", marked as never, "status").run(10);
    world.delete("Pod", "leaving").run(10);
    world.pod("urgent", {
      containers: containers(cpu),
      priorityClassName: "urgent",
      schedulingGates: [{ name: "example.com/wait" }],
    });
    const nominated = (pod: Pod): Pod => ({
      ...pod,
      status: { ...pod.status, nominatedNodeName: "node-a" },
    });
    world.change("Pod", "urgent", nominated as never, "status").run(10);
    const open = ({ spec: { schedulingGates: _, ...spec }, ...pod }: Pod): Pod => ({
      ...pod,
      spec,
    });
    if (isCordoned) {
      const cordon = (node: Node): Node => ({ ...node, spec: { unschedulable: true } });
      world.change("Node", "node-a", cordon as never).run(10);
    }
    world.change("Pod", "urgent", open as never).run(50);
    return world.events("Preempted").map(({ about }) => about.replace("Pod/default/", ""));
  };

  test("waits for a pod of lower priority there that is being preempted", () => {
    assert.deepEqual(preempted({}, "PreemptionByScheduler"), []);
  });

  test("does not wait once no pod's end would let it onto the node", () => {
    assert.deepEqual(preempted({}, "PreemptionByScheduler", true), ["other"]);
  });

  test("does not wait for pods that terminate for other reasons or have the same priority", () => {
    assert.deepEqual(preempted({}, "EvictionByEvictionAPI"), ["other"]);
    assert.deepEqual(preempted({}, undefined), ["other"]);
    assert.deepEqual(preempted({ priorityClassName: "urgent" }, "PreemptionByScheduler"), [
      "other",
    ]);
  });
});

function at(second: number): string {
  return `2025-12-31T23:00:${String(second).padStart(2, "0")}Z`;
}
