import assert from "node:assert/strict";
import fc from "fast-check";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import { Workspace } from "../../../src/language-server/workspace/workspace.ts";
import { valueAt } from "../../../src/language-server/yaml/manifest.ts";
import { kustomized } from "../../support/kustomized.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

function workspaceOf(text: string): Workspace {
  const workspace = new Workspace();
  workspace.setFolders([memoryFolder]);
  for (const [name, content] of readFixture(text).files)
    workspace.setDiskText(memoryUri(name), content);
  return workspace;
}

function environmentOf(workspace: Workspace): Environment {
  const environment = workspace.environment(memoryFolder);
  assert.ok(environment !== undefined);
  return environment;
}

function problemsOf({ kustomized }: Environment): readonly string[] {
  return kustomized.problems.map(({ message }) => message);
}

/** What patches make of the pod in `pod.yaml`. */
function pod(files: string): Record<string, unknown> {
  const environment = environmentOf(workspaceOf(files));
  assert.deepEqual(problemsOf(environment), []);
  const found = environment.objects.find(({ object }) => object.kind === "Pod");
  assert.ok(found !== undefined);
  return found.object.value as Record<string, unknown>;
}

const web = `
  apiVersion: v1
  kind: Pod
  metadata: { name: web, finalizers: [a/b] }
  spec:
    containers:
      - { name: a, image: one, env: [{ name: X, value: "1" }], args: [--old] }
      - { name: b, image: two }
    volumes: [{ name: v, emptyDir: {} }, { name: w, emptyDir: {} }]`;

function merged(patch: string, metadata = ""): Record<string, unknown> {
  return pod(`
  #- kustomization.yaml
  resources: [pod.yaml]
  patches: [{ path: patch.yaml }]
  #- pod.yaml${web}
  #- patch.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web, ${metadata} }
  ${patch}
`);
}

const withOperations = (operations: string): string => `
  #- kustomization.yaml
  resources: [pod.yaml]
  patches: [{ target: { kind: Pod }, patch: '${operations}' }]
  #- pod.yaml${web}
`;

suite("strategic merge patches of kustomize", () => {
  test("list items are identified by their names, and those of the patch come first", () =>
    assert.deepEqual(
      merged("spec: { containers: [{ name: b, image: three }, { name: c, image: four }] }")["spec"],
      {
        containers: [
          { name: "b", image: "three" },
          { name: "c", image: "four" },
          { name: "a", image: "one", env: [{ name: "X", value: "1" }], args: ["--old"] },
        ],
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "w", emptyDir: {} },
        ],
      },
    ));

  test("a volume keeps its old source beside the new one", () =>
    assert.deepEqual(
      (
        merged("spec: { volumes: [{ name: v, persistentVolumeClaim: { claimName: c } }] }")[
          "spec"
        ] as { readonly volumes: unknown }
      ).volumes,
      [
        { name: "v", emptyDir: {}, persistentVolumeClaim: { claimName: "c" } },
        { name: "w", emptyDir: {} },
      ],
    ));

  for (const [what, patch, volumes] of [
    [
      "null removes a field",
      "{ name: v, emptyDir: null, hostPath: { path: /x } }",
      [
        { name: "v", hostPath: { path: "/x" } },
        { name: "w", emptyDir: {} },
      ],
    ],
    [
      "$patch: delete removes an item",
      "{ name: v, $patch: delete }",
      [{ name: "w", emptyDir: {} }],
    ],
    [
      "$patch: replace leaves an item as it is",
      "{ name: v, $patch: replace, hostPath: { path: /x } }",
      [
        { name: "v", emptyDir: {} },
        { name: "w", emptyDir: {} },
      ],
    ],
    [
      "$patch: replace in a list replaces it",
      "{ $patch: replace }, { name: z, emptyDir: {} }",
      [{ name: "z", emptyDir: {} }],
    ],
  ] as const)
    test(what, () =>
      assert.deepEqual(
        (merged(`spec: { volumes: [${patch}] }`)["spec"] as { readonly volumes: unknown }).volumes,
        volumes,
      ),
    );

  test("other lists are replaced, but finalizers are added", () => {
    const { spec, metadata } = merged(
      'spec: { containers: [{ name: a, args: ["--new"] }] }',
      "finalizers: [c/d]",
    ) as {
      readonly spec: { readonly containers: readonly unknown[] };
      readonly metadata: unknown;
    };
    assert.deepEqual(spec.containers[0], {
      name: "a",
      image: "one",
      env: [{ name: "X", value: "1" }],
      args: ["--new"],
    });
    assert.deepEqual(metadata, { name: "web", finalizers: ["c/d", "a/b"] });
  });

  test("a list that did not exist is taken over completely", () =>
    assert.deepEqual(
      merged("spec: { containers: [{ name: b, args: [--new, null, --more] }] }")["spec"],
      {
        containers: [
          { name: "b", image: "two", args: ["--new", null, "--more"] },
          { name: "a", image: "one", env: [{ name: "X", value: "1" }], args: ["--old"] },
        ],
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "w", emptyDir: {} },
        ],
      },
    ));

  for (const [options, kind, name] of [
    ["", "Pod", "web"],
    ["allowKindChange: true", "PodTemplate", "web"],
    ["allowNameChange: true", "Pod", "other"],
  ] as const)
    test(`an object keeps its kind and its name ${options === "" ? "" : `except with ${options}`}`, () => {
      const { objects } = environmentOf(
        workspaceOf(`
  #- kustomization.yaml
  resources: [pod.yaml]
  patches: [{ path: patch.yaml, target: { name: web }, options: { ${options} } }]
  #- pod.yaml${web}
  #- patch.yaml
  apiVersion: v1
  kind: PodTemplate
  metadata: { name: other }
    `),
      );
      assert.deepEqual(
        objects.map(({ object }) => [object.kind, object.name]),
        [[kind, name]],
      );
    });

  test("a mapping in place of a list is refused", () => {
    const environment = environmentOf(
      workspaceOf(`
  #- kustomization.yaml
  resources: [pod.yaml]
  patches: [{ path: patch.yaml }]
  #- pod.yaml${web}
  #- patch.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec: { containers: { name: a } }
    `),
    );
    assert.deepEqual(problemsOf(environment), [
      "kustomize refuses the patch: wrong node kind: expected SequenceNode but got MappingNode",
    ]);
  });
});

suite("operations of kustomize", () => {
  for (const [what, operations, field, wanted] of [
    [
      "add a field",
      '[{"op": "add", "path": "/metadata/labels", "value": {"a": "b"}}]',
      "metadata",
      {
        name: "web",
        finalizers: ["a/b"],
        labels: { a: "b" },
      },
    ],
    [
      "escape slashes and tildes",
      '[{"op": "add", "path": "/metadata/a~1b~0c", "value": 1}]',
      "metadata",
      {
        name: "web",
        finalizers: ["a/b"],
        "a/b~c": 1,
      },
    ],
    [
      "append to a list and insert into it",
      '[{"op": "add", "path": "/metadata/finalizers/-", "value": "z/z"}, {"op": "add", "path": "/metadata/finalizers/0", "value": "0/0"}]',
      "metadata",
      {
        name: "web",
        finalizers: ["0/0", "a/b", "z/z"],
      },
    ],
    [
      "remove, replace, copy and move",
      '[{"op": "copy", "from": "/metadata/name", "path": "/metadata/generateName"}, {"op": "remove", "path": "/metadata/finalizers/0"}, {"op": "move", "from": "/metadata/finalizers", "path": "/metadata/x"}, {"op": "replace", "path": "/metadata/generateName", "value": "y"}]',
      "metadata",
      {
        name: "web",
        generateName: "y",
        x: [],
      },
    ],
  ] as const)
    test(what, () => assert.deepEqual(pod(withOperations(operations))[field], wanted));

  for (const [operations, message] of [
    [
      '[{"op": "test", "path": "/kind", "value": "Node"}]',
      "testing value /kind failed: test failed",
    ],
    [
      '[{"op": "remove", "path": "/metadata/labels"}]',
      "error in remove for path: '/metadata/labels': Unable to remove nonexistent key: labels: missing value",
    ],
    [
      '[{"op": "add", "path": "/metadata/labels/a", "value": "b"}]',
      'add operation does not apply: doc is missing path: "/metadata/labels/a": missing value',
    ],
    [
      '[{"op": "add", "path": "/metadata/finalizers/7", "value": "b"}]',
      "error in add for path: '/metadata/finalizers/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [
      '[{"op": "replace", "path": "/spec/containers/2/image", "value": "b"}]',
      "replace operation does not apply: doc is missing path: /spec/containers/2/image: missing value",
    ],
    ['[{"op": "twist", "path": "/kind"}]', "Unexpected kind: twist"],
    ["[7]", "error decoding patch: an operation is a mapping"],
  ] as const)
    test(`leave the object unchanged if they do not apply: ${message}`, () => {
      const environment = environmentOf(workspaceOf(withOperations(operations)));
      assert.deepEqual(problemsOf(environment), [`kustomize refuses the patch: ${message}`]);
      assert.deepEqual(
        environment.objects.map(({ patched }) => patched),
        [undefined],
      );
    });
});

suite("the order in which kustomize builds", () => {
  const labelled = (overlay: string, base = ""): unknown =>
    (
      pod(`
  #- base/kustomization.yaml
  resources: [pod.yaml]
  namePrefix: pre-
  namespace: shop
  commonLabels: { tier: fast }
  ${base}
  #- base/pod.yaml${web}
  #- kustomization.yaml
  resources: [base]
  ${overlay}
    `)["metadata"] as { readonly labels?: unknown }
    ).labels;
  const label = (value: string): string =>
    `patch: '[{"op": "add", "path": "/metadata/labels", "value": {"by": "${value}"}}]'`;

  test("a patch finds an object by its original name and by the name from its base", () => {
    assert.deepEqual(labelled(`patches: [{ target: { name: web }, ${label("old")} }]`), {
      by: "old",
    });
    assert.deepEqual(labelled(`patches: [{ target: { name: pre-web }, ${label("new")} }]`), {
      by: "new",
    });
    assert.deepEqual(
      labelled(
        "patchesStrategicMerge: ['{ apiVersion: v1, kind: Pod, metadata: { name: pre-web, namespace: shop, labels: { by: id } } }']",
      ),
      { tier: "fast", by: "id" },
    );
  });

  test("a patch finds an object by the label and the namespace from its base", () =>
    assert.deepEqual(
      labelled(
        `patches: [{ target: { labelSelector: "tier=fast,!x", namespace: sh.p }, ${label("both")} }]`,
      ),
      { by: "both" },
    ));

  test("patches of the base come first, then `patches`, then `patchesJson6902`", () =>
    assert.deepEqual(
      labelled(
        `patches: [{ target: { kind: Pod }, ${label("patches")} }]
  patchesJson6902: [{ target: { kind: Pod, name: pre-web }, patch: '[{"op": "add", "path": "/metadata/labels/last", "value": "late"}]' }]`,
        `patches: [{ target: { kind: Pod }, ${label("base")} }]`,
      ),
      { by: "patches", last: "late" },
    ));

  test("kustomizations that name each other do not cause a loop", () =>
    assert.equal(
      environmentOf(
        workspaceOf(`
  #- a/kustomization.yaml
  resources: [../b]
  #- b/kustomization.yaml
  resources: [../a, pod.yaml]
  patches: [{ target: { kind: Pod }, ${label("x")} }]
  #- b/pod.yaml${web}
    `),
      ).objects.filter(({ object }) => object.kind === "Pod").length,
      1,
    ));
});

suite("what a kustomization sets in all its objects", () => {
  const made = (kustomization: string, object: string): Record<string, unknown> => {
    const environment = environmentOf(
      workspaceOf(`
  #- kustomization.yaml
  resources: [object.yaml]
  ${kustomization}
  #- object.yaml
  ${object}
`),
    );
    assert.deepEqual(problemsOf(environment), []);
    const found = environment.objects.find(({ file }) => file.uri === memoryUri("object.yaml"));
    assert.ok(found !== undefined);
    return found.object.value as Record<string, unknown>;
  };
  const set =
    "{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: db }, spec: { replicas: 1, volumeClaimTemplates: [{ metadata: { name: data } }] } }";
  const claim =
    "{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { selector: { matchLabels: { disk: old } } } }";

  test("commonLabels are set on the object, its pods and its claims, and select the pods", () =>
    assert.deepEqual(made("commonLabels: { app: shop }", set), {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "db", labels: { app: "shop" } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: "shop" } },
        template: { metadata: { labels: { app: "shop" } } },
        volumeClaimTemplates: [{ metadata: { name: "data", labels: { app: "shop" } } }],
      },
    }));

  test("labels are not added to selectors unless asked for", () => {
    const { spec } = made("labels: [{ pairs: { app: shop }, includeTemplates: true }]", set);
    assert.equal((spec as Record<string, unknown>)["selector"], undefined);
    assert.deepEqual((spec as Record<string, unknown>)["template"], {
      metadata: { labels: { app: "shop" } },
    });
  });

  test("a claim's selector for volumes gets no commonLabels", () => {
    const { metadata, spec } = made("commonLabels: { app: shop }", claim);
    assert.deepEqual(metadata, { name: "data", labels: { app: "shop" } });
    assert.deepEqual(spec, { selector: { matchLabels: { disk: "old" } } });
  });

  test("labels are set in the fields that the entry lists", () =>
    assert.deepEqual(
      made(
        "labels: [{ pairs: { app: shop }, fields: [{ path: spec/selector/matchLabels, kind: PersistentVolumeClaim }] }]",
        claim,
      )["spec"],
      { selector: { matchLabels: { disk: "old", app: "shop" } } },
    ));

  test("commonAnnotations are set on the object and its pods", () => {
    const { metadata, spec } = made("commonAnnotations: { a/b: c }", set);
    assert.deepEqual((metadata as Record<string, unknown>)["annotations"], { "a/b": "c" });
    assert.deepEqual((spec as Record<string, unknown>)["template"], {
      metadata: { annotations: { "a/b": "c" } },
    });
  });

  test("replicas are set by the workload's name", () =>
    assert.deepEqual(
      (made("replicas: [{ name: db, count: 3 }]", set)["spec"] as Record<string, unknown>)[
        "replicas"
      ],
      3,
    ));
});

suite("names that a kustomization gives", () => {
  const names = (files: string): readonly string[] => {
    const environment = environmentOf(workspaceOf(files));
    assert.deepEqual(problemsOf(environment), []);
    return environment.objects.flatMap(({ object }) => object.ref ?? []);
  };
  const fieldOf = (files: string, kind: string, ...path: readonly (string | number)[]): unknown => {
    const found = environmentOf(workspaceOf(files)).objects.find(
      ({ object }) => object.kind === kind,
    );
    return valueAt(found?.object.value, path);
  };
  const claims = `
  #- kustomization.yaml
  resources: [all.yaml]
  namePrefix: dev-
  nameSuffix: -b
  #- all.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: fast, volumeName: disk, dataSource: { kind: PersistentVolumeClaim, name: data } }
  ---
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: fast }
  ---
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: disk }
  spec: { storageClassName: fast, claimRef: { namespace: default, name: data } }
  ---
  apiVersion: v1
  kind: Namespace
  metadata: { name: shop }
  `;

  test("apply to all objects except namespaces", () =>
    assert.deepEqual(names(claims), [
      "PersistentVolumeClaim/default/dev-data-b",
      "StorageClass//dev-fast-b",
      "PersistentVolume//dev-disk-b",
      "Namespace//shop",
    ]));

  test("are followed from claims to classes and volumes, but not to data sources and claimRefs", () => {
    assert.deepEqual(fieldOf(claims, "PersistentVolumeClaim", "spec"), {
      storageClassName: "dev-fast-b",
      volumeName: "dev-disk-b",
      dataSource: { kind: "PersistentVolumeClaim", name: "data" },
    });
    assert.deepEqual(fieldOf(claims, "PersistentVolume", "spec"), {
      storageClassName: "dev-fast-b",
      claimRef: { namespace: "default", name: "data" },
    });
  });

  test("are followed in the fields that the kustomization's configuration adds", () =>
    assert.equal(
      fieldOf(
        `${claims.replace("namePrefix", "configurations: [names.yaml]\n  namePrefix")}
  #- names.yaml
  nameReference:
    - kind: PersistentVolumeClaim
      fieldSpecs: [{ kind: PersistentVolume, path: spec/claimRef/name }]
`,
        "PersistentVolume",
        "spec",
        "claimRef",
        "name",
      ),
      "dev-data-b",
    ));

  const workload = (kind: string): string => `
  #- kustomization.yaml
  resources: [all.yaml]
  namePrefix: dev-
  #- all.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  ---
  apiVersion: apps/v1
  kind: ${kind}
  metadata: { name: web }
  spec: { template: { spec: { volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }] } } }
  `;
  for (const [kind, wanted] of [
    ["Deployment", "dev-data"],
    ["StatefulSet", "dev-data"],
    ["ReplicaSet", "data"],
  ] as const)
    test(`a ${kind} then refers to the claim ${wanted}`, () =>
      assert.equal(
        valueAt(fieldOf(workload(kind), kind, "spec", "template", "spec", "volumes"), [
          0,
          "persistentVolumeClaim",
          "claimName",
        ]),
        wanted,
      ));

  test("are followed within the same base if several bases have objects of one name", () => {
    const files = `
  #- base/kustomization.yaml
  resources: [all.yaml]
  #- base/all.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec: { volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }] }
  #- a/kustomization.yaml
  resources: [../base]
  namePrefix: a-
  #- b/kustomization.yaml
  resources: [../base]
  namePrefix: b-
  #- kustomization.yaml
  resources: [a, b]
`;
    assert.deepEqual(names(files), [
      "PersistentVolumeClaim/default/a-data",
      "PersistentVolumeClaim/default/b-data",
      "Pod/default/a-web",
      "Pod/default/b-web",
    ]);
    const pods = environmentOf(workspaceOf(files)).objects.filter(
      ({ object }) => object.kind === "Pod",
    );
    assert.deepEqual(
      pods.map(({ object }) =>
        valueAt(object.value, ["spec", "volumes", 0, "persistentVolumeClaim", "claimName"]),
      ),
      ["a-data", "b-data"],
    );
  });

  test("a reference that may mean objects of two bases is refused", () => {
    const base = (folder: string): string => `
      #- ${folder}/kustomization.yaml
      resources: [web.yaml]
      namePrefix: ${folder}-
      #- ${folder}/web.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: web }`;
    const { problems } = kustomized(`
      #- kustomization.yaml
      resources: [a, b, pod.yaml]
      namePrefix: all-
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: p }
      spec:
        containers: [{ name: c, image: i }]
        volumes: [{ name: v, configMap: { name: web } }]${base("a")}${base("b")}
    `);
    assert.deepEqual(problems, [
      "pod.yaml:6: kustomize refuses the name: found multiple possible referrals: ConfigMap.v1.[noGrp]/all-a-web.[noNs], ConfigMap.v1.[noGrp]/all-b-web.[noNs]",
    ]);
  });

  test("a namespace that would make two objects the same is refused", () =>
    assert.deepEqual(
      problemsOf(
        environmentOf(
          workspaceOf(`
  #- kustomization.yaml
  resources: [all.yaml]
  namespace: team
  #- all.yaml
  apiVersion: v1
  kind: Namespace
  metadata: { name: a }
  ---
  apiVersion: v1
  kind: Namespace
  metadata: { name: b }
`),
        ),
      ),
      [
        "kustomize refuses the namespace: namespace transformation produces ID conflict: Namespace.v1.[noGrp]/team.[noNs]",
      ],
    ));

  test("a namespace is set on namespaced objects and becomes the name of Namespaces", () =>
    assert.deepEqual(names(claims.replace("namePrefix: dev-", "namespace: team")), [
      "PersistentVolumeClaim/team/data-b",
      "StorageClass//fast-b",
      "PersistentVolume//disk-b",
      "Namespace//team",
    ]));
});

suite("replacements", () => {
  const files = (replacements: string): string => `
  #- kustomization.yaml
  resources: [all.yaml]
  namePrefix: dev-
  configMapGenerator: [{ name: settings, literals: ["size=2Gi"], files: [big.txt] }]
  replacements: ${replacements}
  #- all.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data, labels: { count: "3" } }
  spec: { resources: { requests: { storage: 1Gi } } }
  ---
  apiVersion: snapshot.storage.k8s.io/v1
  kind: VolumeSnapshot
  metadata: { name: night }
  spec: { source: { persistentVolumeClaimName: data } }
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web }
  spec: { replicas: 1, template: { spec: { containers: [{ name: app, image: i }, { name: app-2, image: j }] } } }
  `;
  const made = (replacements: string, kind: string, ...path: readonly (string | number)[]) => {
    const environment = environmentOf(workspaceOf(files(replacements)));
    assert.deepEqual(problemsOf(environment), []);
    const found = environment.objects.find(({ object }) => object.kind === kind);
    return valueAt(found?.object.value, path);
  };
  const ofClaim = "source: { kind: PersistentVolumeClaim, name: data";

  test("copy a name into a field where kustomize does not follow it", () =>
    assert.equal(
      made(
        `[{ ${ofClaim} }, targets: [{ select: { kind: VolumeSnapshot }, fieldPaths: [spec.source.persistentVolumeClaimName] }] }]`,
        "VolumeSnapshot",
        "spec",
        "source",
        "persistentVolumeClaimName",
      ),
      "dev-data",
    ));

  test("convert a value to the type of the one that they replace", () =>
    assert.equal(
      made(
        `[{ ${ofClaim}, fieldPath: metadata.labels.count }, targets: [{ select: { name: web }, fieldPaths: [spec.replicas] }] }]`,
        "Deployment",
        "spec",
        "replicas",
      ),
      3,
    ));

  test("take a value from a generated object", () =>
    assert.equal(
      made(
        "[{ source: { kind: ConfigMap, fieldPath: data.size }, targets: [{ select: { kind: PersistentVolumeClaim }, fieldPaths: [spec.resources.requests.storage] }] }]",
        "PersistentVolumeClaim",
        "spec",
        "resources",
        "requests",
        "storage",
      ),
      "2Gi",
    ));

  test("copy a part of a text into a part, in items that match a pattern", () =>
    assert.deepEqual(
      made(
        `[{ ${ofClaim}, options: { delimiter: "-", index: 1 } }, targets: [{ select: { kind: Deployment }, fieldPaths: ["spec.template.spec.containers.[name=app].image"], options: { delimiter: ":", index: 1 } }] }]`,
        "Deployment",
        "spec",
        "template",
        "spec",
        "containers",
      ),
      [
        { name: "app", image: "i:data" },
        { name: "app-2", image: "j:data" },
      ],
    ));

  test("create a field whose name contains dots if told so", () =>
    assert.deepEqual(
      made(
        `[{ ${ofClaim} }, targets: [{ select: { kind: Deployment }, fieldPaths: ["metadata.annotations.[a.b/c]"], options: { create: true } }] }]`,
        "Deployment",
        "metadata",
        "annotations",
      ),
      { "a.b/c": "dev-data" },
    ));

  for (const [what, replacements, message] of [
    [
      "no source",
      "[{ source: { kind: Pod, name: x }, targets: [{ select: { kind: Pod } }] }]",
      "nothing selected by Pod.[noVer].[noGrp]/x.[noNs]",
    ],
    [
      "no value",
      `[{ ${ofClaim}, fieldPath: spec.q }, targets: [{ select: { kind: Pod } }] }]`,
      "fieldPath `spec.q` is missing for replacement source PersistentVolumeClaim.[noVer].[noGrp]/data.[noNs]",
    ],
    [
      "no field",
      `[{ ${ofClaim} }, targets: [{ select: { kind: VolumeSnapshot }, fieldPaths: [spec.q] }] }]`,
      'unable to find field "spec.q" in replacement target',
    ],
    [
      "no target",
      `[{ ${ofClaim} } }]`,
      "replacements must specify a source and at least one target",
    ],
  ] as const)
    test(`with ${what} are refused with kustomize's message`, () =>
      assert.deepEqual(problemsOf(environmentOf(workspaceOf(files(replacements)))), [
        `kustomize refuses the replacement: ${message}`,
      ]));

  test("mark the target as incomplete if their value is in a file that is not read", () => {
    const environment = environmentOf(
      workspaceOf(
        files(
          '[{ source: { kind: ConfigMap, fieldPath: "data.[big.txt]" }, targets: [{ select: { kind: VolumeSnapshot }, fieldPaths: [spec.source.persistentVolumeClaimName] }] }]',
        ),
      ),
    );
    assert.deepEqual(problemsOf(environment), []);
    const snapshot = environment.objects.find(({ object }) => object.kind === "VolumeSnapshot");
    assert.ok(snapshot !== undefined && environment.kustomized.lacksPatch(snapshot));
  });
});

suite("kustomizations that take too long or contain nonsense", () => {
  test("endless changes are aborted, which is reported once", () => {
    const objects = Array.from(
      { length: 2000 },
      (_, at) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a${at} }\n`,
    );
    const labels = Array.from({ length: 500 }, (_, at) => `- { pairs: { a${at}: b } }\n`);
    const workspace = new Workspace();
    workspace.setFolders([memoryFolder]);
    workspace.setDiskText(memoryUri("all.yaml"), objects.join("---\n"));
    workspace.setDiskText(
      memoryUri("kustomization.yaml"),
      `resources: [all.yaml]\nlabels:\n${labels.join("")}`,
    );
    const environment = environmentOf(workspace);
    assert.equal(environment.objects.length, 2000);
    assert.deepEqual(problemsOf(environment), [
      "Not judged as a whole: kustomizations change too much to be built here",
    ]);
  });

  test("forty in a row that each name the next twice are aborted and reported", () => {
    const count = 40;
    const files = Array.from(
      { length: count },
      (_, at) => `
  #- k${at}/kustomization.yaml
  resources: [../k${at + 1}, ../k${at + 1}]`,
    );
    const environment = environmentOf(
      workspaceOf(`${files.join("")}
  #- k${count}/kustomization.yaml
  resources: [pod.yaml]
  #- k${count}/pod.yaml${web}
`),
    );
    assert.deepEqual(
      new Set(problemsOf(environment)),
      new Set([
        "Kustomizations name each other so often that not all are followed",
        "kustomize refuses the resource: may not add resource with an already registered id: Pod.v1.[noGrp]/web.[noNs]",
      ]),
    );
  });

  const pod = `apiVersion: v1
      kind: Pod
      metadata: { name: web, annotations: { x: a } }`;
  for (const [what, kustomization] of [
    [
      "operations",
      `patches: [{ target: { kind: Pod }, patch: '[${Array.from({ length: 60 }, (_, index) => `{"op":"copy","from":"/metadata","path":"/metadata/x${index}"}`).join(",")}]' }]`,
    ],
    [
      "replacements",
      `replacements: [${Array.from({ length: 60 }, () => '{ source: { kind: Pod, fieldPath: metadata.annotations.x }, targets: [{ select: { kind: Pod }, fieldPaths: [metadata.annotations.x], options: { delimiter: "-", index: 9 } }] }').join(", ")}]`,
    ],
  ] as const)
    test(`${what} that double an object again and again are refused`, () => {
      const environment = environmentOf(
        workspaceOf(`
      #- kustomization.yaml
      resources: [pod.yaml]
      ${kustomization}
      #- pod.yaml
      ${pod}
    `),
      );
      assert.ok(
        problemsOf(environment).some((message) =>
          message.endsWith("the object would be larger than the API server accepts"),
        ),
      );
      assert.ok(JSON.stringify(environment.objects[0]?.object.value).length < 10_000_000);
    });

  test("files outside the workspace are not read, whatever names them", () => {
    const environment = environmentOf(
      workspaceOf(`
      #- kustomization.yaml
      resources: [../../etc/pod.yaml, /etc/pod.yaml, "file:///etc"]
      patches: [{ path: ../../../etc/passwd }]
      transformers: [../../../etc/passwd]
      configurations: [/etc/passwd]
      replacements: [{ path: ../../etc/passwd }]
    `),
    );
    assert.deepEqual(environment.objects, []);
    assert.deepEqual(
      problemsOf(environment).map((message) => message.split(/[:,]/)[0]),
      [
        "Not judged",
        "Not judged",
        "Not heeded",
        "Not judged",
        "The patch is not applied",
        "The replacement is not applied",
        "The transformer is not applied",
      ],
    );
  });

  test("values with a `toString` of their own are not taken for texts", () => {
    const odd = "{ toString: null }";
    const environment = environmentOf(
      workspaceOf(`
  #- kustomization.yaml
  resources: [pod.yaml]
  commonAnnotations: { a: ${odd} }
  patches: [{ target: { kind: ${odd}, labelSelector: ${odd} }, patch: '[]' }]
  replacements: [{ sourceValue: x, targets: [{ select: { kind: Pod }, fieldPaths: [${odd}] }] }]
  #- pod.yaml${web}
`),
    );
    assert.ok(environment.objects.some(({ object }) => object.kind === "Pod"));
  });

  test("any contents of a kustomization and its patches lead to an answer", () => {
    const path = fc.constantFrom(
      "",
      "/",
      "/spec",
      "/spec/containers/0",
      "/spec/containers/-",
      "/x/y",
      "~",
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("replace", null));
    const operation = fc.record(
      {
        op: fc.constantFrom<unknown>("add", "remove", "replace", "move", "copy", "test", 3),
        path: fc.oneof(path, value),
        from: path,
        value,
      },
      { requiredKeys: [] },
    );
    const specs = fc.array(
      fc.record({ kind: fc.constantFrom<unknown>("Pod", 1), path: fc.oneof(path, value) }),
    );
    const part = fc.record(
      {
        nameReference: fc.oneof(
          value,
          fc.array(fc.record({ kind: fc.constant("Pod"), fieldSpecs: fc.oneof(specs, value) })),
        ),
        apiVersion: fc.constant("v1"),
        kind: fc.constantFrom<unknown>("Pod", 1),
        metadata: fc.oneof(fc.constant<unknown>({ name: "web" }), value),
        spec: fc.record(
          {
            containers: fc.oneof(
              value,
              fc.array(fc.dictionary(fc.constantFrom("name", "$patch", "env"), value)),
            ),
            $patch: value,
          },
          { requiredKeys: [] },
        ),
        $patch: value,
      },
      { requiredKeys: [] },
    );
    const target = fc.record(
      {
        kind: fc.constantFrom<unknown>("Pod", "(", 4, null),
        labelSelector: fc.constantFrom<unknown>("a in (", "!!a", ",", 5),
      },
      { requiredKeys: [] },
    );
    const entry = fc.record(
      {
        patch: fc.oneof(fc.array(operation), part, value).map((patch) => JSON.stringify(patch)),
        path: fc.constantFrom<unknown>("patch.yaml", "none.yaml", 7),
        target: fc.oneof(target, value),
      },
      { requiredKeys: [] },
    );
    const list = fc.oneof(fc.array(fc.oneof(entry, value), { maxLength: 3 }), value);
    const fieldPath = fc.constantFrom<unknown>(
      "spec.containers.[name=(].image",
      "metadata",
      "",
      "a..[",
      "spec.containers.*.x",
      "[=",
      4,
    );
    const options = fc.oneof(
      value,
      fc.record({ delimiter: fc.constantFrom(":", ""), index: value, create: fc.boolean() }),
    );
    const replacement = fc.record(
      {
        source: fc.oneof(
          value,
          fc.record({ kind: fc.constantFrom<unknown>("Pod", 1), fieldPath, options }),
        ),
        sourceValue: value,
        path: fc.constantFrom<unknown>("patch.yaml", "none.yaml", 1),
        targets: fc.oneof(
          value,
          fc.array(
            fc.record({
              select: fc.oneof(target, value),
              fieldPaths: fc.array(fieldPath),
              options,
            }),
          ),
        ),
      },
      { requiredKeys: [] },
    );
    const labelField = fc.constantFrom("pairs", "fields", "includeSelectors", "includeTemplates");
    const lists = fc.record(
      {
        patches: list,
        patchesStrategicMerge: list,
        patchesJson6902: list,
        components: value,
        replacements: fc.oneof(value, fc.array(replacement, { maxLength: 3 })),
        namespace: fc.oneof(value, fc.constantFrom("shop", "Shop/")),
        namePrefix: fc.oneof(value, fc.constant("dev-")),
        nameSuffix: value,
        configurations: fc.oneof(value, fc.constant(["patch.yaml", "none.yaml"])),
        configMapGenerator: fc.array(fc.record({ name: value, namespace: value })),
        labels: fc.oneof(value, fc.array(fc.dictionary(labelField, value), { maxLength: 2 })),
        commonLabels: fc.oneof(value, fc.dictionary(fc.constantFrom("a", "name"), value)),
        commonAnnotations: value,
        replicas: fc.array(fc.record({ name: fc.constantFrom<unknown>("web", 1), count: value })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(lists, fc.oneof(part, fc.array(operation)), (given, patch) => {
        const workspace = workspaceOf(`
  #- pod.yaml${web}
`);
        const kustomization = { ...given, resources: ["pod.yaml"] };
        workspace.setDiskText(memoryUri("kustomization.yaml"), JSON.stringify(kustomization));
        workspace.setDiskText(memoryUri("patch.yaml"), JSON.stringify(patch));
        const { objects, kustomized } = environmentOf(workspace);
        for (const { patched } of objects) patched?.placeOf(["spec", "containers", 0, "name"]);
        for (const { uri, start, end } of kustomized.problems)
          assert.ok(start <= end && end <= (workspace.file(uri)?.manifest.text.length ?? 0));
      }),
      { numRuns: 150 },
    );
  });
});

suite("edits and patches", () => {
  const files = `
  #- kustomization.yaml
  resources: [pod.yaml]
  patches: [{ target: { labelSelector: a=b }, patch: '[{"op": "add", "path": "/spec/x", "value": 1}]' }]
  #- other.yaml
  apiVersion: v1
  kind: Namespace
  metadata: { name: shop }
  #- pod.yaml${web}`;
  const isPatched = (workspace: Workspace): boolean =>
    environmentOf(workspace).objects.some(({ patched }) => patched !== undefined);

  test("an object is patched as soon as it has the label that the target selects", () => {
    const workspace = workspaceOf(files);
    assert.equal(isPatched(workspace), false);
    const text = workspace.file(memoryUri("pod.yaml"))?.manifest.text ?? "";
    workspace.setEditorText(
      memoryUri("pod.yaml"),
      text.replace("name: web,", "name: web, labels: { a: b },"),
    );
    assert.equal(isPatched(workspace), true);
    workspace.setEditorText(memoryUri("pod.yaml"), text);
    assert.equal(isPatched(workspace), false);
  });

  test("an unedited object stays the same while another one is edited", () => {
    const two = files
      .replace("labelSelector: a=b", "kind: Pod")
      .replace("[pod.yaml]", "[pod.yaml, other.yaml]");
    const workspace = workspaceOf(two);
    const find = () => environmentOf(workspace).objects.find(({ object }) => object.kind === "Pod");
    const before = find();
    const text = workspace.file(memoryUri("other.yaml"))?.manifest.text ?? "";
    workspace.setEditorText(memoryUri("other.yaml"), text.replace("shop", "shops"));
    assert.ok(before?.patched !== undefined);
    assert.equal(find(), before);
  });

  test("the built objects are kept while files outside the kustomization are edited", () => {
    const workspace = workspaceOf(files);
    const { kustomized } = environmentOf(workspace);
    const text = workspace.file(memoryUri("other.yaml"))?.manifest.text ?? "";
    workspace.setEditorText(memoryUri("other.yaml"), text.replace("shop", "shops"));
    assert.equal(environmentOf(workspace).kustomized, kustomized);
  });
});
