import assert from "node:assert/strict";
import type { ChartFile } from "../../../../src/language-server/helm/chart/chart.ts";
import { loadChart } from "../../../../src/language-server/helm/chart/load-chart.ts";
import type {
  RenderedChart,
  RenderedManifest,
} from "../../../../src/language-server/helm/chart/release.ts";
import { renderChart } from "../../../../src/language-server/helm/chart/render-chart.ts";
import { RenderMemory } from "../../../../src/language-server/helm/chart/render-memory.ts";

/** A chart rendered repeatedly with the same memory; files are the same objects until they are edited. */
class EditedChart {
  readonly #memory = new RenderMemory();
  readonly #files = new Map<string, ChartFile>();
  /** The result before the last edit. */
  before: RenderedChart | undefined;
  now: RenderedChart | undefined;

  constructor(texts: Readonly<Record<string, string>>) {
    this.write({ "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", ...texts });
  }

  write(texts: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(texts))
      this.#files.set(name, { uri: `file:///web/${name}`, text });
    this.#memory.begin([...this.#files.values()].filter(({ uri }) => !uri.includes("/templates/")));
    this.before = this.now;
    this.now = this.#rendered(this.#memory);
    const fresh = this.#rendered(new RenderMemory());
    assert.deepEqual(textsOf(this.now), textsOf(fresh), "as without a memory");
    assert.deepEqual(this.now.problems, fresh.problems);
  }

  #rendered(memory: RenderMemory): RenderedChart {
    return renderChart(
      loadChart("file:///web", this.#files),
      { name: "rel", namespace: "space", values: [], kubeVersion: "1.36.0" },
      memory,
    );
  }

  /** Kinds of objects whose templates were executed again after the last edit. */
  get anew(): readonly string[] {
    const known = new Set<RenderedManifest>(this.before?.manifests);
    return (this.now?.manifests ?? []).filter((one) => !known.has(one)).map(({ kind }) => kind);
  }
}

function textsOf({ manifests }: RenderedChart): readonly string[] {
  return manifests.map(({ text }) => text);
}

suite("templates that are executed again", () => {
  test("are only the edited one", () => {
    const chart = new EditedChart({ "templates/a.yaml": "kind: A", "templates/b.yaml": "kind: B" });
    chart.write({ "templates/a.yaml": "kind: A\nx: 1" });
    assert.deepEqual(chart.anew, ["A"]);
  });

  test("are those that include an edited one, in any way", () => {
    const chart = new EditedChart({
      "templates/_x.tpl": '{{ define "x" }}x{{ end }}',
      "templates/_y.tpl": '{{ define "y" }}{{ include "x" . }}{{ end }}',
      "templates/a.yaml": 'kind: A\nv: {{ include "y" . }}',
      "templates/b.yaml": 'kind: B\nv: {{ tpl `{{ include "x" . }}` . }}',
      "templates/c.yaml": "kind: C",
    });
    chart.write({ "templates/_x.tpl": '{{ define "x" }}other{{ end }}' });
    assert.deepEqual(chart.anew, ["A", "B"]);
  });

  test("are those that include an edited file by its path", () => {
    const chart = new EditedChart({
      "templates/config.yaml": "kind: Config\nv: 1",
      "templates/pod.yaml":
        'kind: Pod\nsum: {{ include (print $.Template.BasePath "/config.yaml") . | sha256sum }}',
      "templates/other.yaml": "kind: Other",
    });
    chart.write({ "templates/config.yaml": "kind: Config\nv: 2" });
    assert.deepEqual(chart.anew, ["Pod", "Config"]);
  });

  test("are those that lack a definition that is added or removed", () => {
    const defined = { "templates/_x.tpl": '{{ define "x" }}x{{ end }}' };
    const chart = new EditedChart({
      "templates/a.yaml": 'kind: A\nv: {{ include "x" . }}',
      "templates/b.yaml": "kind: B",
    });
    assert.equal(chart.now?.problems.length, 1);
    chart.write(defined);
    assert.deepEqual(chart.anew, ["A"]);
    chart.write({ "templates/_x.tpl": "" });
    assert.equal(chart.now?.problems.length, 1);
    chart.write({ "templates/b.yaml": "kind: B\nx: 1" });
    assert.equal(chart.now?.problems.length, 1);
  });

  test("are those whose definition another file takes over", () => {
    const chart = new EditedChart({
      "templates/_b.tpl": '{{ define "x" }}first{{ end }}',
      "templates/a.yaml": 'kind: A\nv: {{ include "x" . }}',
    });
    chart.write({ "templates/_a.tpl": '{{ define "x" }}second{{ end }}' });
    assert.deepEqual(chart.anew, ["A"]);
    assert.match(chart.now?.manifests[0]?.text ?? "", /second/);
  });

  test("are all if the values change", () => {
    const chart = new EditedChart({
      "values.yaml": "x: 1",
      "templates/a.yaml": "kind: A\nv: {{ .Values.x }}",
      "templates/b.yaml": "kind: B",
    });
    chart.write({ "values.yaml": "x: 2" });
    assert.deepEqual(chart.anew, ["A", "B"]);
  });

  test("are all if one of them changes the shared values", () => {
    const chart = new EditedChart({
      "values.yaml": "x: 1",
      "templates/a.yaml": "kind: A\nv: {{ .Values.x }}",
      "templates/b.yaml": 'kind: B\n{{ $_ := set .Values "x" 2 }}',
    });
    chart.write({ "templates/b.yaml": 'kind: B\n{{ $_ := set .Values "x" 3 }}' });
    assert.deepEqual(chart.anew, ["A", "B"]);
    chart.write({ "templates/b.yaml": "kind: B" });
    assert.deepEqual(chart.anew, ["A", "B"]);
    chart.write({ "templates/b.yaml": "kind: B\nx: 1" });
    assert.deepEqual(chart.anew, ["B"]);
  });

  test("do not include a template that only changes a map of its own", () => {
    const chart = new EditedChart({
      "templates/a.yaml": "kind: A",
      "templates/b.yaml": 'kind: B\n{{ $m := dict }}{{ $_ := set $m "x" 2 }}',
    });
    chart.write({ "templates/a.yaml": "kind: A\nx: 1" });
    assert.deepEqual(chart.anew, ["A"]);
  });
});
