import assert from "node:assert/strict";
import fc from "fast-check";
import { RecentMap } from "../../src/engine/recent-map.ts";

const steps = fc.array(
  fc.record({
    what: fc.constantFrom("get", "set", "delete"),
    key: fc.constantFrom("a", "b", "c"),
    value: fc.nat(5),
  }),
);

suite("recent map", () => {
  test("knows at any time what a map would know, in the same order", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const map = new Map<string, number>();
        const recent = new RecentMap<number>();
        for (const { what, key, value } of all) {
          if (what === "get") {
            assert.equal(recent.get(key), map.get(key));
          } else if (what === "set") {
            map.set(key, value);
            recent.set(key, value);
          } else {
            map.delete(key);
            recent.delete(key);
          }
          assert.deepEqual([...recent.values()], [...map.values()]);
          assert.equal(recent.size, map.size);
        }
      }),
      { seed: 1 },
    );
  });
});
