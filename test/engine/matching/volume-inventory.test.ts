/** The inventory finds what a walk over all volumes would find, after any additions, changes and removals. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { accessModeSet, containsAllModes } from "../../../src/engine/api/access-modes.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/engine/api/types.ts";
import {
  type MatchRequest,
  matchRequest,
  sizeOf,
} from "../../../src/engine/matching/match-request.ts";
import { VolumeInventory } from "../../../src/engine/matching/volume-inventory.ts";
import { findMatchingVolume, type VolumeWalk } from "../../../src/engine/matching/volume-match.ts";
import { claim, inZone, volume } from "./volumes.ts";

const volumes: fc.Arbitrary<PersistentVolume> = fc
  .record({
    name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    size: fc.constantFrom("1Gi", "1024Mi", "2Gi", "3G"),
    modes: fc.constantFrom("RWO", "ROX", "RWO,ROX", "RWO,RWX", "RWOP"),
    className: fc.constantFrom("", "fast"),
    zone: fc.constantFrom("a", "b", undefined),
    phase: fc.constantFrom("Available", "Bound", "Pending"),
    reservedFor: fc.constantFrom("claim01", "other", undefined, undefined),
  })
  .map(({ name, size, modes, className, zone, phase, reservedFor }) =>
    volume(name, size, modes, {
      phase,
      spec: {
        storageClassName: className,
        ...(zone !== undefined && { nodeAffinity: inZone(zone) }),
        ...(reservedFor !== undefined && { claimRef: { namespace: "default", name: reservedFor } }),
      },
    }),
  );

const claims: fc.Arbitrary<PersistentVolumeClaim> = fc
  .record({
    size: fc.constantFrom("1Gi", "2Gi", "3Gi"),
    modes: fc.constantFrom("RWO", "ROX", "RWO,ROX"),
    storageClassName: fc.constantFrom("", "fast"),
  })
  .map(({ size, modes, storageClassName }) => claim(size, modes, { storageClassName }));

const changes = fc.array(fc.oneof(volumes, fc.constantFrom("a", "b", "c", "d", "e", "f")), {
  maxLength: 25,
});

function inOrder(all: readonly PersistentVolume[], request: MatchRequest): VolumeWalk {
  const isReserved = (v: PersistentVolume): number =>
    v.spec.claimRef?.name === request.claim.metadata.name ? 0 : 1;
  const ordered = all.toSorted((x, y) => {
    const bySize = sizeOf(x) < sizeOf(y) ? -1 : sizeOf(x) > sizeOf(y) ? 1 : 0;
    const byName = x.metadata.name < y.metadata.name ? -1 : 1;
    return isReserved(x) - isReserved(y) || (isReserved(x) === 0 ? byName : bySize || byName);
  });
  return { next: () => ordered.shift() };
}

/** Makes the PersistentVolume controller's choice without an index. */
function walk(
  all: readonly PersistentVolume[],
  request: MatchRequest,
): PersistentVolume | undefined {
  const groups = new Set(
    all
      .map((v) => accessModeSet(v.spec.accessModes))
      .filter((modes) => containsAllModes(modes, request.claim.spec.accessModes))
      .toSorted((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1))
      .map((modes) => modes.join()),
  );
  for (const group of groups) {
    const members = all.filter((v) => accessModeSet(v.spec.accessModes).join() === group);
    const found = findMatchingVolume(inOrder(members, request), request);
    if (found !== undefined) return found;
  }
  return undefined;
}

function apply(
  inventory: VolumeInventory,
  changed: readonly (PersistentVolume | string)[],
): PersistentVolume[] {
  const current = new Map<string, PersistentVolume>();
  for (const change of changed) {
    if (typeof change === "string") {
      inventory.delete(change);
      current.delete(change);
    } else {
      inventory.put(change);
      current.set(change.metadata.name, change);
    }
  }
  return [...current.values()];
}

suite("volume inventory", () => {
  test("finds for a claim what a walk over all volumes finds", () => {
    fc.assert(
      fc.property(changes, claims, fc.boolean(), (changed, wanted, delayed) => {
        const inventory = new VolumeInventory({ byNodeAffinity: false });
        const all = apply(inventory, changed);
        const request = matchRequest(wanted, { delayed, attributesClasses: true });
        assert.equal(inventory.find(request)?.metadata.name, walk(all, request)?.metadata.name);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("finds for a node what a walk over the class's volumes finds", () => {
    fc.assert(
      fc.property(
        changes,
        claims,
        fc.constantFrom("a", "b", "c"),
        fc.subarray(["a", "b", "c"]),
        (changed, wanted, zone, excluded) => {
          const inventory = new VolumeInventory({ byNodeAffinity: true });
          const all = apply(inventory, changed);
          const node = { name: "node", labels: { zone } };
          const conditions = {
            delayed: true,
            attributesClasses: true,
            excluded: new Set(excluded),
          };
          const request = { ...matchRequest(wanted, conditions), node };
          const ofClass = all.filter(
            (v) => v.spec.storageClassName === wanted.spec.storageClassName,
          );
          const walked = findMatchingVolume(inOrder(ofClass, request), request);
          assert.equal(inventory.findForNode(request)?.metadata.name, walked?.metadata.name);
        },
      ),
      { seed: 2, numRuns: 500 },
    );
  });

  test("keeps the order of sizes over many chunks", () => {
    const inventory = new VolumeInventory({ byNodeAffinity: false });
    for (let i = 0; i < 3000; i++) inventory.put(volume(`v${i}`, `${(i * 7919) % 3000}Mi`, "RWO"));
    for (let i = 0; i < 3000; i += 2) inventory.delete(`v${i}`);
    const sizes: number[] = [];
    for (;;) {
      const found = inventory.find(
        matchRequest(claim("100Mi", "RWO"), { delayed: false, attributesClasses: true }),
      );
      if (found === undefined) break;
      sizes.push(Number.parseInt(found.spec.capacity?.["storage"] ?? "", 10));
      inventory.delete(found.metadata.name);
    }
    const expected = Array.from({ length: 3000 }, (_, i) => i)
      .filter((i) => i % 2 === 1)
      .map((i) => (i * 7919) % 3000)
      .filter((size) => size >= 100)
      .toSorted((a, b) => a - b);
    assert.deepEqual(sizes, expected);
  });

  test("forgets a volume's owner once its claimRef changes or it is deleted", () => {
    const inventory = new VolumeInventory({ byNodeAffinity: false });
    const reserved = (name: string): PersistentVolume =>
      volume("pv", "1Gi", "RWO", { spec: { claimRef: { namespace: "default", name } } });
    inventory.put(reserved("one"));
    inventory.put(reserved("two"));
    assert.deepEqual(inventory.namingClaim("default/one"), []);
    assert.equal(inventory.namingClaim("default/two").length, 1);
    inventory.delete("pv");
    assert.deepEqual(inventory.namingClaim("default/two"), []);
  });
});
