/** How much of a zone has to be down before evictions slow down or stop. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { EvictionLimiter } from "../../../src/engine/controllers/node-lifecycle/eviction-limiter.ts";
import { EvictionQueue } from "../../../src/engine/controllers/node-lifecycle/eviction-queue.ts";
import { type Seen, Zones } from "../../../src/engine/controllers/node-lifecycle/zones.ts";
import { readyCondition, zoneKeyOf } from "../../../src/engine/matching/node-state.ts";

function nodes(
  zone: string,
  ready: number,
  silent: number,
  label = "topology.kubernetes.io/zone",
): readonly KubeObject<"Node">[] {
  return Array.from({ length: ready + silent }, (_, i) => ({
    metadata: { name: `${zone}-${i}`, labels: { [label]: zone } },
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

function seen(all: readonly KubeObject<"Node">[]): readonly Seen[] {
  return all.map((node) => ({ node, ready: readyCondition(node)?.status }));
}

suite("zones", () => {
  const cases: readonly [string, readonly KubeObject<"Node">[], number | undefined][] = [
    ["one of three nodes is silent", nodes("a", 2, 1), 10_000],
    ["two of three nodes are silent, which are too few to count", nodes("a", 1, 2), 10_000],
    ["most of a small zone is silent", nodes("a", 2, 3), undefined],
    ["most of a large zone is silent", nodes("a", 20, 31), 100_000],
    ["most of a zone of fifty is silent", nodes("a", 20, 30), undefined],
    ["just enough of a zone is silent", nodes("a", 9, 11), undefined],
    ["not quite enough of a zone is silent", nodes("a", 10, 11), 10_000],
    ["a whole zone is silent, others are not", [...nodes("a", 0, 3), ...nodes("b", 3, 0)], 10_000],
    ["everything is silent", [...nodes("a", 0, 3), ...nodes("b", 0, 1)], undefined],
    [
      "most of the nodes that count are silent",
      [...nodes("a", 2, 3), ...uncounted(nodes("a", 20, 0))],
      undefined,
    ],
    ["no silent node counts", uncounted(nodes("a", 0, 3)), 10_000],
    [
      "most of a zone is silent, whose nodes have the old zone label",
      [...nodes("a", 2, 0), ...nodes("a", 0, 3, "failure-domain.beta.kubernetes.io/zone")],
      undefined,
    ],
  ];
  for (const [what, all, intervalMs] of cases) {
    const how = intervalMs === undefined ? "no evictions" : `a node every ${intervalMs / 1000} s`;
    test(`${what}: ${how}`, () => {
      const [first] = all;
      assert.ok(first !== undefined);
      const zones = new Zones();
      zones.update(seen(all), 0);
      const { limiter } = zones.queue(zoneKeyOf(first));
      limiter.take(0);
      assert.equal(limiter.nextAt, intervalMs);
    });
  }

  const check = (zones: Zones, ...all: readonly (readonly KubeObject<"Node">[])[]): boolean =>
    zones.update(seen(all.flat()), 0);
  const [downA, downB] = [nodes("a", 0, 3), nodes("b", 0, 3)];
  const zoneA = zoneKeyOf(downA[0] as KubeObject<"Node">);

  test("a zone that was down alone evicts no pods once all others are down too", () => {
    const zones = new Zones();
    check(zones, downA, nodes("b", 3, 0));
    assert.equal(zones.queue(zoneA).limiter.nextAt, 0);
    check(zones, downA, downB);
    assert.deepEqual(
      [zones.isEvictionStopped, zones.queue(zoneA).limiter.nextAt],
      [true, undefined],
    );
  });

  test("a zone that was down alone continues evictions when the nodes of all others are gone", () => {
    const zones = new Zones();
    check(zones, downA, nodes("b", 3, 0));
    check(zones, downA);
    assert.equal(zones.isEvictionStopped, false);
  });

  test("if no node counts, nothing counts as down, so silent nodes get no new grace period", () => {
    const zones = new Zones();
    const silent = uncounted(nodes("a", 0, 1));
    assert.deepEqual([check(zones, silent), check(zones, silent)], [false, false]);
  });

  test("a zone whose nodes were all gone keeps its limiter, but not its state", () => {
    const zones = new Zones();
    check(zones, downA, nodes("b", 3, 0));
    zones.queue(zoneA).limiter.take(0);
    check(zones, nodes("b", 3, 0));
    check(zones, downA, nodes("b", 3, 0));
    assert.equal(zones.queue(zoneA).limiter.nextAt, 10_000);
    check(zones, nodes("a", 2, 3), nodes("b", 3, 0));
    check(zones, nodes("b", 3, 0));
    assert.equal(zones.queue(zoneA).limiter.nextAt, undefined);
    check(zones, nodes("a", 2, 1), nodes("b", 3, 0));
    assert.equal(zones.queue(zoneA).limiter.nextAt, 10_000);
  });

  test("a zone that was empty when all others went down evicts no pods when it gets nodes that are down", () => {
    for (const rest of [[], uncounted(nodes("a", 0, 1))]) {
      const zones = new Zones();
      check(zones, downA, nodes("b", 3, 0));
      check(zones, rest, nodes("b", 3, 0));
      check(zones, rest, downB);
      check(zones, downA, downB);
      assert.equal(zones.queue(zoneA).limiter.nextAt, undefined);
    }
  });
});

suite("eviction limiter", () => {
  test("allows a first node at once, the next after the interval", () => {
    const limiter = new EvictionLimiter();
    assert.equal(limiter.nextAt, 0);
    limiter.take(5_000);
    assert.equal(limiter.nextAt, 15_000);
  });

  test("a new interval applies in full if evictions were stopped or had to wait, and not otherwise", () => {
    const stopped = new EvictionLimiter();
    stopped.setInterval(undefined, 5_000);
    stopped.setInterval(10_000, 20_000);
    assert.equal(stopped.nextAt, 30_000);
    const waiting = new EvictionLimiter();
    waiting.take(5_000);
    waiting.setInterval(100_000, 10_000);
    assert.equal(waiting.nextAt, 110_000);
    const free = new EvictionLimiter();
    free.setInterval(100_000, 10_000);
    assert.equal(free.nextAt, 10_000);
  });
});

suite("eviction queue", () => {
  test("takes deleted nodes first, then those that wait longest", () => {
    const queue = new EvictionQueue();
    for (const name of ["a", "gone", "well", "b"]) queue.add(name);
    // The next check.
    queue.remove("well");
    for (const name of ["b", "a"]) queue.add(name);
    assert.deepEqual(
      [5_000, 10_000, 15_000, 25_000, 35_000].map((now) => queue.take(now)),
      ["gone", undefined, "b", "a", undefined],
    );
    assert.equal(queue.nextAt, undefined);
  });

  test("returns no node while evictions are stopped", () => {
    const queue = new EvictionQueue();
    queue.add("a");
    assert.equal(queue.nextAt, 0);
    queue.limiter.setInterval(undefined, 0);
    assert.deepEqual([queue.nextAt, queue.take(5_000)], [undefined, undefined]);
  });
});
