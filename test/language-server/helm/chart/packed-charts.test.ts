import assert from "node:assert/strict";
import { packedText } from "../../../../src/language-server/helm/archive/packed-chart.ts";
import type { Release, RenderedChart } from "../../../../src/language-server/helm/chart/release.ts";
import { renderChart } from "../../../../src/language-server/helm/chart/render-chart.ts";
import { RenderMemory } from "../../../../src/language-server/helm/chart/render-memory.ts";
import { chartOf } from "./chart-of.ts";

const chartYaml = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const chartOfDb = "apiVersion: v2\nname: db\nversion: 1.2.3\n";
const release: Release = { name: "web", namespace: "default", values: [], kubeVersion: "1.36.0" };

suite("packed charts", () => {
  const dependent = `${chartYaml}dependencies:\n- name: db\n  version: 1.x\n`;
  const archive = "charts/db-1.2.3.tgz";

  test("are rendered like unpacked ones", () => {
    const { manifests, problems } = render({
      "Chart.yaml": dependent,
      "values.yaml": "db: { name: mine }\n",
      [archive]: packedText([
        ["Chart.yaml", chartOfDb],
        ["values.yaml", "name: db\nsize: 1Gi\n"],
        ["templates/_a.tpl", '{{ define "size" }}{{ .Values.size }}{{ end }}'],
        ["templates/a.yaml", 'kind: {{ .Values.name }}-{{ include "size" . }}\n'],
        ["crds/b.yaml", "kind: Definition\n"],
      ]),
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      manifests.map(({ kind, templateName }) => [kind, templateName]),
      [
        ["Definition", "web/charts/db/crds/b.yaml"],
        ["mine-1Gi", "web/charts/db/templates/a.yaml"],
      ],
    );
  });

  test("have the dependency as the place of all their contents", () => {
    const made = render({
      "Chart.yaml": dependent,
      [archive]: packedText([
        ["Chart.yaml", chartOfDb],
        ["values.yaml", "name: db\n"],
        ["templates/a.yaml", "kind: {{ .Values.name }}\n"],
        ["templates/b.yaml", "{{ fail `no` }}"],
        [
          "charts/common-1.0.0.tgz",
          packedText([
            ["Chart.yaml", "apiVersion: v2\nname: common\nversion: 1.0.0\n"],
            ["templates/c.yaml", "kind: C\n"],
          ]),
        ],
      ]),
    });
    const at = dependent.indexOf("db");
    const place = { uri: "file:///web/Chart.yaml", start: at, end: at + 2 };
    assert.deepEqual(
      made.problems.map(({ uri, start, end, message }) => [{ uri, start, end }, message]),
      [[place, "In db-1.2.3.tgz, templates/b.yaml: no"]],
    );
    assert.deepEqual(
      made.manifests.map(({ kind, uri }) => [kind, uri]),
      [
        ["C", place.uri],
        ["db", place.uri],
      ],
    );
    for (const { source, from, to, isLiteral, reads } of made.manifests.flatMap(
      ({ pieces }) => pieces,
    )) {
      assert.deepEqual({ uri: source.uri, start: from, end: to }, place);
      assert.equal(isLiteral, false);
      assert.deepEqual(
        reads.flatMap((read) => made.placesOf(read)),
        [],
      );
    }
  });

  test("that are not declared have the chart's name as their place", () => {
    const { manifests } = render({
      "Chart.yaml": chartYaml,
      [archive]: packedText([
        ["Chart.yaml", chartOfDb],
        ["templates/a.yaml", "kind: A\n"],
      ]),
    });
    const [piece] = manifests[0]?.pieces ?? [];
    assert.equal(piece?.source.text.slice(piece.from, piece.to), "web");
  });

  test("without a Chart.yaml are reported at the dependency", () => {
    const { problems } = render({ "Chart.yaml": dependent, [archive]: packedText([]) });
    const [problem] = problems;
    assert.equal(problem?.message, "In db-1.2.3.tgz: Chart.yaml file is missing");
    assert.equal(problem?.uri, "file:///web/Chart.yaml");
  });

  test("give the same manifest objects as long as nothing changes", () => {
    const files = {
      "Chart.yaml": dependent,
      [archive]: packedText([
        ["Chart.yaml", chartOfDb],
        ["templates/a.yaml", "kind: A\n"],
        ["crds/b.yaml", "kind: B\n"],
      ]),
    };
    const chart = chartOf(files);
    const memory = new RenderMemory();
    const first = renderChart(chart, release, memory);
    const second = renderChart(chart, release, memory);
    assert.equal(first.manifests.length, 2);
    for (const [index, manifest] of first.manifests.entries())
      assert.equal(manifest, second.manifests[index]);
  });
});

function render(files: Readonly<Record<string, string>>): RenderedChart {
  return renderChart(chartOf(files), release);
}
