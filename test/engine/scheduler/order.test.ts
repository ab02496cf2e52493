/** Which pod is tried first, which leaves room for which, and how much each plugin's score counts. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import { podInfo } from "../../../src/engine/scheduler/cache/pod-info.ts";
import { defaultPlugins } from "../../../src/engine/scheduler/default-plugins.ts";
import { Heap } from "../../../src/engine/scheduler/queue/heap.ts";
import { Nominator } from "../../../src/engine/scheduler/queue/nominator.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const values: Readonly<Record<string, number>> = { urgent: 1000, top: 2000 };

function withClasses(): SchedulerWorld {
  const world = new SchedulerWorld();
  for (const [name, value] of Object.entries(values)) {
    world.apply(
      `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ${name}}, value: ${value}}`,
    );
  }
  return world;
}

const asking = (cpu: string, priorityClassName?: string): Partial<Pod["spec"]> => ({
  containers: [{ name: "main", image: "busybox", resources: { requests: { cpu } } }],
  ...(priorityClassName !== undefined && { priorityClassName }),
});

suite("the order of pods", () => {
  test("is by priority, then by age", () => {
    const world = withClasses();
    const classes = [undefined, "top", "urgent", undefined, "urgent", "top", undefined, "urgent"];
    for (const [i, name] of classes.entries()) world.pod(`p${i}`, asking("1", name)).run(20);
    world.node("node-a", { allocatable: { cpu: "8" } }).run(2_000);
    const scheduled = world.events("Scheduled").map(({ about }) => about.split("/").at(-1));
    assert.deepEqual(scheduled, ["p1", "p5", "p2", "p4", "p7", "p0", "p3", "p6"]);
  });

  test("is kept by a heap while items are pushed and popped", () => {
    const heap = new Heap<number>((a, b) => a < b);
    const kept: number[] = [];
    const takeLeast = (): void => {
      const least = Math.min(...kept);
      assert.equal(heap.first, least);
      assert.equal(heap.pop(), least);
      kept.splice(kept.indexOf(least), 1);
    };
    // Multiples of 37 give every remainder of 101 once, in mixed order.
    for (let i = 1; i <= 100; i++) {
      const item = (37 * i) % 101;
      heap.push(item);
      kept.push(item);
      if (i % 3 === 0) takeLeast();
    }
    while (kept.length > 0) takeLeast();
    assert.deepEqual([heap.first, heap.pop()], [undefined, undefined]);
  });
});

suite("nominated nodes", () => {
  test("a nomination replaces the pod's previous one, and ends with the pod", () => {
    const nominator = new Nominator();
    const info = (name: string): ReturnType<typeof podInfo> =>
      podInfo({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace: "default", uid: name } as Pod["metadata"],
        spec: { containers: [] },
      });
    const names = (node: string): readonly string[] => nominator.on(node).map(({ uid }) => uid);
    nominator.nominate(info("one"), "node-a");
    nominator.nominate(info("two"), "node-a");
    assert.deepEqual(names("node-a"), ["one", "two"]);
    nominator.nominate(info("one"), "node-b");
    assert.deepEqual([names("node-a"), names("node-b")], [["two"], ["one"]]);
    nominator.nominate(info("two"), "");
    assert.deepEqual([names("node-a"), names("")], [[], []]);
    nominator.forget("one");
    nominator.forget("nobody");
    assert.deepEqual(names("node-b"), []);
  });

  /** A pod is nominated for three of four CPUs that a terminating pod still uses. */
  const nominated = (): SchedulerWorld => {
    const world = withClasses().node("node-a", { allocatable: { cpu: "4" } });
    world.pod("leaving", asking("3"), { finalizers: ["example.com/keep"] }).run(20);
    return world.pod("nominated", asking("3", "urgent")).run(50);
  };

  test("pods of the same or a lower priority leave room for a nominated pod", () => {
    const world = nominated();
    world.pod("equal", asking("1", "urgent")).pod("lesser", asking("1")).run(50);
    assert.deepEqual([world.nodeOf("equal"), world.nodeOf("lesser")], [undefined, undefined]);
  });

  test("pods of a higher priority leave no room for it", () => {
    const world = nominated().pod("greater", asking("1", "top")).run(50);
    assert.equal(world.nodeOf("greater"), "node-a");
  });
});

suite("the weights of scores", () => {
  test("are those of the default profile", () => {
    const world = new SchedulerWorld();
    let weights: Readonly<Record<string, number>> = {};
    world.runtime.start({
      name: "look",
      source: "look",
      start: (context) => {
        const { all } = defaultPlugins(context);
        weights = Object.fromEntries(
          all.flatMap(({ name, weight }) => (weight === undefined ? [] : [[name, weight]])),
        );
      },
    });
    assert.deepEqual(weights, {
      TaintToleration: 3,
      NodeAffinity: 2,
      NodeResourcesFit: 1,
      PodTopologySpread: 2,
      InterPodAffinity: 2,
      NodeResourcesBalancedAllocation: 1,
      ImageLocality: 1,
    });
  });
});

suite("a pod that tolerates no node's taints", () => {
  const taint = (key: string, effect = "NoSchedule") => ({ key, effect });
  const failures = (world: SchedulerWorld): number =>
    world.run(100).events("FailedScheduling").length;
  const retaint = (world: SchedulerWorld, ...taints: ReturnType<typeof taint>[]): void => {
    world.change("Node", "node-a", (node) => ({ ...node, spec: { ...node.spec, taints } }));
  };
  const tainted = (): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a", { taints: [taint("a"), taint("b")] })
      .pod("web")
      .run(100);

  test("is retried when a node has no untolerated taint any more", () => {
    const world = tainted();
    retaint(world, taint("b"));
    assert.deepEqual([world.nodeOf("web"), failures(world)], [undefined, 1]);
    retaint(world, taint("b", "PreferNoSchedule"));
    assert.equal(world.run(100).nodeOf("web"), "node-a");
  });

  test("is retried for a new node whose taints it tolerates, but for no other", () => {
    const world = tainted().node("node-b", { taints: [taint("c", "NoExecute")] });
    assert.deepEqual([world.nodeOf("web"), failures(world)], [undefined, 1]);
    assert.equal(world.node("node-c").run(100).nodeOf("web"), "node-c");
  });

  test("is retried when it tolerates more", () => {
    const world = tainted();
    world.change("Pod", "web", (pod) => ({
      ...pod,
      spec: { ...pod.spec, tolerations: [...(pod.spec.tolerations ?? []), { operator: "Exists" }] },
    }));
    assert.equal(world.run(100).nodeOf("web"), "node-a");
  });
});
