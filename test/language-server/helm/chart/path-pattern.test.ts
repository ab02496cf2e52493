import assert from "node:assert/strict";
import type { ChartFile } from "../../../../src/language-server/helm/chart/chart.ts";
import { helmIgnore } from "../../../../src/language-server/helm/chart/helm-ignore.ts";
import {
  globPattern,
  pathPattern,
} from "../../../../src/language-server/helm/chart/path-pattern.ts";

suite("patterns for a chart's files", () => {
  for (const [glob, fitting, others] of [
    ["cfg/**", ["cfg/a", "cfg/b/c.ini"], ["cfg", "x/cfg/a"]],
    ["cfg/*", ["cfg/a.yaml"], ["cfg/b/c"]],
    ["**.{ini,yaml}", ["a.ini", "cfg/a.yaml"], ["a.yml", "a.ini.bak"]],
    ["{*,cfg/*}", ["a", "cfg/a"], ["cfg/b/c"]],
    ["cfg/[!a].ini", ["cfg/b.ini"], ["cfg/a.ini"]],
    ["cfg/[a-c]?", ["cfg/bx"], ["cfg/dx", "cfg/b"]],
    ["a\\*b,c", ["a*b,c"], ["axb,c"]],
  ] as const)
    test(`.Files.Glob matches paths with ${glob}`, () => {
      const fits = globPattern(glob);
      assert.deepEqual(
        [...fitting, ...others].filter((path) => fits?.(path)),
        fitting,
      );
    });

  test("unclosed braces end with the pattern, but unclosed classes are refused", () => {
    assert.equal(globPattern("x{a,b")?.("xb"), true);
    assert.equal(globPattern("[a"), undefined);
    assert.equal(pathPattern("[a"), undefined);
  });

  test("braces and double stars have no special meaning in .helmignore", () => {
    assert.equal(pathPattern("{a,b}")?.("{a,b}"), true);
    assert.equal(pathPattern("**")?.("a/b"), false);
  });
});

suite(".helmignore", () => {
  const ignored = (rules: string, ...paths: readonly string[]): readonly string[] =>
    paths.filter(helmIgnore(ignoreFile(rules)).isIgnored);

  test("ignores files by name in any folder, or by path from the chart's folder", () => {
    assert.deepEqual(
      ignored("*.bak\n/docs/a.md\n", "x.bak", "a/x.bak", "docs/a.md", "a/docs/a.md"),
      ["x.bak", "a/x.bak", "docs/a.md"],
    );
  });

  test("ignores everything in a folder", () => {
    assert.deepEqual(ignored("ci/\n", "ci/values.yaml", "charts/a/ci/b/c.yaml", "x/ci"), [
      "ci/values.yaml",
      "charts/a/ci/b/c.yaml",
    ]);
  });

  test("ignores hidden files among the templates by default", () => {
    assert.deepEqual(ignored("", "templates/.swp", ".github", "templates/a"), ["templates/.swp"]);
  });

  test("with a negated rule ignores everything that does not match it", () => {
    assert.deepEqual(ignored("!*.yaml\n", "a.yaml", "b.txt"), ["b.txt"]);
  });

  test("may have comments, and its invalid rules are reported", () => {
    const rules = "# *.yaml\n\na/**/b\n[a\n";
    assert.deepEqual(ignored(rules, "# x.yaml", "a/c/b"), []);
    assert.deepEqual(
      helmIgnore(ignoreFile(rules)).problems.map(({ start, end, message }) => [
        rules.slice(start, end),
        message,
      ]),
      [
        ["a/**/b", "double-star (**) syntax is not supported"],
        ["[a", "syntax error in pattern"],
      ],
    );
  });
});

function ignoreFile(text: string): ChartFile {
  return { uri: "file:///web/.helmignore", text };
}
