/** Answers of kustomize 5.8.1, each to the kustomization before it. */
import assert from "node:assert/strict";
import { kustomized } from "../../support/kustomized.ts";

/** The fields of the last object. */
function made(kustomization: string, object: string): Readonly<Record<string, unknown>> {
  const { objects, problems } = kustomized(`
  #- kustomization.yaml
  ${kustomization}
  #- a.yaml
  ${object}`);
  assert.deepEqual(problems, []);
  return objects.at(-1) ?? {};
}

suite("documents in texts", () => {
  const replaced = (text: string, path: string, value = "new"): unknown =>
    made(
      `resources: [a.yaml]
  replacements: [{ sourceValue: "${value}", targets: [{ select: { kind: ConfigMap }, fieldPaths: ['${path}'] }] }]`,
      `apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data: { f.json: ${JSON.stringify(text)} }`,
    )["data"];

  for (const [what, text, path, wanted] of [
    ["a field of JSON", '{"b": {"a": "old"}, "a": 1}', "b.a", '{"a":1,"b":{"a":"new"}}'],
    ["JSON of several lines", '{\n  "a": "old"\n}', "a", '{\n  "a": "new"\n}'],
    ["a field of YAML", "b: 1\na:\n- x: old\n", "a.0.x", "b: 1\na:\n- x: new"],
    ["an item of YAML by its name", "- k: x\n  v: old", "[k=x].v", "- k: x\n  v: new"],
  ] as const)
    test(`${what} gets the value`, () =>
      assert.deepEqual(replaced(text, `data.f\\.json.${path}`), { "f.json": wanted }));

  test("a field that is missing in the document cannot be replaced", () => {
    const { problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  replacements: [{ sourceValue: x, targets: [{ select: { kind: ConfigMap }, fieldPaths: ['data.f.z'] }] }]
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data: { f: '{"a": 1}' }`);
    assert.deepEqual(problems, [
      'kustomization.yaml:2: kustomize refuses the replacement: unable to find field "data.f.z" in replacement target',
    ]);
  });
});

suite("fields that a kustomization changes", () => {
  test("labels are set in the fields that configurations list for labels", () => {
    const claim = made(
      `resources: [a.yaml]
  labels: [{ pairs: { team: t } }]
  configurations: [labels.yaml]
  #- labels.yaml
  labels: [{ path: spec/selector/matchLabels, create: true, kind: PersistentVolumeClaim }]`,
      "{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: a }, spec: {} }",
    );
    assert.deepEqual(
      [claim["metadata"], claim["spec"]],
      [{ name: "a", labels: { team: "t" } }, { selector: { matchLabels: { team: "t" } } }],
    );
  });

  test("the Namespace of another group keeps its name", () =>
    assert.deepEqual(
      made(
        "resources: [a.yaml]\n  namespace: ns",
        "{ apiVersion: x.io/v1, kind: Namespace, metadata: { name: a } }",
      )["metadata"],
      { name: "a", namespace: "ns" },
    ));

  test("an autoscaler follows the changed name of its StatefulSet", () =>
    assert.deepEqual(
      made(
        `resources: [a.yaml]
  namePrefix: p-`,
        `apiVersion: apps/v1
  kind: StatefulSet
  metadata: { name: db }
  ---
  apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: { name: h }
  spec: { scaleTargetRef: { apiVersion: apps/v1, kind: StatefulSet, name: db } }`,
      )["spec"],
      { scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: "p-db" } },
    ));

  test("configurations may repeat kustomize's own list of image fields", () =>
    assert.deepEqual(
      made(
        `resources: [a.yaml]
  images: [{ name: x, newTag: "2" }]
  configurations: [images.yaml]
  #- images.yaml
  images: [{ path: "spec/containers[]/image", create: true }]`,
        "{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ name: c }, { name: d, image: x }] } }",
      )["spec"],
      { containers: [{ name: "c" }, { name: "d", image: "x:2" }] },
    ));
});

suite("sort options", () => {
  const base = (options: string): readonly string[] =>
    kustomized(`
  #- kustomization.yaml
  resources: [base]
  #- base/kustomization.yaml
  resources: [a.yaml]
  sortOptions: ${options}
  #- base/a.yaml
  { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }`).problems;

  test("of a base are not checked", () => assert.deepEqual(base("{ order: none }"), []));

  for (const [options, message] of [
    ["{ legacySortOptions: {} }", "the field 'sortOptions.order' must be one of [fifo, legacy]"],
    [
      "{ order: fifo, legacySortOptions: {} }",
      "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
    ],
  ] as const)
    test(`${options} are refused in the kustomization that is built`, () => {
      const { problems } = kustomized(`
  #- kustomization.yaml
  resources: []
  sortOptions: ${options}`);
      assert.deepEqual(problems, [
        `kustomization.yaml:2: kustomize refuses the kustomization: ${message}`,
      ]);
    });
});
