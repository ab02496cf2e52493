/** Which of several fitting nodes is chosen. */
import assert from "node:assert/strict";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { NodeInfo } from "../../../src/engine/scheduler/cache/node-info.ts";
import { podInfo } from "../../../src/engine/scheduler/cache/pod-info.ts";
import { SchedulerCache } from "../../../src/engine/scheduler/cache/scheduler-cache.ts";
import type { Plugin } from "../../../src/engine/scheduler/framework/plugin.ts";
import { nodeResourcesBalancedAllocation } from "../../../src/engine/scheduler/plugins/node-resources-balanced-allocation.ts";
import { nodeResourcesFit } from "../../../src/engine/scheduler/plugins/node-resources-fit.ts";
import { Nominator } from "../../../src/engine/scheduler/queue/nominator.ts";
import { SchedulingCycle } from "../../../src/engine/scheduler/scheduling-cycle.ts";

const stamp = { uid: "", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

function node(name: string): Node {
  const allocatable = { cpu: "10", memory: "10Gi", pods: "110" };
  const metadata = { ...stamp, name };
  return { apiVersion: "v1", kind: "Node", metadata, spec: {}, status: { allocatable } };
}

function pod(name: string, requests: Record<string, string>, nodeName?: string): Pod {
  const containers = [{ name: "main", resources: { requests } }];
  const metadata = { ...stamp, name, namespace: "default", uid: name };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { containers, ...(nodeName && { nodeName }) },
  };
}

function score(plugin: Plugin, asking: Pod, ...there: Pod[]): number | undefined {
  const info = new NodeInfo(node("a"), there.map(podInfo));
  const cache = new SchedulerCache(() => undefined);
  return plugin.preScore?.(podInfo(asking), [info], cache)?.score(info);
}

suite("scores", () => {
  test("the emptier the node in CPU and memory the better, and containers without requests count a little", () => {
    assert.equal(score(nodeResourcesFit("1.36"), pod("half", { cpu: "5", memory: "5Gi" })), 50);
    assert.equal(score(nodeResourcesFit("1.36"), pod("uneven", { cpu: "10", memory: "0" })), 50);
    // A container without requests counts as 100m CPU and 200 MiB.
    assert.equal(score(nodeResourcesFit("1.36"), pod("nothing", {})), 98);
  });

  const balanced: readonly (readonly [KubernetesVersion, number | undefined, number, number])[] = [
    ["1.32", 100, 75, 100],
    ["1.35", undefined, 75, 100],
    ["1.36", undefined, 62, 87],
  ];
  for (const [version, ofNothing, unbalancing, balancing] of balanced) {
    test(`balanced use of CPU and memory is preferred, in ${version}`, () => {
      const plugin = nodeResourcesBalancedAllocation(version);
      assert.equal(score(plugin, pod("nothing", {})), ofNothing);
      const cpuOnly = pod("cpu", { cpu: "5" });
      assert.equal(score(plugin, cpuOnly), unbalancing);
      assert.equal(score(plugin, pod("memory", { memory: "5Gi" }), cpuOnly), balancing);
    });
  }

  test("in a large cluster each pod is tried on part of the nodes, starting where the previous one ended", () => {
    const cache = new SchedulerCache(() => undefined);
    for (let i = 0; i < 300; i++) cache.setNode(node(`node-${i}`));
    const looked = new Set<string>();
    const spy: Plugin = {
      name: "NodeName",
      hints: [],
      preFilter: () => ({
        type: "filter",
        filter: {
          check: ({ name }) => {
            looked.add(name);
            return undefined;
          },
        },
      }),
    };
    const cycle = new SchedulingCycle([spy], cache, new Nominator());
    // 50 - 300/125 = 48 percent.
    cycle.schedule(podInfo(pod("first", {})));
    assert.equal(looked.size, 144);
    cycle.schedule(podInfo(pod("second", {})));
    assert.equal(looked.size, 288);
  });

  test("nodes are tried in turn from each zone", () => {
    const cache = new SchedulerCache(() => undefined);
    const zoned = (name: string, zone: string): Node => {
      const { metadata, ...rest } = node(name);
      return {
        ...rest,
        metadata: { ...metadata, labels: { "topology.kubernetes.io/zone": zone } },
      };
    };
    for (const [name, zone] of [
      ["a1", "a"],
      ["a2", "a"],
      ["b1", "b"],
      ["a3", "a"],
    ] as const)
      cache.setNode(zoned(name, zone));
    assert.deepEqual(
      cache.nodes.map(({ name }) => name),
      ["a1", "b1", "a2", "a3"],
    );
  });
});
