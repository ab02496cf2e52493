/**
 * Which waiting pods are retried after a change of the cluster, from upstream's table for each plugin.
 * Upstream: test/integration/scheduler/queueing CoreResourceEnqueueTestCases. Pods near pods are in wake-ups.test.ts.
 */
import assert from "node:assert/strict";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import { type NodeGiven, SchedulerWorld } from "./scheduler-world.ts";

type Spec = Partial<Pod["spec"]>;

interface Row {
  readonly what: string;
  readonly nodes: readonly NodeGiven[];
  /** The first runs on the first node, the second on the second. */
  readonly running?: readonly Spec[];
  readonly waiting: Readonly<Record<string, Spec>>;
  readonly change: (world: SchedulerWorld) => unknown;
  readonly tried: readonly string[];
}

const tainted = (key: string): NodeGiven => ({ taints: [{ key, effect: "NoSchedule" }] });
const tolerating = (key: string): Spec => ({ tolerations: [{ key, operator: "Exists" }] });
const labels = { app: "web" };

function onPort(hostPort: number): Spec {
  return { containers: [{ name: "main", image: "web", ports: [{ containerPort: 80, hostPort }] }] };
}

function inGroup(group: string, cpu = "0"): Spec {
  const term = { matchExpressions: [{ key: "group", operator: "In", values: [group] }] };
  const required = { nodeSelectorTerms: [term] };
  return {
    containers: [{ name: "main", image: "web", resources: { requests: { cpu } } }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  };
}

function spreadBy(topologyKey: string): Spec {
  const rest = { maxSkew: 1, minDomains: 3, labelSelector: { matchLabels: labels } };
  return {
    topologySpreadConstraints: [{ topologyKey, whenUnsatisfiable: "DoNotSchedule", ...rest }],
  };
}

function setSpec(world: SchedulerWorld, name: string, spec: Node["spec"]): void {
  world.change("Node", name, (node) => ({ ...node, spec }));
}

function label(world: SchedulerWorld, name: string, given: Readonly<Record<string, string>>): void {
  world.change("Node", name, (node) => ({
    ...node,
    metadata: { ...node.metadata, labels: given },
  }));
}

const rows: readonly Row[] = [
  {
    what: "a pod with the same host port is deleted",
    nodes: [{}],
    running: [onPort(8080)],
    waiting: { same: onPort(8080), fixed: { ...onPort(8080), nodeSelector: { group: "none" } } },
    change: (world) => world.delete("Pod", "running-0"),
    tried: ["same"],
  },
  {
    what: "a pod with another host port is deleted",
    nodes: [{}, {}],
    running: [onPort(8080), onPort(8080), onPort(8081)],
    waiting: { same: onPort(8080) },
    change: (world) => world.delete("Pod", "running-2"),
    tried: [],
  },
  {
    what: "a node with free ports is added",
    nodes: [{}],
    running: [onPort(8080)],
    waiting: { same: onPort(8080) },
    change: (world) => world.node("new"),
    tried: ["same"],
  },
  {
    what: "another cordoned node is added",
    nodes: [{ unschedulable: true }],
    waiting: { any: {} },
    change: (world) => world.node("new", { unschedulable: true }),
    tried: [],
  },
  {
    what: "a node is uncordoned",
    nodes: [{ unschedulable: true }],
    waiting: { any: {} },
    change: (world) => setSpec(world, "node-0", {}),
    tried: ["any"],
  },
  {
    what: "a node with a taint that one tolerates is added",
    nodes: [tainted("old")],
    waiting: { tolerating: tolerating("new"), other: {} },
    change: (world) => world.node("new", tainted("new")),
    tried: ["tolerating"],
  },
  {
    what: "a node's taint changes to one that one tolerates",
    nodes: [tainted("old")],
    waiting: { tolerating: tolerating("new"), other: tolerating("third") },
    change: (world) => setSpec(world, "node-0", tainted("new")),
    tried: ["tolerating"],
  },
  {
    what: "a node gets a label that one requires",
    nodes: [{ labels: { group: "a" } }],
    waiting: { b: inGroup("b"), c: inGroup("c") },
    change: (world) => label(world, "node-0", { group: "b" }),
    tried: ["b"],
  },
  {
    what: "a node that has the required label gets another",
    nodes: [{ labels: { group: "a" } }, { labels: { group: "b" } }],
    waiting: { large: inGroup("a", "8") },
    change: (world) => label(world, "node-0", { group: "a", zone: "a" }),
    tried: [],
  },
  {
    what: "a node gets labels that topology spread uses",
    nodes: [
      { labels: { host: "a", region: "r", rack: "a" } },
      { labels: { host: "a", region: "r" } },
    ],
    running: [{}, {}],
    waiting: {
      host: spreadBy("host"),
      zone: spreadBy("zone"),
      region: spreadBy("region"),
      rack: spreadBy("rack"),
    },
    change: (world) => label(world, "node-1", { zone: "a", region: "r" }),
    tried: ["host", "zone"],
  },
  {
    what: "a node that topology spread counts is deleted",
    nodes: [{ labels: { host: "a" } }, { labels: { zone: "a" } }],
    running: [{}, {}],
    waiting: { host: spreadBy("host"), zone: spreadBy("zone") },
    change: (world) => world.delete("Node", "node-1"),
    tried: ["zone"],
  },
  {
    what: "a taint of a node that topology spread counts changes",
    nodes: [{ labels: { host: "a" } }, { labels: { zone: "a" }, ...tainted("old") }],
    running: [{}, {}],
    waiting: { host: spreadBy("host"), zone: spreadBy("zone") },
    change: (world) => setSpec(world, "node-1", tainted("new")),
    tried: ["zone"],
  },
];

suite("of waiting pods", () => {
  for (const { what, nodes, running = [], waiting, change, tried } of rows) {
    test(`${tried.length === 0 ? "none" : `only ${tried.join(" and ")}`} is retried when ${what}`, () => {
      const world = new SchedulerWorld();
      for (const [index, node] of nodes.entries()) world.node(`node-${index}`, node);
      for (const [index, spec] of running.entries()) {
        const nodeName = `node-${index % nodes.length}`;
        world.pod(`running-${index}`, { ...spec, nodeName }, { labels });
      }
      for (const [name, spec] of Object.entries(waiting)) world.pod(name, spec, { labels }).run(50);
      const attempts = (pod: string): number =>
        ["FailedScheduling", "Scheduled"]
          .flatMap((reason) => world.events(reason))
          .filter(({ about }) => about === `Pod/default/${pod}`).length;
      const names = Object.keys(waiting);
      assert.deepEqual(
        names.map(attempts),
        names.map(() => 1),
      );
      change(world);
      world.run(40);
      assert.deepEqual(
        names.filter((name) => attempts(name) > 1),
        tried,
      );
    });
  }
});
