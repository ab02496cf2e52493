import assert from "node:assert/strict";
import type { ChartFile } from "../../../../src/language-server/helm/chart/chart.ts";
import { helmIgnore } from "../../../../src/language-server/helm/chart/helm-ignore.ts";
import {
  globPattern,
  pathPattern,
} from "../../../../src/language-server/helm/chart/path-pattern.ts";

suite("patterns of a chart's files", () => {
  for (const [glob, fitting, others] of [
    ["cfg/**", ["cfg/a", "cfg/b/c.ini"], ["cfg", "x/cfg/a"]],
    ["cfg/*", ["cfg/a.yaml"], ["cfg/b/c"]],
    ["**.{ini,yaml}", ["a.ini", "cfg/a.yaml"], ["a.yml", "a.ini.bak"]],
    ["{*,cfg/*}", ["a", "cfg/a"], ["cfg/b/c"]],
    ["cfg/[!a].ini", ["cfg/b.ini"], ["cfg/a.ini"]],
    ["cfg/[a-c]?", ["cfg/bx"], ["cfg/dx", "cfg/b"]],
    ["a\\*b,c", ["a*b,c"], ["axb,c"]],
  ] as const)
    test(`.Files.Glob takes ${glob} through folders as it says`, () => {
      const fits = globPattern(glob);
      assert.deepEqual(
        [...fitting, ...others].filter((path) => fits?.(path)),
        fitting,
      );
    });

  test("braces that do not end do so with the pattern, classes are none", () => {
    assert.equal(globPattern("x{a,b")?.("xb"), true);
    assert.equal(globPattern("[a"), undefined);
    assert.equal(pathPattern("[a"), undefined);
  });

  test("those of .helmignore take braces and two stars for letters", () => {
    assert.equal(pathPattern("{a,b}")?.("{a,b}"), true);
    assert.equal(pathPattern("**")?.("a/b"), false);
  });
});

suite(".helmignore", () => {
  const ignored = (rules: string, ...paths: readonly string[]): readonly string[] =>
    paths.filter(helmIgnore(ignoreFile(rules)).isIgnored);

  test("leaves out by name wherever it stands, by path from the chart's folder", () => {
    assert.deepEqual(
      ignored("*.bak\n/docs/a.md\n", "x.bak", "a/x.bak", "docs/a.md", "a/docs/a.md"),
      ["x.bak", "a/x.bak", "docs/a.md"],
    );
  });

  test("leaves out all that is in a folder", () => {
    assert.deepEqual(ignored("ci/\n", "ci/values.yaml", "charts/a/ci/b/c.yaml", "x/ci"), [
      "ci/values.yaml",
      "charts/a/ci/b/c.yaml",
    ]);
  });

  test("leaves out hidden files among the templates without being told", () => {
    assert.deepEqual(ignored("", "templates/.swp", ".github", "templates/a"), ["templates/.swp"]);
  });

  test("with a rule that negates leaves out all that does not fit it", () => {
    assert.deepEqual(ignored("!*.yaml\n", "a.yaml", "b.txt"), ["b.txt"]);
  });

  test("may have comments, and tells what Helm does not support", () => {
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
