import assert from "node:assert/strict";
import fc from "fast-check";
import type { Release } from "../../../../src/language-server/helm/chart/release.ts";
import { renderChart } from "../../../../src/language-server/helm/chart/render-chart.ts";
import { chartOf } from "./chart-of.ts";

const words = [
  ...["{{", "}}", "{{-", "-}}", "define", "end", "if", "range", "with", "else", "include", "tpl"],
  ...[".Values", ".Files", ".Capabilities", ".Chart", ".Subcharts", "$", "|", "toYaml", "fromYaml"],
  ...['"a"', "a:", "b:", "- ", "\n", "  ", "---\n", "&a", "*a", "<<:", "null", "1", "[", "]", "{"],
  ...["}", "#", "'", "\\", "name:", "version: 1.0.0\n", "dependencies:", "import-values:"],
  ...[
    "alias:",
    "condition:",
    "tags:",
    "global:",
    "**",
    "!",
    "/",
    "\ufeff",
    "\u0000",
    "\ud800",
    "=",
  ],
];
const text = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, fc.string()), {
    maxLength: 30,
  })
  .map((parts) => parts.join(" "));
const names = [
  ...["Chart.yaml", "values.yaml", ".helmignore", "requirements.yaml", "cfg/a", "crds/a.yaml"],
  ...["templates/a.yaml", "templates/_b.tpl", "templates/NOTES.txt", "charts/a/Chart.yaml"],
  ...["values.schema.json", "charts/a/values.schema.json"],
  ...["charts/a/values.yaml", "charts/a/templates/a.yaml", "charts/a-1.0.0.tgz", "charts/x"],
];

const metadata = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const web: Release = { name: "web", namespace: "default", values: [], kubeVersion: "1.36.0" };

suite("a chart with any contents", () => {
  test("is rendered or refused, with each problem at a place in its file", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), text, { maxKeys: names.length }),
        text,
        text,
        (files, given, line) => {
          const made = renderChart(chartOf(files), {
            name: "rel",
            namespace: "space",
            values: [
              { type: "file", file: { uri: "file:///given.yaml", text: given } },
              { type: "set", line },
            ],
            kubeVersion: "1.36.0",
          });
          const lengths = new Map<string, number>([
            ...Object.entries(files).map(
              ([name, own]) => [`file:///web/${name}`, own.length] as const,
            ),
            ["file:///given.yaml", given.length] as const,
          ]);
          for (const { uri, start, end } of made.problems)
            assert.ok(0 <= start && start <= end && end <= (lengths.get(uri) ?? 0), uri);
          for (const { text: own, pieces } of made.manifests)
            for (const { start, end } of pieces)
              assert.ok(0 <= start && start < end && end <= own.length);
        },
      ),
      { numRuns: 400, seed: 36 },
    );
  });

  for (const [what, files] of [
    ["values.yaml", { "values.yaml": `${"a: 1\n".repeat(150_000)}b: [\n` }],
    ["Chart.yaml", { "Chart.yaml": `name: a\n${"x: 1\n".repeat(150_000)}b: [\n` }],
    ["templates", { "templates/a.yaml": "---\na: [x\n".repeat(3000) }],
    [
      "dependencies",
      {
        "Chart.yaml": `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n${Array.from({ length: 3000 }, (_, at) => `- { name: a${at} }\n`).join("")}`,
      },
    ],
  ] as const)
    test(`with a mistake in each line of its ${what} has a limited number of problems, errors among them`, () => {
      const { problems } = renderChart(chartOf({ "Chart.yaml": metadata, ...files }), web);
      assert.ok(problems.length <= 102, String(problems.length));
      assert.ok(problems.some(({ severity }) => severity === "error"));
    });

  for (const action of [
    '{{ $x := $.Files.Lines "a.yaml" }}',
    '{{ $x := $.Files.Glob "*.yaml" }}',
    "{{ $x := print $.Files }}",
  ])
    test(`is abandoned if rendering takes too long: ${action} a million times`, () => {
      const chart = chartOf({
        "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
        "a.yaml": "a: 1\n".repeat(200_000),
        "templates/a.yaml": `{{ range 1000000 }}${action}{{ end }}`,
      });
      const { problems } = renderChart(chart, web);
      assert.match(problems.map(({ message }) => message).join(), /too much to be rendered here$/);
    });

  test("is compared with a limited number of .helmignore rules", () => {
    const rules = Array.from({ length: 50_000 }, (_, at) => `*a${at}*b\n`).join("");
    const files = Array.from({ length: 1000 }, (_, at) => [`files/${at}.yaml`, ""] as const);
    const chart = chartOf({
      "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
      ".helmignore": rules,
      ...Object.fromEntries(files),
    });
    assert.deepEqual(
      chart.problems.map(({ code, message }) => `${code}: ${message}`),
      ["limit: More than 200 rules are not read"],
    );
  });
});
