/**
 * Which of the pods that wait a change of the cluster has tried again, as upstream's table says it that is played with each
 * plugin. Upstream: test/integration/scheduler/queueing CoreResourceEnqueueTestCases. Of pods near pods see wake-ups.test.ts.
 */
import assert from "node:assert/strict";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import { type NodeGiven, SchedulerWorld } from "./scheduler-world.ts";

type Spec = Partial<Pod["spec"]>;

interface Row {
  readonly what: string;
  readonly nodes: readonly NodeGiven[];
  /** Pods that run on the first node, then on the second. */
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
    what: "a pod with the same host port goes",
    nodes: [{}],
    running: [onPort(8080)],
    waiting: { same: onPort(8080), fixed: { ...onPort(8080), nodeSelector: { group: "none" } } },
    change: (world) => world.delete("Pod", "running-0"),
    tried: ["same"],
  },
  {
    what: "a pod with another host port goes",
    nodes: [{}, {}],
    running: [onPort(8080), onPort(8080), onPort(8081)],
    waiting: { same: onPort(8080) },
    change: (world) => world.delete("Pod", "running-2"),
    tried: [],
  },
  {
    what: "a node comes whose ports are free",
    nodes: [{}],
    running: [onPort(8080)],
    waiting: { same: onPort(8080) },
    change: (world) => world.node("new"),
    tried: ["same"],
  },
  {
    what: "a node comes that takes no pods, where the others take none",
    nodes: [{ unschedulable: true }],
    waiting: { any: {} },
    change: (world) => world.node("new", { unschedulable: true }),
    tried: [],
  },
  {
    what: "a node takes pods again",
    nodes: [{ unschedulable: true }],
    waiting: { any: {} },
    change: (world) => setSpec(world, "node-0", {}),
    tried: ["any"],
  },
  {
    what: "a node comes with a taint that one of them tolerates",
    nodes: [tainted("old")],
    waiting: { tolerating: tolerating("new"), other: {} },
    change: (world) => world.node("new", tainted("new")),
    tried: ["tolerating"],
  },
  {
    what: "a node gets another taint that one of them tolerates",
    nodes: [tainted("old")],
    waiting: { tolerating: tolerating("new"), other: tolerating("third") },
    change: (world) => setSpec(world, "node-0", tainted("new")),
    tried: ["tolerating"],
  },
  {
    what: "a node gets a label that one of them asks for",
    nodes: [{ labels: { group: "a" } }],
    waiting: { b: inGroup("b"), c: inGroup("c") },
    change: (world) => label(world, "node-0", { group: "b" }),
    tried: ["b"],
  },
  {
    what: "a node gets a label beside the one that was asked for already",
    nodes: [{ labels: { group: "a" } }, { labels: { group: "b" } }],
    waiting: { large: inGroup("a", "8") },
    change: (world) => label(world, "node-0", { group: "a", zone: "a" }),
    tried: [],
  },
  {
    what: "a node's labels change that others are spread by",
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
    what: "a node goes that some are spread over",
    nodes: [{ labels: { host: "a" } }, { labels: { zone: "a" } }],
    running: [{}, {}],
    waiting: { host: spreadBy("host"), zone: spreadBy("zone") },
    change: (world) => world.delete("Node", "node-1"),
    tried: ["zone"],
  },
  {
    what: "a node's taint changes that some are spread over",
    nodes: [{ labels: { host: "a" } }, { labels: { zone: "a" }, ...tainted("old") }],
    running: [{}, {}],
    waiting: { host: spreadBy("host"), zone: spreadBy("zone") },
    change: (world) => setSpec(world, "node-1", tainted("new")),
    tried: ["zone"],
  },
];

suite("of pods that wait", () => {
  for (const { what, nodes, running = [], waiting, change, tried } of rows) {
    test(`${tried.length === 0 ? "none is" : `${tried.join(" and ")} alone is`} tried when ${what}`, () => {
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
