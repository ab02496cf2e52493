import assert from "node:assert/strict";
import { kustomized } from "../../support/kustomized.ts";
import { checkDiagnostics } from "../../support/language-features.ts";

const withMap = `
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data: { old: one }
  list: []
`;

suite("operations on generated objects", () => {
  const problemsOf = (generator: string, path: string): readonly string[] =>
    kustomized(`
  #- kustomization.yaml
  ${generator}
  patches: [{ target: { name: a }, patch: '[{ "op": "replace", "path": "${path}", "value": "x" }]' }]
`).problems;
  const literals = "configMapGenerator: [{ name: a, literals: [k=v] }]";
  const files = "configMapGenerator: [{ name: a, envs: [a.env] }]";

  for (const [path, generator, why] of [
    ["/spec/size", literals, "doc is missing path: /spec/size"],
    ["/spec/size", files, "doc is missing path: /spec/size"],
    ["/data/k/x", literals, "doc is missing path: /data/k/x"],
    ["/data/k", literals, undefined],
    ["/data/k/x", files, undefined],
    ["/metadata/labels/x", literals, undefined],
  ] as const)
    test(`${path} of ${generator} ${why === undefined ? "may exist" : "is reported missing"}`, () => {
      const refusal = `kustomization.yaml:2: kustomize refuses the patch: replace operation does not apply: ${why}: missing value`;
      assert.deepEqual(problemsOf(generator, path), why === undefined ? [] : [refusal]);
    });
});

suite("generated objects", () => {
  test("are merged with a ConfigMap of that name from a file", () => {
    const { objects, generated, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  configMapGenerator: [{ name: a, behavior: merge, literals: [new=two] }]${withMap}`);
    assert.deepEqual([objects, generated, problems], [[], ["ConfigMap a: old, new"], []]);
  });

  test("replace a ConfigMap of that name if asked for", () => {
    const { objects, generated } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  configMapGenerator: [{ name: a, behavior: replace, literals: [new=two] }]${withMap}`);
    assert.deepEqual([objects, generated], [[], ["ConfigMap a: new"]]);
  });

  test("get and lose keys by patches", () => {
    const { generated, problems } = kustomized(`
  #- kustomization.yaml
  configMapGenerator: [{ name: a, literals: [x=one], files: [file.txt] }]
  patches:
    - patch: '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { x: null, z: two } }'
    - { target: { kind: ConfigMap }, patch: '[{ "op": "remove", "path": "/data/file.txt" }]' }
`);
    assert.deepEqual([generated, problems], [["ConfigMap a: file.txt, z"], []]);
  });

  test("without a namespace get that of a transformer with `unsetOnly`", () => {
    const { generated, problems } = kustomized(`
  #- kustomization.yaml
  configMapGenerator: [{ name: a, literals: [x=one] }]
  transformers: [transformer.yaml]
  #- transformer.yaml
  apiVersion: builtin
  kind: NamespaceTransformer
  metadata: { name: x, namespace: shop }
  unsetOnly: true
`);
    assert.deepEqual([generated, problems], [["ConfigMap shop/a: x"], []]);
  });

  test("may be named by a separate generator file outside its metadata", () => {
    const { generated } = kustomized(`
  #- kustomization.yaml
  generators: [generator.yaml]
  #- generator.yaml
  apiVersion: builtin
  kind: ConfigMapGenerator
  metadata: { name: other }
  name: a
  literals: [x=one]
`);
    assert.deepEqual(generated, ["ConfigMap a: x"]);
  });

  for (const [entry, message] of [
    [
      "{ name: a, literals: [x=one] }",
      `id resid.ResId{Gvk:resid.Gvk{Group:"", Version:"v1", Kind:"ConfigMap", isClusterScoped:false}, Name:"a", Namespace:""} exists; can not use behavior: 'unspecified', behavior must be merge or replace`,
    ],
    [
      "{ name: b, behavior: merge, literals: [x=one] }",
      `id resid.ResId{Gvk:resid.Gvk{Group:"", Version:"v1", Kind:"ConfigMap", isClusterScoped:false}, Name:"b", Namespace:""} does not exist; cannot merge or replace`,
    ],
    ["{ literals: [x=one] }", "a configmap must have a name"],
    [
      "{ name: b, literals: [x] }",
      "loading KV pairs: literal sources [x]: invalid literal source x, expected key=value",
    ],
    ["{ name: b, literals: [x=one, x=two] }", "configmap b illegally repeats the key `x`"],
    ["{ name: b, literals: [x=one], files: [x=y] }", "configmap b illegally repeats the key `x`"],
    [
      "{ name: b, files: [x=y=z] }",
      "loading KV pairs: file sources: [x=y=z]: source \"x=y=z\" key name or file path contains '='",
    ],
    [
      "{ name: b, files: [=y] }",
      'loading KV pairs: file sources: [=y]: missing key name for file path "y" in source "=y"',
    ],
    [
      "{ name: b, files: [x=] }",
      'loading KV pairs: file sources: [x=]: missing file path for key name "x" in source "x="',
    ],
  ] as const)
    test(`with the entry ${entry} are refused`, () => {
      const { problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  configMapGenerator: [${entry}]${withMap}`);
      assert.deepEqual(problems, [
        `kustomization.yaml:2: kustomize refuses the generator: ${message}`,
      ]);
    });
});

suite("field names in another case", () => {
  test("are accepted in kustomizations, configurations and replacements", () => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  Resources: [a.yaml]
  NAMEPREFIX: p-
  Patches:
  - Target: { KIND: ConfigMap }
    Patch: '- { op: add, path: /data/x, value: z }'
  configurations: [c.yaml]
  replacements: [{ path: r.yaml }]
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data: { k: v }
  #- c.yaml
  NamePrefix: [{ Path: data/k, Kind: ConfigMap }]
  #- r.yaml
  Source: { Kind: ConfigMap, FieldPath: data.k }
  Targets: [{ Select: { Kind: ConfigMap }, FieldPaths: [data.x] }]
`);
    assert.deepEqual(problems, []);
    assert.deepEqual(objects, [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "p-a" },
        data: { k: "p-v", x: "p-v" },
      },
    ]);
  });

  test("lose to those in the usual spelling", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  NamePrefix: q-
  namePrefix: p-
  #- a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
`);
    assert.deepEqual(
      objects.map(({ metadata }) => metadata),
      [{ name: "p-a" }],
    );
  });

  test("keep their places in messages", () =>
    assert.deepEqual(
      kustomized("\n  #- kustomization.yaml\n  Resources: []\n  NAMEPREFIX: 3\n").problems,
      [
        "kustomization.yaml:2: kustomize refuses the kustomization: json: cannot unmarshal number into Go struct field Kustomization.namePrefix of type string",
      ],
    ));
});

suite("a kustomization", () => {
  for (const [text, message] of [
    ["{}", "1: kustomize refuses the kustomization: kustomization.yaml is empty"],
    ["# nothing", "1: kustomize refuses the kustomization: kustomization.yaml is empty"],
    [
      "resources: []\n  labels",
      "2: kustomize refuses the kustomization: it is no YAML. A key is followed by a colon and a blank; one of them is missing here",
    ],
    [
      "[a.yaml]",
      "1: kustomize refuses the kustomization: json: cannot unmarshal array into Go value of type types.Kustomization",
    ],
    ["{ resource: [] }", '1: kustomize refuses the kustomization: json: unknown field "resource"'],
    [
      "resources: []\n  labels: [{ pair: {} }]",
      '2: kustomize refuses the kustomization: json: unknown field "pair"',
    ],
    [
      "resources: []\n  commonLabels: { a: 1 }",
      "2: kustomize refuses the kustomization: json: cannot unmarshal number into Go struct field Kustomization.commonLabels of type string",
    ],
    [
      "resources: []\n  namespace: no",
      "2: kustomize refuses the kustomization: json: cannot unmarshal bool into Go struct field Kustomization.namespace of type string",
    ],
    [
      "resources: a.yaml",
      "1: kustomize refuses the kustomization: json: cannot unmarshal string into Go struct field Kustomization.resources of type []string",
    ],
    [
      "resources: []\n  labels: [{ pairs: { a: b }, includeSelectors: 'true' }]",
      "2: kustomize refuses the kustomization: json: cannot unmarshal string into Go struct field Label.labels.includeSelectors of type bool",
    ],
    [
      "resources: []\n  kind: List",
      "2: kustomize refuses the kustomization: kind should be Kustomization or Component",
    ],
    [
      "resources: []\n  apiVersion: kustomize.config.k8s.io/v1",
      "2: kustomize refuses the kustomization: apiVersion for Kustomization should be kustomize.config.k8s.io/v1beta1",
    ],
    [
      "resources: []\n  sortOptions: { order: name }",
      "2: kustomize refuses the kustomization: the field 'sortOptions.order' must be one of [fifo, legacy]",
    ],
  ] as const)
    test(`of ${text} is refused`, () =>
      assert.deepEqual(kustomized(`\n  #- kustomization.yaml\n  ${text}\n`).problems, [
        `kustomization.yaml:${message}`,
      ]));

  for (const text of [
    "{ resources: [] }",
    "{ Resources: [] }",
    "resources: []\n  openapi: { version: v1.21.2 }",
    "resources: []\n  namePrefix:",
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\n  kind: Kustomization\n  spec: { path: ./a }",
    "resources: [{{ .Values.resources }}]",
  ])
    test(`of ${text} is accepted or ignored`, () =>
      assert.deepEqual(kustomized(`\n  #- kustomization.yaml\n  ${text}\n`).problems, []));

  test("with a YAML mistake is reported once, as for any manifest, if it states its kind", () => {
    const head = "apiVersion: kustomize.config.k8s.io/v1beta1\n  kind: Kustomization\n  ";
    assert.deepEqual(kustomized(`\n  #- kustomization.yaml\n  ${head}labels: [a\n`).problems, []);
    return checkDiagnostics(`
      #- kustomization.yaml
      apiVersion: kustomize.config.k8s.io/v1beta1
      kind: Kustomization
      labels: [a
      #        ^ yaml-syntax
    `);
  });

  test("must be the only one in its folder", () => {
    const { problems } = kustomized(`
  #- kustomization.yaml
  resources: []
  #- kustomization.yml
  resources: []
`);
    assert.deepEqual(problems, [
      "kustomization.yaml:1: kustomize refuses the kustomization: Found multiple kustomization files in its folder",
    ]);
  });
});

suite("folders that kustomize refuses", () => {
  for (const [entry, kind, message] of [
    [
      "resources: [b]",
      "Component",
      "1: kustomize refuses the resource: expected kind != 'Component' for path 'b'",
    ],
    [
      "components: [b]",
      "Kustomization",
      "1: kustomize refuses the component: expected kind 'Component' for path 'b' but got 'Kustomization'",
    ],
  ] as const)
    test(`${entry} for a ${kind}`, () => {
      const { problems } = kustomized(`
  #- kustomization.yaml
  ${entry}
  #- b/kustomization.yaml
  kind: ${kind}
  namePrefix: a-
`);
      assert.deepEqual(problems, [`kustomization.yaml:${message}`]);
    });

  test("a folder that names a parent folder", () => {
    const { problems } = kustomized(`
  #- kustomization.yaml
  resources: [b]
  #- b/kustomization.yaml
  resources: [..]
`);
    assert.deepEqual(problems, [
      "b/kustomization.yaml:1: kustomize refuses the resource: cycle detected: 'workspace' is or contains a folder that names it",
    ]);
  });
});

suite("files of kustomizations", () => {
  test("a file outside the folder is read, with a message that it needs an option", () => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [b]
  #- b/kustomization.yaml
  resources: [../a.yaml]
  patches: [{ path: ../patch.yaml }]
  #- patch.yaml
  { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { old: two } }${withMap}`);
    const why =
      "kustomize refuses the file: security; it is not in or below the kustomization's folder. `--load-restrictor LoadRestrictionsNone` has it read";
    assert.deepEqual(problems, [
      `b/kustomization.yaml:1: ${why}`,
      `b/kustomization.yaml:2: ${why}`,
    ]);
    assert.deepEqual(objects[0]?.["data"], { old: "two" });
  });

  test("a local-config object provides values and is not built", () => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml, b.yaml]
  replacements:
    - source: { kind: Foo, fieldPath: value }
      targets: [{ select: { kind: ConfigMap }, fieldPaths: [data.old] }]
  #- b.yaml
  apiVersion: a.b/v1
  kind: Foo
  metadata: { name: b, annotations: { config.kubernetes.io/local-config: "true" } }
  value: two${withMap}`);
    assert.deepEqual(
      [objects.map(({ kind, data }) => ({ kind, data })), problems],
      [[{ kind: "ConfigMap", data: { old: "two" } }], []],
    );
  });

  test("a label without a value is empty", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  labels: [{ pairs: { x: } }]${withMap}`);
    assert.deepEqual(objects[0]?.["metadata"], { name: "a", labels: { x: "" } });
  });
});

suite("files of configurations", () => {
  const configured = (text: string, more = "namePrefix: p-") =>
    kustomized(`
  #- kustomization.yaml
  resources: [a.yaml, b.yaml]
  configurations: [c.yaml]
  ${more}
  #- b.yaml
  { apiVersion: v1, kind: Secret, metadata: { name: b } }
  #- c.yaml
  ${text}${withMap}`);

  test("a field for one kind replaces that for all kinds", () => {
    const { objects, problems } = configured("namePrefix: [{ path: metadata/name, kind: Secret }]");
    assert.deepEqual(
      [objects.map(({ metadata }) => metadata), problems],
      [[{ name: "a" }, { name: "p-b" }], []],
    );
  });

  for (const [text, message] of [
    ["namePrefixes: []", 'json: unknown field "namePrefixes"'],
    ["namePrefix: [{ path: a, field: b }]", 'json: unknown field "field"'],
    [
      "namePrefix: metadata/name",
      "json: cannot unmarshal string into Go struct field TransformerConfig.namePrefix of type []types.FieldSpec",
    ],
    [
      "commonLabels: [{ path: metadata/labels, kind: Secret }]",
      "failed to merge commonLabels fieldSpec: conflicting fieldspecs",
    ],
  ] as const)
    test(`${text} is refused`, () =>
      assert.deepEqual(configured(text).problems, [
        `c.yaml:1: kustomize refuses the configuration: ${message}`,
      ]));

  test("a missing file is reported", () => {
    const { problems } = kustomized(`
  #- kustomization.yaml
  resources: []
  configurations: [gone.yaml]
`);
    assert.deepEqual(problems, [
      "kustomization.yaml:2: Not heeded: gone.yaml is not among the files that are read",
    ]);
  });
});

suite("replacements with missing or unusual targets", () => {
  const replaced = (target: string, field = "data.old"): unknown => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml, b.yaml]
  replacements:
    - source: { kind: ConfigMap, fieldPath: ${field} }
      targets: [{ select: { kind: Foo }, ${target} }]
  #- b.yaml
  apiVersion: a.b/v1
  kind: Foo
  metadata: { name: b }
  spec: { count: 1, text: x, list: [{ name: c, value: d }], map: {} }${withMap}`);
    return problems.length > 0 ? problems : objects[1]?.["spec"];
  };
  const spec = { count: 1, text: "x", list: [{ name: "c", value: "d" }], map: {} };

  for (const [what, target, field, wanted] of [
    [
      "create an item with the name in the path",
      "fieldPaths: ['spec.list.[name=e].value'], options: { create: true }",
      "data.old",
      { ...spec, list: [...spec.list, { name: "e", value: "one" }] },
    ],
    [
      "create an item after the last one",
      "fieldPaths: [spec.list.1.value], options: { create: true }",
      "data.old",
      { ...spec, list: [...spec.list, { value: "one" }] },
    ],
    [
      "cannot create an item beyond that",
      "fieldPaths: [spec.list.2.value], options: { create: true }",
      "data.old",
      [
        'kustomization.yaml:4: kustomize refuses the replacement: unable to find or create field "spec.list.2.value" in replacement target',
      ],
    ],
    [
      "create a list for the item in the path",
      "fieldPaths: ['spec.new.[name=e].value'], options: { create: true }",
      "data.old",
      { ...spec, new: [{ name: "e", value: "one" }] },
    ],
    [
      "cannot create a list for a wildcard",
      "fieldPaths: ['spec.new.*.value'], options: { create: true }",
      "data.old",
      [
        'kustomization.yaml:4: kustomize refuses the replacement: unable to find or create field "spec.new.*.value" in replacement target',
      ],
    ],
    ["turn a mapping into an empty text", "fieldPaths: [spec.text]", "data", { ...spec, text: "" }],
    [
      "cannot turn a text into a number",
      "fieldPaths: [spec.count]",
      "data.old",
      [
        "kustomization.yaml:4: kustomize refuses the replacement: yaml: cannot decode !!str `one` as a !!int",
      ],
    ],
    [
      "cannot replace a part of a mapping",
      "fieldPaths: [spec.map], options: { delimiter: x }",
      "data.old",
      [
        "kustomization.yaml:4: kustomize refuses the replacement: delimiter option can only be used with scalar nodes",
      ],
    ],
  ] as const)
    test(what, () => assert.deepEqual(replaced(target, field), wanted));

  test("values in a List have no type", () => {
    const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml, b.yaml]
  replacements:
    - source: { kind: ConfigMap, fieldPath: data.old }
      targets: [{ select: { kind: Foo }, fieldPaths: [spec.count] }]
  #- b.yaml
  apiVersion: v1
  kind: List
  items:
    - { apiVersion: a.b/v1, kind: Foo, metadata: { name: b }, spec: { count: 1 } }${withMap}`);
    assert.deepEqual([objects[1]?.["spec"], problems], [{ count: "one" }, []]);
  });

  test("an empty list is not a value", () =>
    assert.deepEqual(replaced("fieldPaths: [spec.text]", "list"), [
      "kustomization.yaml:3: kustomize refuses the replacement: fieldPath `list` is missing for replacement source ConfigMap.[noVer].[noGrp]/[noName].[noNs]",
    ]));

  for (const [reject, isRejected] of [
    ["{ kind: Bar, labelSelector: a=b }", true],
    ["{ kind: Foo, labelSelector: a=c }", true],
    ["{ kind: Bar, labelSelector: a=c }", false],
    ["{ kind: Foo }", true],
    ["{}", false],
  ] as const)
    test(`${reject} rejects ${isRejected ? "objects by kind or label" : "nothing"}`, () => {
      const { objects, problems } = kustomized(`
  #- kustomization.yaml
  resources: [b.yaml]
  replacements:
    - sourceValue: now
      targets: [{ select: { kind: Foo }, reject: [${reject}], fieldPaths: [spec.text] }]
  #- b.yaml
  { apiVersion: a.b/v1, kind: Foo, metadata: { name: b, labels: { a: b } }, spec: { text: x } }`);
      assert.deepEqual([objects[0]?.["spec"], problems], [{ text: isRejected ? "x" : "now" }, []]);
    });

  test("generated objects get keys, and may have any that files bring", () => {
    const { generated, problems } = kustomized(`
  #- kustomization.yaml
  configMapGenerator:
    - { name: g, literals: [a=b] }
    - { name: f, files: [f.txt] }
  replacements:
    - sourceValue: now
      targets:
        - { select: { name: g }, fieldPaths: [data.made], options: { create: true } }
        - { select: { name: f }, fieldPaths: [data.there] }`);
    assert.deepEqual([generated, problems], [["ConfigMap g: a, made", "ConfigMap f: f.txt"], []]);
  });

  test("an object generated from literals has no other keys as a source", () => {
    const { problems } = kustomized(`
  #- kustomization.yaml
  configMapGenerator: [{ name: g, literals: [a=b] }]
  replacements:
    - source: { kind: ConfigMap, fieldPath: data.other }
      targets: [{ select: { name: g }, fieldPaths: [data.a] }]`);
    assert.deepEqual(problems, [
      "kustomization.yaml:3: kustomize refuses the replacement: fieldPath `data.other` is missing for replacement source ConfigMap.[noVer].[noGrp]/[noName].[noNs]",
    ]);
  });

  test("an object generated from literals has no other keys as a target", () => {
    const refused = (path: string): readonly string[] =>
      kustomized(`
  #- kustomization.yaml
  configMapGenerator: [{ name: g, literals: [a=b] }, { name: f, files: [f.txt] }]
  replacements: [{ sourceValue: x, targets: [{ select: { kind: ConfigMap }, fieldPaths: [${path}] }] }]`)
        .problems;
    for (const path of ["data.other", "spec.name"])
      assert.deepEqual(refused(path), [
        `kustomization.yaml:2: kustomize refuses the replacement: unable to find field "${path}" in replacement target`,
      ]);
    assert.deepEqual(refused("metadata.labels.a"), []);
  });

  test("an object without a namespace matches no namespace of a target until it may have been changed", () => {
    const spec = (namespace: string, more = ""): unknown =>
      kustomized(`
  #- kustomization.yaml
  resources: [b.yaml]
  replacements: [{ sourceValue: now, targets: [{ select: { namespace: ${namespace} }, fieldPaths: [spec.text] }] }]
  ${more}
  #- b.yaml
  { apiVersion: a.b/v1, kind: Foo, metadata: { name: b }, spec: { text: x } }`).objects[0]?.[
        "spec"
      ];
    assert.deepEqual(spec("default"), { text: "x" });
    assert.deepEqual(spec("default", "namePrefix: p-"), { text: "now" });
  });

  test("a source and a value together are refused", () => {
    const { problems } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  replacements: [{ source: { kind: ConfigMap }, sourceValue: x, targets: [{ select: { kind: ConfigMap } }] }]${withMap}`);
    assert.deepEqual(problems, [
      "kustomization.yaml:2: kustomize refuses the replacement: value and resource selectors are mutually exclusive",
    ]);
  });
});

suite("names that kustomize does not change", () => {
  test("a reference to a service account of another namespace is left alone", () => {
    const { objects } = kustomized(`
  #- kustomization.yaml
  resources: [a.yaml]
  namePrefix: p-
  commonLabels: {}
  #- a.yaml
  { apiVersion: v1, kind: ServiceAccount, metadata: { name: a, namespace: other } }
  ---
  { apiVersion: v1, kind: Pod, metadata: { name: b }, spec: { serviceAccountName: a } }
`);
    assert.deepEqual(objects[1], {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p-b" },
      spec: { serviceAccountName: "a" },
    });
  });
});
