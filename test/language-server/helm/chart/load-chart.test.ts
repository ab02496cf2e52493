import assert from "node:assert/strict";
import { packedText } from "../../../../src/language-server/helm/archive/packed-chart.ts";
import type { Chart } from "../../../../src/language-server/helm/chart/chart.ts";
import { chartOf } from "./chart-of.ts";

suite("a chart's folder", () => {
  test("is divided into templates, values, subcharts and other files", () => {
    const chart = chartOf({
      "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
      "values.yaml": "size: 1Gi\n",
      "values.schema.json": "{}",
      "templates/claim.yaml": "a: b",
      "templates/tests/.hidden": "",
      "crds/a.yaml": "a: b",
      "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n",
      "charts/db/templates/set.yaml": "a: b",
      "charts/_old/Chart.yaml": "",
      "charts/redis-1.2.3.tgz": packedText([
        ["Chart.yaml", "apiVersion: v2\nname: redis\nversion: 1.2.3\n"],
        ["templates/redis.yaml", "a: b"],
      ]),
      ".helmignore": "*.md",
      "README.md": "",
    });
    assert.deepEqual(chart.problems, []);
    assert.deepEqual([...chart.values], [["size", "1Gi"]]);
    assert.deepEqual(namesOf(chart.templates), ["templates/claim.yaml", "templates/tests/.hidden"]);
    assert.deepEqual(namesOf(chart.files), [".helmignore", "crds/a.yaml"]);
    assert.deepEqual(
      chart.subcharts.map(({ metadata, templates, folderUri }) => [
        metadata.name,
        folderUri,
        namesOf(templates),
      ]),
      [
        ["db", "file:///web/charts/db", ["templates/set.yaml"]],
        ["redis", "file:///web/charts/redis-1.2.3.tgz", ["templates/redis.yaml"]],
      ],
    );
  });

  test("of API version v1 has its dependencies in requirements.yaml, which templates can read", () => {
    const chart = chartOf({
      "Chart.yaml": "name: web\nversion: 1.0.0\n",
      "requirements.yaml": "dependencies:\n- {name: db, version: 1.x, condition: db.enabled}\n",
    });
    assert.deepEqual(
      chart.metadata.dependencies?.map(({ name, version, condition }) => [
        name,
        version,
        condition,
      ]),
      [["db", "1.x", "db.enabled"]],
    );
    assert.deepEqual(namesOf(chart.files), ["requirements.yaml"]);
  });

  for (const [what, text, told] of [
    ["no Chart.yaml", undefined, "|Chart.yaml file is missing"],
    ["no version", "name: web", "name|validation: chart.metadata.version is required"],
    ["no name", "version: 1.0.0", "version|validation: chart.metadata.name is required"],
    [
      "an invalid version",
      "name: web\nversion: 1.x",
      '1.x|validation: chart.metadata.version "1.x" is invalid',
    ],
    [
      "another API version",
      "apiVersion: v9\nname: a\nversion: 1.0.0",
      "v9|invalid chart apiVersion",
    ],
    [
      "another type",
      "name: a\nversion: 1.0.0\ntype: app",
      "app|validation: chart.metadata.type must be application or library",
    ],
    [
      "a list for a text",
      "name: a\nversion: [1]",
      "[1]|cannot load Chart.yaml: json: cannot unmarshal array into Go struct field Metadata.version of type string",
    ],
    [
      "a map for a list",
      "name: a\nversion: 1.0.0\ndependencies: {name: db}",
      "{name: db}|cannot load Chart.yaml: json: cannot unmarshal object into Go struct field Metadata.dependencies of type []*v2.Dependency",
    ],
    [
      "dots in an alias",
      "name: a\nversion: 1.0.0\ndependencies:\n- {name: db, alias: a.b}",
      'db|validation: dependency "db" has disallowed characters in the alias',
    ],
    [
      "a repeated dependency",
      "name: a\nversion: 1.0.0\ndependencies:\n- {name: db}\n- {name: db}",
      'db|validation: more than one dependency with name or alias "db"',
    ],
  ] as const)
    test(`with ${what} is refused as Helm refuses it`, () => {
      assert.deepEqual(toldOf(text === undefined ? {} : { "Chart.yaml": text }), [told]);
    });

  test("with a repeated key is reported, along with its other mistakes", () => {
    assert.deepEqual(toldOf({ "Chart.yaml": "name: a\nname: b\n" }), [
      "name|cannot load Chart.yaml: The key `name` occurs twice; Helm silently keeps the last one",
      "name|validation: chart.metadata.version is required",
    ]);
  });

  test("may have numbers as texts and field names in another case, as in Helm", () => {
    const chart = chartOf({
      "Chart.yaml": "Name: web\nversion: 1\nappVersion: 1.10\nicon: true\n",
    });
    assert.deepEqual(chart.problems, []);
    const { name, version, others } = chart.metadata;
    assert.deepEqual([name, version, others.get("AppVersion")], ["web", "1", "1.1"]);
    assert.equal(others.get("Icon"), "true");
  });

  test("has the mistakes in its values and in those of subcharts reported", () => {
    const told = toldOf({
      "Chart.yaml": "name: a\nversion: 1.0.0",
      "values.yaml": "- a",
      "charts/db/Chart.yaml": "name: db\nversion: 1.0.0",
      "charts/db/values.yaml": "a: *none",
      "charts/none/README.md": "",
    });
    assert.deepEqual(told, [
      "-|cannot load values.yaml: json: cannot unmarshal array into Go value of type map[string]interface {}",
      "*none|cannot load values.yaml: No anchor `&none` stands before this alias",
      "|Chart.yaml file is missing",
    ]);
  });

  test("may have several documents of values, which are merged", () => {
    const { values } = chartOf({
      "values.yaml": "a: {b: 1, c: [1]}\n--- # more\na: {d: yes, c: [2]}\n",
    });
    assert.deepEqual(
      values,
      new Map([
        [
          "a",
          new Map<string, unknown>([
            ["b", 1],
            ["c", [2]],
            ["d", true],
          ]),
        ],
      ]),
    );
  });

  test("within nested charts is only read to a limited depth", () => {
    const files: Record<string, string> = {};
    for (let depth = 0; depth < 30; depth++)
      files[`${"charts/a/".repeat(depth)}Chart.yaml`] = "name: a\nversion: 1.0.0\n";
    let depth = 0;
    for (let chart: Chart | undefined = chartOf(files); chart; chart = chart.subcharts[0]) depth++;
    assert.equal(depth, 11);
  });
});

function namesOf(files: readonly { readonly name: string }[]): readonly string[] {
  return files.map(({ name }) => name);
}

/** Messages, each after the text that it is located at. */
function toldOf(files: Readonly<Record<string, string>>): readonly string[] {
  return chartOf(files).problems.map(({ uri, start, end, message }) => {
    const text = files[uri.slice("file:///web/".length)] ?? "";
    return `${text.slice(start, end)}|${message}`;
  });
}
