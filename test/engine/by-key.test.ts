import assert from "node:assert/strict";
import fc from "fast-check";
import { ByKey, InOrder, KeyNumbers } from "../../src/engine/by-key.ts";

const keys = fc.constantFrom("a", "b", "c", "d");

suite("values by key", () => {
  test("are always those that a map would hold, in each of several lists over the same keys", () => {
    const steps = fc.array(
      fc.record({ list: fc.nat(1), key: keys, value: fc.option(fc.nat(5), { nil: undefined }) }),
    );
    fc.assert(
      fc.property(steps, (all) => {
        const numbers = new KeyNumbers();
        const lists = [new ByKey<number>(numbers), new ByKey<number>(numbers)];
        const maps = [new Map<string, number>(), new Map<string, number>()];
        for (const { list, key, value } of all) {
          assert.equal(lists[list]?.get(key), maps[list]?.get(key));
          if (value === undefined) {
            lists[list]?.delete(key);
            maps[list]?.delete(key);
          } else {
            lists[list]?.set(key, value);
            maps[list]?.set(key, value);
          }
          for (const [at, map] of maps.entries())
            for (const one of ["a", "b", "c", "d"]) assert.equal(lists[at]?.get(one), map.get(one));
        }
      }),
      { seed: 1 },
    );
  });

  test("stay in the order in which they were added, without those that are gone", () => {
    const steps = fc.array(fc.record({ key: keys, isRead: fc.boolean() }));
    fc.assert(
      fc.property(steps, (all) => {
        const map = new Map<string, { isGone: boolean }>();
        const inOrder = new InOrder<{ isGone: boolean }>(({ isGone }) => isGone);
        for (const { key, isRead } of all) {
          const known = map.get(key);
          if (known === undefined) {
            const item = { isGone: false };
            map.set(key, item);
            inOrder.add(item);
          } else {
            known.isGone = true;
            map.delete(key);
            inOrder.hasLost();
          }
          assert.equal(inOrder.count, map.size);
          if (isRead) assert.deepEqual(inOrder.items, [...map.values()]);
        }
        assert.ok(inOrder.items.every((item, at) => item === [...map.values()][at]));
      }),
      { seed: 2 },
    );
  });
});
