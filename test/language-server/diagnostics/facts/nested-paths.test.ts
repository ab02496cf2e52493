import assert from "node:assert/strict";
import fc from "fast-check";
import { pathsAround } from "../../../../src/language-server/diagnostics/facts/nested-paths.ts";

suite("the path around another", () => {
  test("is the innermost one, in any order, and never the root", () => {
    const paths = ["/data/cache/tmp", "/", "/data", "/data-2", "/data/cache", "/data"];
    assert.deepEqual(pathsAround(paths), [4, undefined, undefined, undefined, 2, undefined]);
  });

  test("is the same as found by comparing with all others, and the first of equal ones", () => {
    const names = fc.array(fc.constantFrom("a", "b", "a-b", "aa"), { maxLength: 4 });
    const lists = fc.array(
      names.map((parts) => `/${parts.join("/")}`),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(lists, (paths) => {
        const found = paths.map((path) => {
          let around: number | undefined;
          for (const [index, other] of paths.entries())
            if (path.startsWith(`${other}/`) && other.length > (paths[around ?? -1] ?? "").length)
              around = index;
          return around;
        });
        assert.deepEqual(pathsAround(paths), found);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
