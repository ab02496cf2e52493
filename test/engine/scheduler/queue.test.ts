/** When the scheduler tries pods, and when it retries them. */
import assert from "node:assert/strict";
import { SchedulerWorld } from "./scheduler-world.ts";

const priorityClass = (name: string, value: number, more = ""): string => `
  apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: {name: ${name}}
  value: ${value}
  ${more}`;

/** An unbound claim of a WaitForFirstConsumer class: the scheduler writes the chosen node to it. */
const delayedClaim = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: late}
provisioner: block.csi.test
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: late, accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}}`;

suite("scheduling queue", () => {
  test("a pod with scheduling gates is not tried until they are removed", () => {
    const world = new SchedulerWorld().node("node-a");
    world.pod("web", { schedulingGates: [{ name: "example.com/approval" }] }).run(400_000);
    assert.equal(world.nodeOf("web"), undefined);
    assert.equal(world.events("FailedScheduling").length, 0);
    world.change("Pod", "web", (pod) => {
      const { schedulingGates: _, ...spec } = pod.spec;
      return { ...pod, spec };
    });
    assert.equal(world.run(20).nodeOf("web"), "node-a");
  });

  test("of waiting pods, the one of the highest priority is tried first", () => {
    const world = new SchedulerWorld().apply(priorityClass("urgent", 1000));
    world.pod("low").run(20).pod("high", { priorityClassName: "urgent" }).run(20);
    world.node("node-a", { allocatable: { pods: "1" } }).run(2_000);
    assert.equal(world.nodeOf("high"), "node-a");
    assert.equal(world.nodeOf("low"), undefined);
  });

  test("without nodes a pod is retried as after an error, and a new node does not wake it", () => {
    const world = new SchedulerWorld().pod("web").run(12_000);
    assert.deepEqual(
      world.events("FailedScheduling").map(({ at }) => Math.floor(at / 1_000)),
      [0, 2, 5],
    );
    world.node("node-a").run(6_900);
    assert.equal(world.nodeOf("web"), undefined);
    assert.equal(world.run(200).nodeOf("web"), "node-a");
  });

  test("events that cannot help do not make a rejected pod retried", () => {
    const world = new SchedulerWorld().node("node-a").pod("web", { nodeSelector: { disk: "ssd" } });
    world.run(2_000).node("node-b").pod("other").run(2_000);
    world
      .change("Node", "node-a", (node) => ({ ...node, spec: { unschedulable: true } }))
      .run(2_000);
    assert.equal(world.events("FailedScheduling").length, 1);
  });

  test("a label that helps makes the pod retried at once if the scheduler is idle", () => {
    const world = new SchedulerWorld().node("node-a").pod("web", { nodeSelector: { disk: "ssd" } });
    const labelled = { disk: "ssd", "kubernetes.io/hostname": "node-a" };
    world.run(100).change("Node", "node-a", (node) => ({
      ...node,
      metadata: { ...node.metadata, labels: labelled },
    }));
    assert.equal(world.run(20).nodeOf("web"), "node-a");
  });

  test("up to 1.32 a pod waits for the end of its back-off, at a whole second", () => {
    const world = new SchedulerWorld("1.32")
      .node("node-a")
      .pod("web", { nodeSelector: { disk: "ssd" } });
    const labelled = { disk: "ssd", "kubernetes.io/hostname": "node-a" };
    world.run(100).change("Node", "node-a", (node) => ({
      ...node,
      metadata: { ...node.metadata, labels: labelled },
    }));
    assert.equal(world.run(1_800).nodeOf("web"), undefined);
    assert.equal(world.run(200).nodeOf("web"), "node-a");
  });

  test("a rejected pod is retried in any case after five minutes, checked every half minute", () => {
    const slow = { nodeSelector: { disk: "ssd" } };
    const world = new SchedulerWorld().node("node-a").pod("web", slow).run(40_000);
    const failures = (): readonly string[] => world.events("FailedScheduling").map((e) => e.about);
    world.pod("later", slow).run(288_000);
    assert.deepEqual(failures(), ["Pod/default/web", "Pod/default/later"]);
    world.run(4_000);
    assert.deepEqual(failures().slice(2), ["Pod/default/web"]);
    world.run(26_000);
    assert.equal(failures().length, 3);
    world.run(4_000);
    assert.deepEqual(failures().slice(3), ["Pod/default/later"]);
  });

  test("an idle scheduler does nothing", () => {
    const world = new SchedulerWorld().node("node-a").pod("web").run(1_000);
    const before = world.runtime.loop.eventCount;
    world.run(3_600_000);
    assert.equal(world.runtime.loop.eventCount, before);
  });

  test("a binding that fails is reported and retried after a second", () => {
    const world = new SchedulerWorld().node("node-a");
    world.pod("web");
    // The pod is replaced while its binding is under way.
    world.run(2).delete("Pod", "web").pod("web").run(900);
    const [failure] = world.events("FailedScheduling");
    assert.match(
      failure?.message ?? "",
      /^running Bind plugin "DefaultBinder": Operation cannot be fulfilled on pods "web": StorageError: invalid object, Code: 4, Key: \/pods\/default\/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: \S+, UID in object meta: \S+$/,
    );
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("after an error a pod is retried at the end of the second in which its back-off ends", () => {
    const world = new SchedulerWorld().node("node-a").apply(delayedClaim);
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    world.run(300).pod("web", { volumes }).run(5);
    world.change("PersistentVolumeClaim", "data", (claim) => ({
      ...claim,
      metadata: { ...claim.metadata, labels: { changed: "between" } },
    }));
    const chosen = (): string | undefined =>
      world.get("PersistentVolumeClaim", "data").metadata.annotations?.[
        "volume.kubernetes.io/selected-node"
      ];
    assert.equal(world.run(100).events("FailedScheduling").length, 1);
    world.run(1_990 - world.runtime.loop.now);
    assert.equal(chosen(), undefined);
    world.run(60);
    assert.equal(chosen(), "node-a");
  });

  for (const [version, seconds] of [
    ["1.33", 2],
    ["1.34", 1],
  ] as const) {
    test(`an error after a rejection makes the pod wait ${seconds} s (${version})`, () => {
      const world = new SchedulerWorld(version).node("node-a", { unschedulable: true });
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
      world.apply(delayedClaim).run(300).pod("web", { volumes }).run(50);
      world.change("Node", "node-a", (node) => ({ ...node, spec: {} })).run(2);
      world.change("PersistentVolumeClaim", "data", (claim) => ({
        ...claim,
        metadata: { ...claim.metadata, labels: { changed: "between" } },
      }));
      assert.equal(world.run(100).events("FailedScheduling").length, 2);
      // A second that has begun counts as a whole one.
      const end = (seconds + 1) * 1_000;
      const { loop } = world.runtime;
      const node = (): string | undefined =>
        world.get("PersistentVolumeClaim", "data").metadata.annotations?.[
          "volume.kubernetes.io/selected-node"
        ];
      assert.equal(world.run(end - 10 - loop.now).events("FailedScheduling").length, 2);
      assert.equal(node(), undefined);
      assert.equal(world.run(60) && node(), "node-a");
    });
  }

  test("the next pod waits until the previous one's failure is written", () => {
    const world = new SchedulerWorld().node("node-a");
    const nowhere = { nodeSelector: { disk: "ssd" } };
    world.pod("first", nowhere).pod("second", nowhere).run(100);
    const [first, second] = world.runtime.trace.entries.flatMap((entry) =>
      entry.type === "event" && entry.reason === "FailedScheduling" ? [entry.at] : [],
    );
    assert.ok(first !== undefined && second !== undefined);
    assert.ok(second - first > 10, `${first} ${second}`);
  });

  test("a pod that is being deleted is skipped with an event", () => {
    const world = new SchedulerWorld();
    world
      .pod("web", {}, { finalizers: ["example.com/hold"] })
      .run(20)
      .delete("Pod", "web")
      .run(20);
    world.node("node-a").run(2_000);
    assert.equal(world.nodeOf("web"), undefined);
    assert.ok(
      world
        .events("FailedScheduling")
        .some((e) => e.message === "skip schedule deleting pod: default/web"),
    );
  });

  test("a pod that was skipped is tried again on each of its changes", () => {
    const world = new SchedulerWorld();
    world.pod("web", {}, { finalizers: ["example.com/hold", "example.com/too"] }).run(20);
    world.delete("Pod", "web").run(20).node("node-a").run(2_000);
    const skips = (): number =>
      world.events("FailedScheduling").filter((e) => e.message.startsWith("skip schedule")).length;
    assert.equal(skips(), 1);
    world.change("Pod", "web", (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, finalizers: ["example.com/hold"] },
    }));
    world.run(20);
    assert.equal(skips(), 2);
  });

  test("a pod that has ended frees its room", () => {
    const world = new SchedulerWorld().node("node-a", { allocatable: { pods: "1" } });
    world.pod("first").run(20).pod("second").run(20);
    assert.equal(world.nodeOf("second"), undefined);
    world.change("Pod", "first", (pod) => ({ ...pod, status: { phase: "Succeeded" } }), "status");
    assert.equal(world.run(20).nodeOf("second"), "node-a");
  });

  test("after a restart the scheduler knows the waiting pods and those on nodes", () => {
    const world = new SchedulerWorld().node("node-a", { allocatable: { pods: "1" } });
    world.pod("first").run(20).pod("second").run(20);
    world.runtime.stop("kube-scheduler");
    world.runtime.startAgain("kube-scheduler", 1_000);
    world.run(2_000).delete("Pod", "first");
    assert.equal(world.run(20).nodeOf("second"), "node-a");
  });

  test("the same seed gives the same trace", () => {
    const trace = (): string => {
      const world = new SchedulerWorld("1.36", 7);
      for (const name of ["a", "b", "c"]) world.node(`node-${name}`);
      for (let i = 0; i < 50; i++) world.pod(`web-${i}`, {}, { labels: { app: `app-${i % 3}` } });
      return JSON.stringify(world.run(1_000).runtime.trace.entries);
    };
    assert.equal(trace(), trace());
  });
});
