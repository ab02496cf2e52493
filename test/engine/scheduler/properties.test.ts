/** For random clusters and orders of pods: no pod is placed where it must not be, and none waits that would fit. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Pod } from "../../../src/engine/api/types.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

interface GivenNode {
  readonly cpu: number;
  readonly tainted: boolean;
  readonly zone: number;
}

interface GivenPod {
  readonly cpu: number;
  readonly tolerates: boolean;
  readonly port: number | undefined;
  readonly alone: boolean;
  readonly zone: number | undefined;
  /** True if it is deleted once everything has come to rest. */
  readonly leaves: boolean;
}

const zoneKey = "topology.kubernetes.io/zone";

const givenNodes = fc.array(
  fc.record({
    cpu: fc.integer({ min: 1, max: 4 }),
    tainted: fc.boolean(),
    zone: fc.integer({ min: 0, max: 1 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const givenPods = fc.array(
  fc.record({
    cpu: fc.integer({ min: 0, max: 3 }),
    tolerates: fc.boolean(),
    port: fc.option(fc.integer({ min: 8000, max: 8001 }), { nil: undefined, freq: 3 }),
    alone: fc.boolean(),
    zone: fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined, freq: 3 }),
    leaves: fc.boolean(),
  }),
  { maxLength: 12 },
);

function podSpec({ cpu, tolerates, port, alone, zone }: GivenPod): Partial<Pod["spec"]> {
  const ports = port === undefined ? [] : [{ containerPort: 80, hostPort: port }];
  const resources = { requests: { cpu: String(cpu) } };
  const term = {
    topologyKey: "kubernetes.io/hostname",
    labelSelector: { matchLabels: { alone: "true" } },
  };
  return {
    containers: [{ name: "main", image: "busybox", ports, resources }],
    ...(tolerates && { tolerations: [{ key: "team", operator: "Exists" }] }),
    ...(zone !== undefined && { nodeSelector: { [zoneKey]: String(zone) } }),
    ...(alone && {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    }),
  };
}

/** True if the pod could be on the node beside these others. Written without the scheduler's code. */
function fits(pod: GivenPod, node: GivenNode, others: readonly GivenPod[]): boolean {
  const cpu = others.reduce((sum, other) => sum + other.cpu, pod.cpu);
  return (
    (cpu <= node.cpu || pod.cpu === 0) &&
    (!node.tainted || pod.tolerates) &&
    (pod.zone === undefined || pod.zone === node.zone) &&
    (pod.port === undefined || others.every((other) => other.port !== pod.port)) &&
    (!pod.alone || others.every((other) => !other.alone))
  );
}

function build(nodes: readonly GivenNode[], pods: readonly GivenPod[]): SchedulerWorld {
  const world = new SchedulerWorld();
  const taints = [{ key: "team", effect: "NoSchedule" }];
  for (const [i, { cpu, tainted, zone }] of nodes.entries()) {
    world.node(`node-${i}`, {
      labels: { [zoneKey]: String(zone) },
      allocatable: { cpu: String(cpu) },
      ...(tainted && { taints }),
    });
  }
  for (const [i, pod] of pods.entries())
    world.pod(`pod-${i}`, podSpec(pod), { labels: { alone: String(pod.alone) } });
  world.run(1_000);
  for (const [i, { leaves }] of pods.entries()) if (leaves) world.delete("Pod", `pod-${i}`);
  return world.run(30_000);
}

function check(
  world: SchedulerWorld,
  nodes: readonly GivenNode[],
  pods: readonly GivenPod[],
): void {
  const placed = nodes.map((): GivenPod[] => []);
  const waiting: GivenPod[] = [];
  for (const [i, pod] of pods.entries()) {
    if (pod.leaves) continue;
    const node = world.nodeOf(`pod-${i}`);
    if (node === undefined) waiting.push(pod);
    else placed[Number(node.slice("node-".length))]?.push(pod);
  }
  for (const [i, node] of nodes.entries()) {
    const there = placed[i] ?? [];
    for (const pod of there)
      assert.ok(
        fits(
          pod,
          node,
          there.filter((other) => other !== pod),
        ),
        `${JSON.stringify(pod)} on node-${i}`,
      );
    for (const pod of waiting)
      assert.ok(
        !fits(pod, node, there),
        `${JSON.stringify(pod)} waits, though node-${i} could take it`,
      );
  }
}

suite("placement of any pods on any nodes", () => {
  test("obeys the rules, and leaves no pod waiting that fits", () => {
    fc.assert(
      fc.property(givenNodes, givenPods, (nodes, pods) => check(build(nodes, pods), nodes, pods)),
      { seed: 1, numRuns: 60 },
    );
  });

  test("is the same in a second run", () => {
    fc.assert(
      fc.property(givenNodes, givenPods, (nodes, pods) => {
        const [one, two] = [build(nodes, pods), build(nodes, pods)];
        assert.equal(
          JSON.stringify(one.runtime.trace.entries),
          JSON.stringify(two.runtime.trace.entries),
        );
      }),
      { seed: 2, numRuns: 10 },
    );
  });
});
