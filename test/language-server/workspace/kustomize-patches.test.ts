import assert from "node:assert/strict";
import { kustomized } from "../../support/kustomized.ts";

const configMap = `
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a, labels: { n: "5", app: web } }
  list: [1, 2, 3]
`;

/** What operations make of an object, or the problems reported. */
function patched(operations: string, field = "list"): unknown {
  const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ path: patch.yaml, target: { kind: ConfigMap } }]
  #- patch.yaml
  ${operations}${configMap}`);
  return problems.length > 0 ? problems : objects[0]?.[field];
}

suite("paths of operations", () => {
  for (const [what, operation, wanted] of [
    [
      "a negative index counts from the end",
      "- { op: replace, path: /list/-1, value: 9 }",
      [1, 2, 9],
    ],
    ["a negative index to remove counts from the end", "- { op: remove, path: /list/-3 }", [2, 3]],
    [
      "index -1 to add is after the last item",
      "- { op: add, path: /list/-1, value: 9 }",
      [1, 2, 3, 9],
    ],
    ["an index may have a sign", "- { op: replace, path: /list/+1, value: 9 }", [1, 9, 3]],
    [
      "an index before the first item is refused",
      "- { op: remove, path: /list/-4 }",
      [
        "patch.yaml:1: kustomize refuses the patch: error in remove for path: '/list/-4': Unable to access invalid index: -4: invalid index referenced",
      ],
    ],
    ["a missing field is copied as null", "- { op: copy, from: /x, path: /list }", null],
    [
      "a missing item is not copied",
      "- { op: copy, from: /list/7, path: /list }",
      [
        "patch.yaml:1: kustomize refuses the patch: error in copy for from: '/list/7': Unable to access invalid index: 7: invalid index referenced",
      ],
    ],
    [
      "a name is not a valid index",
      "- { op: replace, path: /list/x, value: 9 }",
      [
        "patch.yaml:1: kustomize refuses the patch: replace operation does not apply: doc is missing key: /list/x: missing value",
      ],
    ],
    [
      "a move needs a path",
      "- { op: move, from: /list/0 }",
      [
        "patch.yaml:1: kustomize refuses the patch: move operation failed to decode path: operation missing path field: missing value",
      ],
    ],
    [
      "a copy needs a path",
      "- { op: copy, from: /list/0 }",
      [
        "patch.yaml:1: kustomize refuses the patch: copy operation failed to decode path: missing value",
      ],
    ],
    [
      "an object without a name is refused",
      "- { op: remove, path: /metadata/name }",
      ["patch.yaml:1: kustomize refuses the patch: missing metadata.name in object"],
    ],
    [
      "an object without a kind is refused",
      "- { op: remove, path: /kind }",
      ["patch.yaml:1: kustomize refuses the patch: missing kind in object"],
    ],
  ] as const)
    test(what, () => assert.deepEqual(patched(operation), wanted));

  test("operations whose path does not exist fail with the library's messages", () => {
    for (const [operation, message] of [
      [
        "op: add, path: /list/x",
        "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
      ],
      ["op: remove", "remove operation failed to decode path: missing value"],
      [
        "op: replace",
        "replace operation failed to decode path: operation missing path field: missing value",
      ],
      [
        "op: test, path: /list/7",
        "error in test for path: '/list/7': Unable to access invalid index: 7: invalid index referenced",
      ],
      [
        "op: test, path: /x/y",
        "test operation does not apply: is missing path: /x/y: missing value",
      ],
      [
        "op: copy, path: /x",
        "copy operation failed to decode from: operation, missing from field: missing value",
      ],
      [
        "op: copy, from: /list, path: /x/y",
        "copy operation does not apply: doc is missing destination path: /x/y: missing value",
      ],
      [
        "op: copy, from: /list, path: /list/9",
        "error while adding value during copy: Unable to access invalid index: 9: invalid index referenced",
      ],
      [
        "op: move, from: /x, path: /y",
        "error in move for path: 'x': Unable to remove nonexistent key: x: missing value",
      ],
      [
        "op: move, from: /x/y, path: /y",
        "move operation does not apply: doc is missing from path: /x/y: missing value",
      ],
      [
        "op: move, from: /list, path: /x/y",
        "move operation does not apply: doc is missing destination path: /x/y: missing value",
      ],
    ] as const)
      assert.deepEqual(patched(`- { ${operation} }`), [
        `patch.yaml:1: kustomize refuses the patch: ${message}`,
      ]);
  });

  test("a whole object may be replaced", () =>
    assert.deepEqual(
      patched(
        '- { op: replace, path: "", value: { apiVersion: v1, kind: ConfigMap, metadata: { name: b } } }',
        "metadata",
      ),
      { name: "b" },
    ));
});

suite("texts that kustomize reads as a patch", () => {
  for (const [what, patch, wanted] of [
    [
      "a list in brackets that is no JSON",
      "[{ op: remove, path: /list/0 }]",
      'kustomization.yaml:2: kustomize refuses the patch: unable to parse SM or JSON patch from [path: "patch.yaml"]: what begins with a bracket is read as JSON',
    ],
    [
      "a part of an object without its kind",
      "{ metadata: { name: a }, list: [] }",
      'kustomization.yaml:2: kustomize refuses the patch: unable to parse SM or JSON patch from [path: "patch.yaml"]: missing Resource metadata',
    ],
    [
      "a part of an object without its name",
      "{ apiVersion: v1, kind: ConfigMap, list: [] }",
      'kustomization.yaml:2: kustomize refuses the patch: unable to parse SM or JSON patch from [path: "patch.yaml"]: missing metadata.name in object',
    ],
    [
      "a text",
      "hello",
      'kustomization.yaml:2: kustomize refuses the patch: unable to parse SM or JSON patch from [path: "patch.yaml"]: missing Resource metadata',
    ],
  ] as const)
    test(`${what} is refused`, () => assert.deepEqual(patched(patch), [wanted]));

  test("a patch in JSON is applied", () =>
    assert.deepEqual(patched('[{ "op": "remove", "path": "/list/0" }]'), [2, 3]));

  test("a List is applied item by item", () => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ path: patch.yaml }]
  #- patch.yaml
  apiVersion: v1
  kind: List
  items:
    - { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, list: [9] }${configMap}`);
    assert.deepEqual([problems, objects[0]?.["list"]], [[], [9]]);
  });

  for (const [list, target, message] of [
    ["patches", "", undefined],
    ["patches", ", target: { kind: ConfigMap }", undefined],
    ["patchesJson6902", ", target: { kind: ConfigMap, name: a }", "patch appears to be empty"],
  ] as const)
    test(`an empty patch in ${list}${target} ${message === undefined ? "changes nothing" : "is refused"}`, () => {
      const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  ${list}: [{ path: patch.yaml${target} }]
  #- patch.yaml
  # nothing${configMap}`);
      const refusal = `kustomization.yaml:2: kustomize refuses the patch: ${message}`;
      assert.deepEqual(problems, message === undefined ? [] : [refusal]);
      assert.deepEqual(objects[0]?.["list"], [1, 2, 3]);
    });

  for (const [target, message] of [
    ["{ kind: ConfigMap }", "must specify the target name"],
    [
      "{ kind: ConfigMap, name: a }",
      "json: cannot unmarshal object into Go value of type jsonpatch.Patch",
    ],
  ] as const)
    test(`patchesJson6902 refuses a part of an object with the target ${target}`, () => {
      const { problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patchesJson6902: [{ path: patch.yaml, target: ${target} }]
  #- patch.yaml
  { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }${configMap}`);
      assert.deepEqual(problems, [`kustomization.yaml:2: kustomize refuses the patch: ${message}`]);
    });
});

suite("selectors of targets", () => {
  const remove = '[{ "op": "remove", "path": "/list/0" }]';
  const selected = (labelSelector: string): unknown => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ target: { labelSelector: '${labelSelector}' }, patch: '${remove}' }]${configMap}`);
    return problems[0] ?? objects[0]?.["list"];
  };

  for (const selector of [
    "n > 4",
    "n<6, app",
    "app in (web, other)",
    "app in (web,)",
    "app=web",
    "",
  ])
    test(`“${selector}” selects`, () => assert.deepEqual(selected(selector), [2, 3]));

  for (const [selector, message] of [
    ["app,", "found '', expected: identifier after ','"],
    [",app", "found ',', expected: !, identifier, or 'end of string'"],
    ["!app=web", "found '=', expected: ',' or 'end of string'"],
    [
      "app web",
      "unable to parse requirement: found 'web', expected: '=', '!=', '==', 'in', notin'",
    ],
    ["app===web", "unable to parse requirement: found '=', expected: identifier"],
    ["app in web", "unable to parse requirement: found 'web' expected: '('"],
    ["app in (web", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["app in (a,,)", "unable to parse requirement: found ')', expected: ',', or identifier"],
    [`${" ".repeat(300_000)}=`, "unable to parse requirement of the selector"],
    [
      "app > a",
      "unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    [
      "a_/=b",
      'unable to parse requirement: invalid label key "a_/": prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters',
    ],
    [
      `app=${"a".repeat(64)}`,
      `unable to parse requirement: invalid label value: "${"a".repeat(64)}": at key: "app": must be no more than 63 characters`,
    ],
  ] as const)
    test(`“${selector.slice(0, 99)}” cannot be read`, () =>
      assert.ok(
        String(selected(selector)).startsWith(
          `kustomization.yaml:2: kustomize refuses the patch: ${message}`,
        ),
        String(selected(selector)),
      ));
});

suite("labels and annotations in patches", () => {
  const metadataBy = (patch: string): unknown => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches: [{ ${patch} }]${configMap}`);
    return problems.length > 0 ? problems : objects[0]?.["metadata"];
  };
  const labels = (given: string): string =>
    `patch: '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: ${given} } }'`;

  for (const [what, patch, wanted] of [
    ["null removes them if the patch has no target", labels("null"), { name: "a" }],
    [
      "null removes none if the patch has a target",
      `target: { kind: ConfigMap }, ${labels("null")}`,
      { name: "a", labels: { n: "5", app: "web" } },
    ],
    [
      "values in a patch with a target become texts",
      `target: { kind: ConfigMap }, ${labels("{ app: null, n: 6 }")}`,
      { name: "a", labels: { n: "6", app: "null" } },
    ],
    [
      "an operation can add to annotations that do not exist",
      "target: { kind: ConfigMap }, patch: '- { op: add, path: /metadata/annotations/x, value: z }'",
      { name: "a", labels: { n: "5", app: "web" }, annotations: { x: "z" } },
    ],
    [
      "an operation can remove annotations that do not exist",
      "target: { kind: ConfigMap }, patch: '- { op: remove, path: /metadata/annotations }'",
      { name: "a", labels: { n: "5", app: "web" } },
    ],
    [
      "a list of finalizers can be replaced",
      "patch: '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: null, finalizers: [{ $patch: replace }, x/y] } }'",
      { name: "a", finalizers: ["x/y"] },
    ],
  ] as const)
    test(what, () => assert.deepEqual(metadataBy(patch), wanted));

  const late = "{ op: add, path: /metadata/annotations/x, value: z }";

  test("an operation of patchesJson6902 only finds annotations that exist", () =>
    assert.deepEqual(
      metadataBy(`patch: '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }' }]
  patchesJson6902: [{ target: { version: v1, kind: ConfigMap, name: a }, patch: '- ${late}'`),
      [
        'kustomization.yaml:3: kustomize refuses the patch: add operation does not apply: doc is missing path: "/metadata/annotations/x": missing value',
      ],
    ));

  test("an operation of patchesJson6902 also finds the annotations that kustomize adds after a change", () =>
    assert.deepEqual(
      metadataBy(`patch: '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }' }]
  namePrefix: p-
  patchesJson6902: [{ target: { version: v1, kind: ConfigMap, name: a }, patch: '- ${late}'`),
      { name: "p-a", labels: { n: "5", app: "web" }, annotations: { x: "z" } },
    ));
});

suite("old names that operations have changed", () => {
  for (const [list, found] of [
    ["patches", []],
    [
      "patchesJson6902",
      [
        "kustomization.yaml:2: kustomize refuses the patch: no matches for Id ConfigMap.v1.[noGrp]/a.[noNs]; failed to find unique target for patch ConfigMap.v1.[noGrp]/a.[noNs]",
      ],
    ],
  ] as const)
    test(`are ${found.length > 0 ? "unknown" : "known"} to patches of other kustomizations, if changed by ${list}`, () =>
      assert.deepEqual(
        kustomized(`
  #- kustomization.yaml
  resources: [base]
  patches: [{ patch: '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { x: z } }' }]
  #- base/kustomization.yaml
  resources: [a.yaml]
  ${list}: [{ target: { version: v1, kind: ConfigMap, name: a }, patch: '[{ "op": "replace", "path": "/metadata/name", "value": "b" }]' }]
  #- base/a.yaml
  { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
`).problems,
        found,
      ));
});

suite("a kind that a patch changes", () => {
  const kinds = (...later: readonly string[]): unknown => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  patches:
  - target: { kind: ConfigMap }
    patch: '[{ "op": "replace", "path": "/kind", "value": "Secret" }]'
  ${later.join("\n  ")}${configMap}`);
    return problems.length > 0 ? problems : [objects[0]?.["kind"], objects[0]?.["list"]];
  };
  const emptied = `patch: '[{ "op": "replace", "path": "/list", "value": [] }]'`;
  const byName = (kind: string): string =>
    `- patch: '{ apiVersion: v1, kind: ${kind}, metadata: { name: a }, list: [] }'`;

  test("is the one that later targets match", () => {
    assert.deepEqual(kinds(`- target: { kind: Secret }`, `  ${emptied}`), ["Secret", []]);
    assert.deepEqual(kinds(`- target: { kind: ConfigMap }`, `  ${emptied}`), [
      "kustomization.yaml:5: The target selects nothing that the kustomization has",
    ]);
  });

  test("can be named by later patches, and so can the kind before", () => {
    assert.deepEqual(kinds(byName("Secret")), ["Secret", []]);
    assert.deepEqual(kinds(byName("ConfigMap")), ["Secret", []]);
  });
});
