import assert from "node:assert/strict";
import type { FindLocalChart } from "../../../../src/language-server/helm/chart/local-chart.ts";
import type { Release } from "../../../../src/language-server/helm/chart/release.ts";
import { renderChart } from "../../../../src/language-server/helm/chart/render-chart.ts";
import { chartOf } from "./chart-of.ts";

const chartYaml = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const chartOfDb = "apiVersion: v2\nname: db\nversion: 1.2.3\n";
const release: Release = { name: "web", namespace: "default", values: [], kubeVersion: "1.36.0" };

suite("charts in other folders", () => {
  const dependent = (version: string): string =>
    `${chartYaml}dependencies:\n- name: db\n  version: ${version}\n  repository: file://../db\n`;

  function local(files: Readonly<Record<string, string>>, isElsewhere = false): FindLocalChart {
    const named = Object.entries(files).map(
      ([name, text]) => [name, { uri: `file:///db/${name}`, text }] as const,
    );
    return (folder, repository) => {
      assert.ok(folder === "file:///web" || folder === "file:///db");
      const folderUri = repository === "file://../db" ? "file:///db" : "file:///web";
      return { folderUri, files: new Map(named), isElsewhere };
    };
  }

  test("are used if `charts/` has none of that name", () => {
    const files = { "Chart.yaml": chartOfDb, "templates/a.yaml": "kind: A\n" };
    const made = renderChart(chartOf({ "Chart.yaml": dependent("1.x") }, local(files)), release);
    assert.deepEqual(made.problems, []);
    assert.deepEqual(
      made.manifests.map(({ kind, uri }) => [kind, uri]),
      [["A", "file:///db/templates/a.yaml"]],
    );
    const both = {
      "Chart.yaml": dependent("1.x"),
      "charts/db/Chart.yaml": chartOfDb,
      "charts/db/templates/b.yaml": "kind: B\n",
    };
    const own = renderChart(chartOf(both, local(files)), release);
    assert.deepEqual(
      own.manifests.map(({ kind }) => kind),
      ["B"],
    );
  });

  test("of another cluster have the dependency as the place of all their contents", () => {
    const files = { "Chart.yaml": chartOfDb, "templates/a.yaml": "kind: A\n" };
    const chart = chartOf({ "Chart.yaml": dependent("1.x") }, local(files, true));
    const [manifest] = renderChart(chart, release).manifests;
    assert.equal(manifest?.uri, "file:///web/Chart.yaml");
  });

  test("are refused if their version does not match", () => {
    const chart = chartOf({ "Chart.yaml": dependent("2.x") }, local({ "Chart.yaml": chartOfDb }));
    const made = renderChart(chart, release);
    assert.deepEqual(
      made.problems.map(({ message }) => message),
      [
        'can\'t get a valid version for 1 subchart(s): "db" (repository "file://../db", version "2.x"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml',
      ],
    );
    assert.equal(made.isWhole, false);
  });

  test("are refused if the dependency has no version", () => {
    const chart = chartOf({ "Chart.yaml": dependent('""') }, local({ "Chart.yaml": chartOfDb }));
    assert.deepEqual(
      renderChart(chart, release).problems.map(({ message }) => message),
      ['dependency "db" has an invalid version/constraint format: improper constraint: '],
    );
  });

  test("that depend on each other do not cause a loop", () => {
    const files = {
      "Chart.yaml": `${chartOfDb}dependencies:\n- { name: web, version: 1.x, repository: "file://../web" }\n- { name: db2, version: 1.x, repository: "file://../db" }\n`,
      "templates/a.yaml": "kind: A\n",
    };
    const made = renderChart(chartOf({ "Chart.yaml": dependent("1.x") }, local(files)), release);
    assert.deepEqual(
      made.manifests.map(({ kind }) => kind),
      ["A"],
    );
  });
});
