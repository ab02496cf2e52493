import assert from "node:assert/strict";
import fc from "fast-check";
import { pathsAround } from "../../../../src/language-server/diagnostics/facts/nested-paths.ts";

suite("which paths lie in which", () => {
  test("the innermost one is around a path, wherever it is listed, and the root around none", () => {
    const paths = ["/data/cache/tmp", "/", "/data", "/data-2", "/data/cache", "/data"];
    assert.deepEqual(pathsAround(paths), [4, undefined, undefined, undefined, 2, undefined]);
  });

  test("it is the one that a look at all others finds, of equal ones the first", () => {
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
