import assert from "node:assert/strict";
import { actionsIn, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { kustomized } from "../../support/kustomized.ts";
import { checkPredicted, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const chartYaml = `
  #- charts/shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0`;

const claim = `
  #- charts/shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: {{ .Release.Name }}-data
  spec:
    accessModes: [{{ .Values.storage.mode }}]
    storageClassName: {{ .Values.storage.class | quote }}
    resources:
      requests:
        storage: {{ .Values.storage.size }}`;

/** A chart that prints its values. */
const printed = `${chartYaml}
  #- charts/shop/values.yaml
  a: 1
  b: { c: x, d: 2 }
  #- charts/shop/templates/a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: {{ .Release.Name }} }
  data: { v: {{ .Values | toJson | quote }}, n: {{ .Release.Namespace }} }`;

const hooks = `${chartYaml}
  #- charts/shop/values.yaml
  a: 1
  #- charts/shop/crds/c.yaml
  apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: { name: foos.example.com }
  #- charts/shop/templates/a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: own }
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: test, annotations: { helm.sh/hook: test } }
  ---
  apiVersion: batch/v1
  kind: Job
  metadata: { name: up, annotations: { helm.sh/hook: pre-upgrade } }`;

function namesOf(text: string): readonly string[] {
  const { objects } = kustomized(text);
  return objects.map(({ metadata }) => (metadata as { name: string }).name);
}

function valuesOf(entry: string, more = ""): unknown {
  const text = `
  #- kustomization.yaml
  helmCharts: [{ name: shop, releaseName: rel, ${entry} }]${more}${printed}`;
  const [object] = kustomized(text).objects;
  return JSON.parse(String((object?.["data"] as { v?: string } | undefined)?.v));
}

suite("charts of a kustomization", () => {
  test("are rendered as by `helm template`, and changed like other objects", () => {
    const text = `
  #- kustomization.yaml
  namespace: shops
  namePrefix: eu-
  helmCharts: [{ name: shop, releaseName: rel, namespace: other }]${printed}`;
    assert.deepEqual(kustomized(text).objects, [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "eu-rel", namespace: "shops" },
        data: { v: '{"a":1,"b":{"c":"x","d":2}}', n: "other" },
      },
    ]);
  });

  test("have the names that Helm gives to releases", () => {
    const named = (entry: string): readonly string[] =>
      namesOf(`\n  #- kustomization.yaml\n  helmCharts: [{ name: shop${entry} }]${printed}`);
    assert.deepEqual(named(""), ["release-name"]);
    assert.deepEqual(named(", nameTemplate: eu-shop"), ["eu-shop"]);
  });

  test("include hooks and tests unless skipped, and CRDs if asked for", () => {
    const made = (entry: string): readonly string[] =>
      namesOf(`\n  #- kustomization.yaml\n  helmCharts: [{ name: shop${entry} }]${hooks}`);
    assert.deepEqual(made(""), ["own", "test", "up"]);
    assert.deepEqual(made(", skipTests: true"), ["own", "up"]);
    assert.deepEqual(made(", skipHooks: true, includeCRDs: true"), ["foos.example.com", "own"]);
  });

  test("merge inline values over or under the file, or replace it", () => {
    const inline = "valuesInline: { b: { c: null, d: 3 }, e: 4 }";
    assert.deepEqual(valuesOf(inline), { a: 1, b: { c: "x", d: 3 }, e: 4 });
    assert.deepEqual(valuesOf(`${inline}, valuesMerge: merge`), {
      a: 1,
      b: { c: "x", d: 2 },
      e: 4,
    });
    const files = "\n  #- v.yaml\n  a: 5\n  b: { d: 6 }\n  #- w.yaml\n  a: 7";
    assert.deepEqual(valuesOf("valuesFile: v.yaml, additionalValuesFiles: [w.yaml]", files), {
      ...{ a: 7, b: { c: "x", d: 6 } },
    });
    assert.deepEqual(valuesOf(`${inline}, valuesFile: v.yaml, valuesMerge: replace`, files), {
      ...{ a: 1, b: { d: 3 }, e: 4 },
    });
  });

  test("are found where kustomize puts fetched charts", () => {
    const moved = printed.replaceAll("charts/shop", "deps/shop-1.2.3/shop");
    assert.deepEqual(
      namesOf(`
  #- kustomization.yaml
  helmGlobals: { chartHome: deps }
  helmCharts: [{ name: shop, repo: "https://example.com", version: 1.2.3 }]${moved}`),
      ["release-name"],
    );
  });

  test("have a wrong value reported where it takes effect: in the kustomization, a file or the chart", () =>
    checkPredicted(`
  #- kustomization.yaml
  namePrefix: eu-
  helmCharts:
    - name: shop
      releaseName: rel
      additionalValuesFiles: [more.yaml]
      valuesInline: { storage: { mode: ReadWriteAlways } }
  #                                    ^^^^^^^^^^^^^^^ api-refused: spec.accessModes: Unsupported value
  #- more.yaml
  storage: { class: a b }
  #                 ^^^ api-refused: spec.storageClassName: Invalid value
  #- charts/shop/values.yaml
  storage: { size: -1Gi }
  #                ^^^^ api-refused: spec.resources[storage]: Invalid value${chartYaml}${claim}`));

  for (const [file, inline, chart, now] of [
    [
      "charts/shop/values.yaml",
      "{}",
      "fastt",
      "storage: { mode: ReadWriteOnce, class: fast, size: 1Gi }",
    ],
    [
      "kustomization.yaml",
      "{ storage: { class: fastt } }",
      "slow",
      "namePrefix: eu-\nhelmCharts: [{ name: shop, valuesInline: { storage: { class: fast } } }]",
    ],
  ] as const)
    test(`have a value changed by a fix in ${file}`, async () => {
      const fixture = readFixture(`
  #- kustomization.yaml
  namePrefix: eu-
  helmCharts: [{ name: shop, valuesInline: ${inline} }]
  #- class.yaml
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: fast }
  provisioner: csi.example.com
  #- charts/shop/values.yaml
  storage: { mode: ReadWriteOnce, class: ${chart}, size: 1Gi }${chartYaml}${claim}`);
      const service = await loadFixture(fixture, true);
      const found = findingsOf(service, memoryUri(file)).find(
        ({ code }) => code === "pvc-class-typo",
      );
      assert.ok(found !== undefined);
      const [first] = actionsIn(service, file, found).filter(({ kind }) => kind === "quickfix");
      assert.ok(first !== undefined);
      assert.equal(afterAction(fixture.files, first).get(file), now);
    });

  test("are not environments of their own as long as a kustomization names them", async () => {
    const text = (charts: string): string => `
  #- kustomization.yaml
  ${charts}
  #- charts/shop/values.yaml
  storage: { mode: ReadWriteOnce, class: fast, size: 1Gi }${chartYaml}${claim}`;
    const fixture = readFixture(text("helmCharts: [{ name: shop, releaseName: rel }]"));
    const service = await loadFixture(fixture, false);
    const told = (): readonly (readonly [string, ...string[]])[] =>
      service
        .environments()
        .map(({ name, objects }) => [name, ...objects.map(({ object }) => object.ref ?? "")]);
    const [own] = told();
    assert.deepEqual(own?.slice(1), ["PersistentVolumeClaim/default/rel-data"]);
    assert.equal(told().length, 1);
    service.setEditorText(memoryUri("kustomization.yaml"), "resources: []\n");
    assert.deepEqual(
      told().map(([, ...refs]) => refs),
      [[], ["PersistentVolumeClaim/default/shop-data"]],
    );
  });

  test("are rendered again after an edit of their values", async () => {
    const service = await loadFixture(
      readFixture(`
  #- kustomization.yaml
  namePrefix: eu-
  helmCharts: [{ name: shop, releaseName: rel }]
  #- charts/shop/values.yaml
  storage: { mode: ReadWriteOnce, class: fast, size: 1Gi }${chartYaml}${claim}`),
      false,
    );
    const uri = memoryUri("charts/shop/values.yaml");
    const codes = (): readonly string[] => findingsOf(service, uri).map(({ code }) => code);
    const before = codes();
    service.setEditorText(uri, "storage: { mode: ReadWriteAlways, class: fast, size: 1Gi }\n");
    assert.deepEqual(
      codes().filter((code) => !before.includes(code)),
      ["api-refused"],
    );
  });

  for (const [field, message] of [
    ["version: 1.2", "cannot unmarshal number into Go struct field HelmChart.helmCharts.version"],
    [
      "valuesInline: [1]",
      "cannot unmarshal array into Go struct field HelmChart.helmCharts.valuesInline of type map[string]interface {}",
    ],
    ["values: a", 'unknown field "values"'],
  ] as const)
    test(`are not read with ${field}`, () => {
      const { problems } = kustomized(
        `\n  #- kustomization.yaml\n  helmCharts: [{ name: shop, ${field} }]${printed}`,
      );
      assert.equal(problems.length, 1);
      assert.ok(problems[0]?.includes(message));
    });

  for (const [what, entry, message] of [
    ["no name", "releaseName: a", "chart name cannot be empty"],
    [
      "another merge",
      "name: shop, valuesMerge: x",
      "valuesMerge must be one of [merge override replace]",
    ],
    [
      "two names",
      "name: shop, releaseName: a, nameTemplate: b",
      "cannot set --name-template and also specify a name",
    ],
    ["a wrong name", "name: shop, releaseName: A", "release name check failed"],
  ] as const)
    test(`are refused with ${what}`, () => {
      const { problems } = kustomized(
        `\n  #- kustomization.yaml\n  helmCharts: [{ ${entry} }]${printed}`,
      );
      assert.ok(problems.some((one) => one.includes(`kustomize refuses the chart: ${message}`)));
    });

  test("are refused if a map and a scalar would be merged", () =>
    checkPredicted(`
  #- kustomization.yaml
  helmCharts: [{ name: shop, releaseName: rel, valuesInline: { b: 1 } }]
  #                                                            ^ helm-chart: kustomize refuses the chart: could not merge values: wrong node kind: expected MappingNode but got ScalarNode${printed}`));

  test("report values files that are missing or outside the folder", () => {
    const { problems } = kustomized(`
  #- base/kustomization.yaml
  helmCharts:
    - name: shop
      valuesFile: gone.yaml
      additionalValuesFiles:
        - away.yaml
        - ../v.yaml
        - w.yaml
  #- v.yaml
  a: 2
  #- base/w.yaml
  a: 3
  #- kustomization.yaml
  resources: [base]${printed.replaceAll("charts/shop", "base/charts/shop")}`);
    assert.deepEqual(
      problems.map((one) => one.slice(0, 70)),
      [
        "base/kustomization.yaml:3: Not heeded: gone.yaml is not among the file",
        "base/kustomization.yaml:5: Not heeded: away.yaml is not among the file",
        "base/kustomization.yaml:6: kustomize refuses the file: security; it is",
      ],
    );
  });

  test("are refused twice under one name", () => {
    const twice = "{ name: shop, releaseName: rel }";
    const { problems } = kustomized(
      `\n  #- kustomization.yaml\n  helmCharts: [${twice}, ${twice}]${printed}`,
    );
    assert.ok(problems.some((one) => one.includes("behavior must be merge or replace")));
  });

  test("are rendered up to a limit, and those left out are reported", () => {
    const entries = Array.from({ length: 202 }, (_, i) => `{ name: shop, releaseName: r${i} }`);
    const { objects, problems } = kustomized(
      `\n  #- kustomization.yaml\n  helmCharts:\n${entries.map((one) => `    - ${one}\n`).join("")}${printed}`,
    );
    const leftOut = "Not judged: no more charts are rendered here than those before this one";
    assert.equal(objects.length, 200);
    assert.deepEqual(
      problems,
      [202, 203].map((line) => `kustomization.yaml:${line}: ${leftOut}`),
    );
  });
});
