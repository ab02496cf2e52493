/** Topology spread and affinity between pods. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const zoneKey = "topology.kubernetes.io/zone";

function threeZones(version?: KubernetesVersion): SchedulerWorld {
  const world = new SchedulerWorld(version);
  for (const zone of ["a", "b", "c"]) world.node(`node-${zone}`, { labels: { [zoneKey]: zone } });
  return world;
}

const labels = { app: "web" };
const selector = { matchLabels: labels };

function near(kind: "podAffinity" | "podAntiAffinity", topologyKey: string): Partial<Pod["spec"]> {
  const term = { topologyKey, labelSelector: selector };
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

function wish(kind: "podAffinity" | "podAntiAffinity", topologyKey: string): Partial<Pod["spec"]> {
  const term = { weight: 100, podAffinityTerm: { topologyKey, labelSelector: selector } };
  return { affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

suite("affinity between pods", () => {
  test("a pod with anti-affinity to its own labels gets a zone for itself", () => {
    const world = threeZones();
    for (const name of ["one", "two", "three"]) {
      world.pod(name, near("podAntiAffinity", zoneKey), { labels }).run(20);
    }
    const nodes = ["one", "two", "three"].map((name) => world.nodeOf(name));
    assert.deepEqual(nodes.toSorted(), ["node-a", "node-b", "node-c"]);
    world.pod("four", near("podAntiAffinity", zoneKey), { labels }).run(20);
    assert.equal(
      world.messageOf("four"),
      "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
    );
  });

  test("the anti-affinity of existing pods keeps others away", () => {
    const world = new SchedulerWorld().node("node-a");
    world
      .pod("one", near("podAntiAffinity", "kubernetes.io/hostname"), { labels: { app: "db" } })
      .run(20);
    world.pod("two", {}, { labels }).run(20);
    assert.match(
      world.messageOf("two") ?? "",
      /1 node\(s\) didn't satisfy existing pods anti-affinity rules\./,
    );
    world.delete("Pod", "one").run(20);
    assert.equal(world.nodeOf("two"), "node-a");
  });

  test("a pod with affinity waits for the pods that it must be near, and follows them", () => {
    const world = threeZones();
    world.pod("follower", near("podAffinity", zoneKey)).run(20);
    assert.match(
      world.messageOf("follower") ?? "",
      /3 node\(s\) didn't match pod affinity rules\. .*3 Preemption is not helpful/,
    );
    const [first] = world.lastDecision("follower")?.candidates ?? [];
    assert.equal(first?.failed[0]?.wanted, `near pods with app=web in the same ${zoneKey}`);
    world.pod("leader", { nodeSelector: { [zoneKey]: "c" } }, { labels }).run(20);
    assert.equal(world.nodeOf("follower"), "node-c");
  });

  test("the first pod of a group with affinity to itself may go anywhere", () => {
    const world = threeZones();
    for (const name of ["one", "two"])
      world.pod(name, near("podAffinity", zoneKey), { labels }).run(20);
    assert.ok(world.nodeOf("one"));
    assert.equal(world.nodeOf("two"), world.nodeOf("one"));
  });

  test("preferences of the new pod and of existing pods count", () => {
    const world = threeZones();
    world.pod("leader", { nodeSelector: { [zoneKey]: "c" } }, { labels }).run(20);
    world.pod("friend", wish("podAffinity", zoneKey)).run(20);
    assert.equal(world.nodeOf("friend"), "node-c");
    world
      .pod("loner", { ...wish("podAntiAffinity", zoneKey), nodeSelector: { [zoneKey]: "a" } })
      .run(20);
    world.pod("kin", {}, { labels }).run(20);
    assert.equal(world.nodeOf("kin"), "node-c", "away from the loner, where the friend is");
  });

  test("a namespace selector reaches into other namespaces", () => {
    const world = threeZones();
    world.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: other, labels: {team: blue}}");
    world.apply(`
      apiVersion: v1
      kind: Pod
      metadata: {name: leader, namespace: other, labels: {app: web}}
      spec: {nodeSelector: {${zoneKey}: b}, containers: [{name: main, image: busybox}]}`);
    world.run(20);
    const namespaceSelector = { matchLabels: { team: "blue" } };
    const term = { topologyKey: zoneKey, labelSelector: selector, namespaceSelector };
    world.pod("follower", {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    });
    world.run(20);
    assert.equal(world.nodeOf("follower"), "node-b");
  });

  test("a namespace selector finds pods of a namespace that becomes known after the pods", () => {
    const namespaceSelector = { matchLabels: { team: "blue" } };
    const term = { topologyKey: zoneKey, labelSelector: selector, namespaceSelector };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const world = threeZones().pod("leader", {}, { labels }).run(20);
    const { api } = world.runtime;
    const leader = world.get("Pod", "leader");
    const elsewhere = { ...leader.metadata, namespace: "other", uid: "of another one" };
    world.runtime.as("test", undefined, () => api.restore({ ...leader, metadata: elsewhere }));
    world.run(20).pod("follower", { affinity }).run(20);
    assert.equal(world.nodeOf("follower"), undefined);
    world.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: other, labels: {team: blue}}");
    world.pod("another", { affinity }).run(20);
    assert.notEqual(world.nodeOf("another"), undefined);
  });
});

suite("topology spread", () => {
  const spread = (more: object = {}): Partial<Pod["spec"]> => ({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: zoneKey,
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: selector,
        ...more,
      },
    ],
  });

  test("zones fill up evenly", () => {
    const world = threeZones();
    for (let i = 0; i < 6; i++) world.pod(`web-${i}`, spread(), { labels }).run(20);
    const nodes = Array.from({ length: 6 }, (_, i) => world.nodeOf(`web-${i}`));
    for (const node of ["node-a", "node-b", "node-c"])
      assert.equal(nodes.filter((n) => n === node).length, 2);
  });

  test("a zone that cannot take the pod holds up the others", () => {
    const world = threeZones();
    world.change("Node", "node-c", (node) => ({ ...node, spec: { unschedulable: true } })).run(5);
    for (let i = 0; i < 3; i++) world.pod(`web-${i}`, spread(), { labels }).run(20);
    assert.match(
      world.messageOf("web-2") ?? "",
      /^0\/3 nodes are available: 1 node\(s\) were unschedulable, 2 node\(s\) didn't match pod topology spread constraints\. /,
    );
    world.change("Node", "node-c", (node) => ({ ...node, spec: {} })).run(20);
    assert.equal(world.nodeOf("web-2"), "node-c");
  });

  test("with an empty selector no pod counts, and a zone takes as many as have room", () => {
    const world = threeZones();
    const everybody = spread({ labelSelector: {}, nodeAffinityPolicy: "Ignore" });
    const pod = { ...everybody, nodeSelector: { [zoneKey]: "a" } };
    for (const name of ["one", "two", "three"]) {
      world.pod(name, pod, { labels }).run(20);
      assert.equal(world.nodeOf(name), "node-a");
    }
  });

  for (const version of ["1.32", "1.36"] as const) {
    test(`pods with another value of a key that has to match do not count in ${version}`, () => {
      const world = threeZones(version);
      const inA = { nodeSelector: { [zoneKey]: "a" } };
      for (const name of ["old-1", "old-2"])
        world.pod(name, inA, { labels: { ...labels, revision: "old" } }).run(20);
      const pod = {
        ...spread({ matchLabelKeys: ["revision"], nodeAffinityPolicy: "Ignore" }),
        ...inA,
      };
      world.pod("old-3", pod, { labels: { ...labels, revision: "old" } }).run(20);
      assert.match(world.messageOf("old-3") ?? "", /didn't match pod topology spread constraints/);
      world.pod("new-1", pod, { labels: { ...labels, revision: "new" } }).run(20);
      assert.equal(world.nodeOf("new-1"), "node-a");
    });
  }

  test("a node without the key cannot take the pod", () => {
    const world = new SchedulerWorld().node("node-a");
    world.pod("web", spread(), { labels }).run(20);
    assert.match(
      world.messageOf("web") ?? "",
      /1 node\(s\) didn't match pod topology spread constraints \(missing required label\)\. .*1 Preemption is not helpful/,
    );
  });

  test("with fewer domains than minDomains an empty one is imagined", () => {
    const world = threeZones();
    for (let i = 0; i < 4; i++)
      world.pod(`web-${i}`, spread({ minDomains: 4 }), { labels }).run(20);
    assert.ok(world.nodeOf("web-2"));
    assert.equal(world.nodeOf("web-3"), undefined);
  });

  test("soft constraints only weigh", () => {
    const world = threeZones();
    const soft = spread({ whenUnsatisfiable: "ScheduleAnyway" });
    for (const name of ["one", "two"])
      world.pod(name, { ...soft, nodeSelector: { [zoneKey]: "a" } }, { labels }).run(20);
    world.pod("three", soft, { labels }).run(20);
    assert.equal(world.nodeOf("three"), "node-b");
  });

  test("pods of one service spread by themselves", () => {
    const world = threeZones();
    world.apply(`
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}, ports: [{port: 80}]}`);
    const requests = { cpu: "100m", memory: "100Mi" };
    const big = {
      containers: [
        { name: "main", image: "busybox", resources: { requests: { cpu: "1", memory: "2Gi" } } },
      ],
    };
    const small = { containers: [{ name: "main", image: "busybox", resources: { requests } }] };
    world.pod("other-b", { ...big, nodeSelector: { [zoneKey]: "b" } }).run(20);
    world.pod("other-c", { ...big, nodeSelector: { [zoneKey]: "c" } }).run(20);
    world.pod("one", small, { labels }).run(20);
    assert.equal(world.nodeOf("one"), "node-a", "the emptiest node");
    world.pod("two", small, { labels }).run(20);
    assert.equal(
      world.nodeOf("two"),
      "node-b",
      "the emptiest node has a pod of the service already",
    );
  });
});
