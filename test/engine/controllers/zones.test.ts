/** How much of a zone has to be down before evictions slow down or stop. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { Zones } from "../../../src/engine/controllers/node-lifecycle/zones.ts";

function nodes(zone: string, ready: number, silent: number): readonly KubeObject<"Node">[] {
  return Array.from({ length: ready + silent }, (_, i) => ({
    metadata: { name: `${zone}-${i}`, labels: { "topology.kubernetes.io/zone": zone } },
    spec: {},
    status: { conditions: [{ type: "Ready", status: i < ready ? "True" : "Unknown" }] },
  })) as unknown as readonly KubeObject<"Node">[];
}

function uncounted(all: readonly KubeObject<"Node">[]): readonly KubeObject<"Node">[] {
  const label = { "node.kubernetes.io/exclude-disruption": "" };
  return all.map(({ metadata, ...node }) => ({
    ...node,
    metadata: { ...metadata, labels: { ...metadata.labels, ...label } },
  }));
}

suite("zones", () => {
  const cases: readonly [string, readonly KubeObject<"Node">[], number | undefined][] = [
    ["one of three nodes is silent", nodes("a", 2, 1), 10_000],
    ["two of three are: too few to tell", nodes("a", 1, 2), 10_000],
    ["most of a small zone is silent", nodes("a", 2, 3), undefined],
    ["most of a large zone is silent", nodes("a", 20, 31), 100_000],
    ["most of a zone of fifty is silent", nodes("a", 20, 30), undefined],
    ["just enough of a zone is silent", nodes("a", 9, 11), undefined],
    ["not quite enough of a zone is silent", nodes("a", 10, 11), 10_000],
    ["a whole zone is silent, others are not", [...nodes("a", 0, 3), ...nodes("b", 3, 0)], 10_000],
    ["everything is silent", [...nodes("a", 0, 3), ...nodes("b", 0, 1)], undefined],
    [
      "most of what counts is silent",
      [...nodes("a", 2, 3), ...uncounted(nodes("a", 20, 0))],
      undefined,
    ],
    ["nothing that is silent counts", uncounted(nodes("a", 0, 3)), 10_000],
  ];
  for (const [what, all, intervalMs] of cases) {
    const how =
      intervalMs === undefined ? "nobody is evicted" : `a node every ${intervalMs / 1000} s`;
    test(`${what}: ${how}`, () => {
      assert.equal(new Zones(all).evictionIntervalMs(":a"), intervalMs);
    });
  }
});
