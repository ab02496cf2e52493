import { strict as assert } from "node:assert";
import fc from "fast-check";
import { nearestName, nearestObjectName } from "../../src/language-server/nearest-name.ts";

suite("nearest name", () => {
  test("an extra letter, a missing one, a wrong one and two swapped ones each count as one slip", () => {
    for (const written of ["fastt", "fat", "fest", "fsat"])
      assert.equal(nearestName(written, ["slow", "fast"], 1), "fast");
  });

  test("the nearer of two candidates is meant, whatever their order", () => {
    assert.equal(nearestName("storage", ["sturaga", "storagee"]), "storagee");
    assert.equal(nearestName("storage", ["storagee", "sturaga"]), "storagee");
  });

  test("a name itself, or one with little in common, is never meant", () => {
    assert.equal(nearestName("fast", ["fast"]), undefined);
    assert.equal(nearestName("fast", ["feet"], 1), undefined);
    assert.equal(nearestName("ab", ["cd"]), undefined);
  });

  test("an object with another number is never meant", () => {
    assert.equal(nearestObjectName("gp3", ["gp2"]), undefined);
    assert.equal(nearestObjectName("data1", ["data-1", "data2"]), "data-1");
  });

  test("every name within the limit is found, and none beyond it", () => {
    const names = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 6, maxLength: 9 });
    fc.assert(
      fc.property(names, fc.array(names, { maxLength: 8 }), (written, known) => {
        const near = known.map((name) => slipsBetween(written, name)).filter((n) => n > 0 && n < 3);
        const found = nearestName(written, known);
        if (near.length === 0) assert.equal(found, undefined);
        else assert.equal(found && slipsBetween(written, found), Math.min(...near));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

/** The distance by its definition: from the end of both words, letter by letter, trying every edit. */
function slipsBetween(a: string, b: string): number {
  const known = new Map<string, number>();
  const from = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ways = [
      from(i - 1, j) + 1,
      from(i, j - 1) + 1,
      from(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    ];
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      ways.push(from(i - 2, j - 2) + 1);
    const least = Math.min(...ways);
    known.set(key, least);
    return least;
  };
  return from(a.length, b.length);
}
