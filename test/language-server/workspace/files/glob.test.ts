import assert from "node:assert/strict";
import { globMatcher } from "../../../../src/language-server/workspace/files/glob.ts";

suite("globs", () => {
  for (const [glob, fitting, others] of [
    ["**/*.yaml", ["a.yaml", "a/b/.c.yaml", "../shared/a.yaml"], ["a.yml", "a.yaml/b"]],
    ["legacy/**", ["legacy", "legacy/a.yaml", "legacy/a/b.yaml"], ["a/legacy/b.yaml", "legacyx"]],
    ["{dev,prod}/*/app.y?ml", ["dev/a/app.yaml", "prod/b/app.yxml"], ["dev/app.yaml"]],
    ["[ab]*/x.json", ["bc/x.json"], ["cb/x.json"]],
    ["**/charts/**/*.yaml", ["charts/a.yaml", "a/charts/b/c/d.yaml"], ["chart/a.yaml"]],
    ["", [], ["a.yaml"]],
  ] as const)
    test(`match what editors match: ${glob}`, () => {
      const matches = globMatcher([glob]);
      assert.deepEqual([...fitting, ...others].filter(matches), fitting);
    });

  test("match quickly, however many wildcards they have", () => {
    const name = `${"a".repeat(250)}c`;
    const path = `${"a/".repeat(400)}c`;
    assert.equal(globMatcher([`${"*a".repeat(40)}*b`])(name), false);
    assert.equal(globMatcher([`${"**/a/".repeat(40)}b`])(path), false);
    assert.equal(globMatcher(["*".repeat(100_000)])(name), false);
  });
});
