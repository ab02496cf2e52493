import assert from "node:assert/strict";
import { kustomized } from "../../support/kustomized.ts";
import { checkPredicted, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const chart = `
  #- charts/shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  #- charts/shop/values.yaml
  mode: ReadWriteOnce
  #- charts/shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: {{ .Release.Name }}-data
  spec:
    accessModes: [{{ .Values.mode }}]
    resources:
      requests:
        storage: 1Gi`;

const generator = (more: string, name = "c"): string => `
  apiVersion: builtin
  kind: HelmChartInflationGenerator
  metadata: { name: ${name} }
  ${more}`;

const inFile = (more: string): string => `
  #- kustomization.yaml
  generators: [shop.yaml]
  #- shop.yaml${generator(more)}${chart}`;

function namesIn(text: string): readonly string[] {
  const { objects } = kustomized(text);
  return objects.map(({ metadata }) => (metadata as { name: string }).name);
}

suite("charts from generators in separate files", () => {
  test("are rendered like those of the kustomization, also from another folder", () => {
    assert.deepEqual(namesIn(inFile("name: shop\n  releaseName: rel")), ["rel-data"]);
    const moved = inFile("name: shop\n  chartHome: deps").replaceAll("charts/", "deps/");
    assert.deepEqual(namesIn(moved), ["release-name-data"]);
  });

  test("are rendered for several generators in one file, and for an inline one", () => {
    const [first, second] = ["a", "b"].map((name) =>
      generator(`name: shop\n  releaseName: ${name}`, name),
    );
    const two = `
  #- kustomization.yaml
  generators: [shop.yaml]
  #- shop.yaml${first}
  ---${second}${chart}`;
    assert.deepEqual(namesIn(two), ["a-data", "b-data"]);
    const inline = `
  #- kustomization.yaml
  generators:
    - |${generator("name: shop").replaceAll("\n", "\n    ")}${chart}`;
    assert.deepEqual(namesIn(inline), ["release-name-data"]);
  });

  test("have a wrong value reported in the document that sets it", () =>
    checkPredicted(`
  #- kustomization.yaml
  generators: [shop.yaml]
  #- shop.yaml${generator("name: shop\n  releaseName: a\n  valuesInline: { mode: ReadWriteAlways }", "a")}
  #                     ^^^^^^^^^^^^^^^ api-refused: spec.accessModes: Unsupported value: "ReadWriteAlways"
  ---${generator("name: shop\n  releaseName: b\n  valuesInline: { mode: ReadWriteNever }", "b")}
  #                     ^^^^^^^^^^^^^^ api-refused: spec.accessModes: Unsupported value: "ReadWriteNever"${chart}`));

  for (const [what, fields, message] of [
    ["no name", "releaseName: a", "chart name cannot be empty"],
    [
      "another merge",
      "name: shop\n  valuesMerge: x",
      "valuesMerge must be one of [merge override replace]",
    ],
    [
      "values of another type, told of the first by its name",
      "name: shop\n  version: 1.2\n  kubeVersion: 1.3",
      "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go struct field HelmChartInflationGeneratorPlugin.HelmChart.kubeVersion of type string",
    ],
  ] as const)
    test(`are refused with ${what}`, () => {
      assert.deepEqual(kustomized(inFile(fields)).problems, [
        `shop.yaml:2: kustomize refuses the generator: plugin HelmChartInflationGenerator.builtin.[noGrp]/c.[noNs] fails configuration: ${message}`,
      ]);
    });

  test("may have fields that kustomize does not know", () => {
    assert.deepEqual(kustomized(inFile("name: shop\n  foo: x")).problems, []);
  });

  test("are reported if they are not there", () => {
    assert.match(
      kustomized(inFile("name: other")).problems.join("\n"),
      /^shop\.yaml:4: Not judged: charts\/other is not among the files that are read$/,
    );
  });

  test("are not environments of their own, in whatever order files are read, as long as a file names them", async () => {
    const service = await loadFixture(readFixture(inFile("name: shop\n  releaseName: rel")), false);
    const told = (): readonly (readonly string[])[] =>
      service
        .environments()
        .map(({ objects }) => objects.map(({ object }) => object.ref ?? ""))
        .map((refs) => refs.filter((ref) => ref.startsWith("PersistentVolumeClaim")));
    assert.deepEqual(told(), [["PersistentVolumeClaim/default/rel-data"]]);
    service.setEditorText(memoryUri("shop.yaml"), "");
    assert.deepEqual(told(), [[], ["PersistentVolumeClaim/default/shop-data"]]);
    service.setEditorText(memoryUri("shop.yaml"), generator("name: shop").replaceAll("\n  ", "\n"));
    assert.equal(told().length, 1);
  });

  test("are not environments of their own if the generators are in another folder", async () => {
    const text = `
  #- kustomization.yaml
  generators: [made]
  #- made/kustomization.yaml
  resources: [shop.yaml, .]
  #- made/shop.yaml${generator("name: shop\n  releaseName: rel")}${chart}`;
    assert.deepEqual(namesIn(text), ["rel-data"]);
    const service = await loadFixture(readFixture(text), false);
    assert.equal(service.environments().length, 1);
    service.setEditorText(memoryUri("made/kustomization.yaml"), "resources: []\n");
    assert.equal(service.environments().length, 2);
  });
});

suite("release names from templates", () => {
  const made = (template: string): string => {
    const entry = `helmCharts: [{ name: shop, nameTemplate: '${template}' }]`;
    const text = `\n  #- kustomization.yaml\n  ${entry}${chart}`;
    const { objects, problems } = kustomized(text);
    const [object] = objects.map(({ metadata }) => (metadata as { name: string }).name);
    return object ?? problems.join("\n");
  };

  test("are made with sprig's functions", () => {
    assert.equal(made('x-{{ list 1 2 | join "-" }}'), "x-1-2-data");
    assert.equal(
      made('{{ env "STAGE" | default "dev" }}-{{ expandenv "a${STAGE}$X" }}'),
      "dev-a-data",
    );
    assert.equal(made('x{{ repeat 200000 "${" | expandenv | len }}'), "x400000-data");
  });

  for (const [template, message] of [
    ['x-{{ toYaml "a" }}', 'function "toYaml" not defined'],
    ["x-{{ ", "unclosed action"],
    ['x-{{ fail "no" }}', "refuses the chart: no"],
    ["x-{{ .Values }}-y", 'release name check failed: release name "x-<no value>-y": invalid'],
  ] as const)
    test(`are refused in Go's words: ${template}`, () => {
      const told = made(template);
      assert.ok(told.includes("kustomize refuses the chart: ") && told.includes(message), told);
    });
});
