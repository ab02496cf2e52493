import assert from "node:assert/strict";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import { Workspace } from "../../../src/language-server/workspace/workspace.ts";
import { valueAt } from "../../../src/language-server/yaml/manifest.ts";
import { kustomized } from "../../support/kustomized.ts";
import { checkDiagnostics } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

function environmentOf(text: string): Environment {
  const workspace = new Workspace();
  workspace.setFolders([memoryFolder]);
  for (const [name, content] of readFixture(text).files)
    workspace.setDiskText(memoryUri(name), content);
  const environment = workspace.environment(memoryFolder);
  assert.ok(environment !== undefined);
  return environment;
}

/** `Kind/namespace/name` of all objects; fails if problems are reported. */
function refsOf(text: string): readonly string[] {
  const { objects, kustomized } = environmentOf(text);
  assert.deepEqual(kustomized.problems, []);
  return objects.map(({ object }) => `${object.kind}/${object.namespace}/${object.name}`);
}

/** A field of the pod. */
function fieldOf(text: string, ...path: readonly (string | number)[]): unknown {
  const { objects, kustomized } = environmentOf(text);
  assert.deepEqual(kustomized.problems, []);
  const pod = objects.find(({ object }) => object.kind === "Pod");
  return valueAt(pod?.object.value, path);
}

const pod = `
  apiVersion: v1
  kind: Pod
  metadata: { name: web, labels: { app: web } }
  spec:
    containers: [{ name: a, image: one, args: ["$(NAME)", "$$(NAME)", "at-$(NAME)", "$(OTHER)"] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]`;
const claim = `
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;

const transformed = (transformer: string, kustomization = ""): string => `
  #- kustomization.yaml
  resources: [pod.yaml, claim.yaml]
  transformers: [transformer.yaml]
  ${kustomization}
  #- pod.yaml${pod}
  #- claim.yaml${claim}
  #- transformer.yaml
  apiVersion: builtin
  metadata: { name: t }
  ${transformer}
`;

suite("images of a kustomization", () => {
  const imagesOf = (entry: string): readonly unknown[] => {
    const { objects, kustomized } = environmentOf(`
      #- kustomization.yaml
      resources: [set.yaml]
      images: [${entry}]
      #- set.yaml
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        template:
          spec:
            initContainers: [{ name: i, image: "localhost:5000/app:1" }]
            containers: [{ name: a, image: app }, { name: b, image: "app:1@sha256:0f" }, { name: c, image: other/app }]
            ephemeralContainers: [{ name: e, image: app }]
            volumes: [{ name: v, image: { reference: "app:1" } }]
    `);
    assert.deepEqual(kustomized.problems, []);
    const at = (...path: readonly (string | number)[]): unknown =>
      valueAt(objects[0]?.object.value, ["spec", "template", "spec", ...path]);
    return [
      at("initContainers", 0, "image"),
      ...[0, 1, 2].map((index) => at("containers", index, "image")),
      at("ephemeralContainers", 0, "image"),
      at("volumes", 0, "image", "reference"),
    ];
  };

  test("are changed in containers and image volumes if the whole name matches", () => {
    const before = ["localhost:5000/app:1", "app", "app:1@sha256:0f", "other/app", "app", "app:1"];
    assert.deepEqual(imagesOf("{ name: none, newTag: v2 }"), before);
    const changed = (entry: string): readonly unknown[] =>
      imagesOf(`{ name: app, ${entry} }`).filter((_, index) => [1, 2, 5].includes(index));
    assert.deepEqual(changed("newTag: v2"), ["app:v2", "app:v2", "app:v2"]);
    assert.deepEqual(changed("newName: other"), ["other", "other:1@sha256:0f", "other:1"]);
    assert.deepEqual(changed('digest: "sha256:aa"'), [
      "app@sha256:aa",
      "app@sha256:aa",
      "app@sha256:aa",
    ]);
    assert.deepEqual(changed("tagSuffix: -x"), ["app:-x-x", "app:1-x-x", "app:1-x"]);
    assert.deepEqual(imagesOf("{ name: app, newTag: v2 }").slice(3, 5), ["other/app", "app"]);
    assert.equal(imagesOf("{ name: localhost:5000/app, newTag: v2 }")[0], "localhost:5000/app:v2");
  });

  test("are also changed by a separate transformer file", () => {
    const image = "kind: ImageTagTransformer\n  imageTag: { name: one, newTag: v2 }";
    assert.equal(fieldOf(transformed(image), "spec", "containers", 0, "image"), "one:v2");
  });
});

suite("transformers in separate files", () => {
  test("add a prefix and a suffix to the fields that they list, and references follow", () => {
    const files = transformed(
      "kind: PrefixSuffixTransformer\n  prefix: a-\n  suffix: -z\n  fieldSpecs: [{ path: metadata/name, kind: PersistentVolumeClaim }]",
    );
    assert.deepEqual(refsOf(files), ["PersistentVolumeClaim/default/a-data-z", "Pod/default/web"]);
    assert.equal(
      fieldOf(files, "spec", "volumes", 0, "persistentVolumeClaim", "claimName"),
      "a-data-z",
    );
  });

  test("are applied after the kustomization's own changes", () =>
    assert.deepEqual(
      refsOf(
        transformed(
          "kind: PrefixTransformer\n  prefix: outer-\n  fieldSpecs: [{ path: metadata/name }]",
          "namePrefix: inner-",
        ),
      ),
      ["PersistentVolumeClaim/default/outer-inner-data", "Pod/default/outer-inner-web"],
    ));

  test("set the namespace, or only where there is none if told so", () => {
    const files = (more: string): string =>
      transformed(`kind: NamespaceTransformer\n  ${more}`, "namespace: first").replace(
        "metadata: { name: t }",
        "metadata: { name: t, namespace: second }",
      );
    assert.equal(fieldOf(files(""), "metadata", "namespace"), "second");
    assert.equal(fieldOf(files("unsetOnly: true"), "metadata", "namespace"), "first");
  });

  test("set labels and annotations only in the fields that they list", () => {
    assert.deepEqual(
      fieldOf(
        transformed(
          "kind: LabelTransformer\n  labels: { tier: db }\n  fieldSpecs: [{ path: metadata/labels, create: true }]",
        ),
        "metadata",
        "labels",
      ),
      { app: "web", tier: "db" },
    );
    assert.deepEqual(
      fieldOf(
        transformed("kind: AnnotationsTransformer\n  annotations: { a: b }"),
        "metadata",
        "annotations",
      ),
      undefined,
    );
  });

  test("apply every type of patch", () => {
    for (const transformer of [
      `kind: PatchTransformer\n  target: { kind: Pod }\n  patch: '[{"op": "add", "path": "/spec/nodeName", "value": "n1"}]'`,
      `kind: PatchStrategicMergeTransformer\n  patches: "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: n1}}"`,
      `kind: PatchJson6902Transformer\n  target: { kind: Pod, name: web }\n  jsonOp: '[{"op": "add", "path": "/spec/nodeName", "value": "n1"}]'`,
      "kind: ReplacementTransformer\n  replacements: [{ sourceValue: n1, targets: [{ select: { kind: Pod }, fieldPaths: [spec.nodeName], options: { create: true } }] }]",
    ])
      assert.equal(fieldOf(transformed(transformer), "spec", "nodeName"), "n1", transformer);
  });

  test("are refused with no patch or two", () => {
    const json = "kind: PatchJson6902Transformer\n  target: { kind: Pod, name: web }";
    for (const [transformer, why] of [
      [json, "empty file path and empty jsonOp"],
      [`${json}\n  path: a.yaml\n  jsonOp: '[]'`, "must specify a file path or jsonOp, not both"],
      ["kind: PatchStrategicMergeTransformer", "empty file path and empty patch content"],
    ] as const) {
      const [problem = ""] = kustomized(transformed(transformer)).problems;
      assert.ok(problem.includes(why), `${why} is not in: ${problem}`);
    }
  });

  test("may be inline, or in a folder with a kustomization", () => {
    const label =
      "{ apiVersion: builtin, kind: LabelTransformer, metadata: { name: t }, labels: { tier: db }, fieldSpecs: [{ path: metadata/labels }] }";
    const files = (transformers: string): string => `
      #- kustomization.yaml
      resources: [pod.yaml]
      transformers: [${transformers}]
      #- pod.yaml${pod}
      #- shared/kustomization.yaml
      resources: [label.yaml]
      #- shared/label.yaml
      ${label}
    `;
    for (const transformers of [`"${label}"`, "shared", "shared/label.yaml"])
      assert.deepEqual(
        fieldOf(files(transformers), "metadata", "labels"),
        { app: "web", tier: "db" },
        transformers,
      );
    assert.deepEqual(refsOf(files("shared")), ["Pod/default/web"]);
  });

  test("get the blame at their own lines for what they set", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      transformers: [larger.yaml]
      #- claim.yaml${claim}
      #- larger.yaml
      apiVersion: builtin
      kind: PatchTransformer
      metadata: { name: larger }
      target: { kind: PersistentVolumeClaim }
      patch: |
        - op: replace
          path: /spec/accessModes
          value: []
          #      ^^ api-refused: spec.accessModes: Required value
    `));

  test("set replicas, and are refused if no workload has the name", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      transformers: [scale.yaml]
      #- claim.yaml${claim}
      #- scale.yaml
      apiVersion: builtin
      kind: ReplicaCountTransformer
      metadata: { name: scale }
      replica: { name: db, count: 3 }
      #                ^^ kustomize-patch: kustomize refuses the entry: resource with name db does not match a config with the following GVK [StatefulSet.[noVer].[noGrp]]
      fieldSpecs: [{ path: spec/replicas, kind: StatefulSet, create: true }]
    `));

  test("that kustomize does not know, or that are programs, are refused with its message", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      transformers: [transformers.yaml]
      generators: [transformers/generator.yaml]
      #- claim.yaml${claim}
      #- transformers/generator.yaml
      apiVersion: builtin
      kind: LabelTransformer
      #     ^^^^^^^^^^^^^^^^ kustomize-patch: kustomize refuses the generator: plugin LabelTransformer.builtin.[noGrp]/l.[noNs] not a generator
      metadata: { name: l }
      #- transformers.yaml
      apiVersion: builtin
      kind: Labels
      #     ^^^^^^ kustomize-patch: kustomize refuses the transformer: unable to load builtin Labels.builtin.[noGrp]
      metadata: { name: a }
      ---
      apiVersion: example.com/v1
      kind: Sealer
      #     ^^^^^^ kustomize-patch: kustomize refuses the transformer: external plugins disabled; unable to load external plugin 'Sealer'. Save what the program makes, and name that file in \`resources\` or \`patches\`
      metadata: { name: b, annotations: { config.kubernetes.io/function: "container: { image: sealer }" } }
      ---
      apiVersion: builtin
      kind: PrefixTransformer
      #     ^^^^^^^^^^^^^^^^^ kustomize-patch: kustomize refuses the transformer: plugin PrefixTransformer.builtin.[noGrp]/c.[noNs] fails configuration: fieldSpecs is not expected to be nil
      metadata: { name: c }
      prefix: a-
    `));

  test("that are not read or not known are reported, and nothing counts as missing then", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      transformers: [gone.yaml, add.yaml]
      #              ^^^^^^^^^ kustomize-patch: The transformer is not applied: gone.yaml is not among the files that are read
      #- claim.yaml${claim}
      #- add.yaml
      apiVersion: builtin
      kind: ValueAddTransformer
      #     ^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: what a ValueAddTransformer does is not known here
      metadata: { name: add }
    `));
});

suite("generators in separate files", () => {
  test("make the objects that pods name, with their keys", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [pod.yaml]
      generators: [settings.yaml]
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: a, image: one }]
        volumes: [{ name: v, configMap: { name: settings, items: [{ key: mode, path: mode }] } }]
      #- settings.yaml
      apiVersion: builtin
      kind: ConfigMapGenerator
      metadata: { name: settings }
      literals: [mode=fast]
    `));
});

suite("kustomize vars", () => {
  const withVars = (vars: string, base = ""): string => `
  #- kustomization.yaml
  resources: [base]
  namePrefix: outer-
  ${vars}
  #- base/kustomization.yaml
  resources: [pod.yaml]
  ${base}
  #- base/pod.yaml${pod}
  `;
  const name = "vars: [{ name: NAME, objref: { apiVersion: v1, kind: Pod, name: web } }]";

  test("have the final names as values, wherever they are declared", () => {
    for (const files of [withVars(name), withVars("", name)])
      assert.deepEqual(fieldOf(files, "spec", "containers", 0, "args"), [
        "outer-web",
        "$(NAME)",
        "at-outer-web",
        "$(OTHER)",
      ]);
  });

  test("keep the type of their value if they are the whole text", () => {
    const replicas = `
      #- kustomization.yaml
      resources: [pod.yaml, set.yaml]
      vars: [{ name: NAME, objref: { apiVersion: apps/v1, kind: StatefulSet, name: db }, fieldref: { fieldpath: spec.replicas } }]
      #- set.yaml
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec: { replicas: 2 }
      #- pod.yaml${pod}
    `;
    assert.deepEqual(fieldOf(replicas, "spec", "containers", 0, "args"), [
      2,
      "$(NAME)",
      "at-2",
      "$(OTHER)",
    ]);
  });

  for (const [what, objref] of [
    ["its version", "apiVersion: v1, kind: ConfigMap, name: web"],
    ["group and version apart", "group: apps, version: v1, kind: Deployment, name: web"],
  ])
    test(`find their object by ${what}, kind and name`, () =>
      assert.deepEqual(
        fieldOf(
          `
      #- kustomization.yaml
      resources: [pod.yaml, others.yaml]
      vars: [{ name: NAME, objref: { ${objref} }, fieldref: { fieldpath: metadata.labels.who } }]
      #- pod.yaml${pod}
      #- others.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: web, labels: { who: meant } }
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, labels: { who: meant } }
    `,
          "spec",
          "containers",
          0,
          "args",
          0,
        ),
        "meant",
      ));

  test("are also substituted in the fields that a configuration adds", () => {
    const files = (configured: string): string => `
      #- kustomization.yaml
      resources: [pod.yaml]
      ${name}
      configurations: [fields.yaml]
      #- fields.yaml
      varReference: [${configured}]
      #- pod.yaml${pod.replace("claimName: data", 'claimName: "$(NAME)"')}
    `;
    const path = ["spec", "volumes", 0, "persistentVolumeClaim", "claimName"] as const;
    assert.equal(fieldOf(files(""), ...path), "$(NAME)");
    const claims = "{ path: spec/volumes/persistentVolumeClaim/claimName, kind: Pod }";
    assert.equal(fieldOf(files(claims), ...path), "web");
  });

  test("are not judged as names if their value is in a file that is not read", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml, pod.yaml]
      configMapGenerator: [{ name: names, envs: [names.env] }]
      vars:
        - { name: DATA, objref: { apiVersion: v1, kind: ConfigMap, name: names }, fieldref: { fieldpath: data.DATA } }
        - { name: CLASS, objref: { apiVersion: v1, kind: ConfigMap, name: names }, fieldref: { fieldpath: data.CLASS } }
        - { name: SIZE, objref: { apiVersion: v1, kind: ConfigMap, name: names }, fieldref: { fieldpath: data.SIZE } }
      configurations: [fields.yaml]
      #- fields.yaml
      varReference:
        - { path: metadata/name, kind: PersistentVolumeClaim }
        - { path: spec/storageClassName, kind: PersistentVolumeClaim }
        - { path: spec/resources/requests/storage, kind: PersistentVolumeClaim }
        - { path: spec/volumes/persistentVolumeClaim/claimName, kind: Pod }
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: $(DATA) }
      spec:
        storageClassName: $(CLASS)
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: $(SIZE) } }
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: a, image: one }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: $(DATA) } }]
    `));

  test("are refused for several objects at once, and for one name in two bases", () => {
    const web = (namespace: string): string =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: web, namespace: ${namespace} } }`;
    const variable = "vars: [{ name: A, objref: { apiVersion: v1, kind: ConfigMap, name: web } }]";
    const several = kustomized(`
      #- kustomization.yaml
      resources: [a.yaml, b.yaml]
      ${variable}
      #- a.yaml
      ${web("one")}
      #- b.yaml
      ${web("two")}
    `);
    assert.deepEqual(several.problems, [
      "kustomization.yaml:2: kustomize refuses the var: found 2 resId matches for var {A ConfigMap.v1.[noGrp] {metadata.name}} (unable to disambiguate)",
    ]);
    const bases = kustomized(`
      #- kustomization.yaml
      resources: [a, b]
      #- a/kustomization.yaml
      resources: [web.yaml]
      ${variable}
      #- a/web.yaml
      ${web("one")}
      #- b/kustomization.yaml
      resources: [web.yaml]
      ${variable}
      #- b/web.yaml
      ${web("two")}
    `);
    assert.deepEqual(bases.problems, [
      "b/kustomization.yaml:2: kustomize refuses the var: var 'A' already encountered",
    ]);
  });

  test("are refused for a missing object, a missing field and a repeated name", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      vars:
        - { name: A, objref: { apiVersion: v1, kind: Pod, name: web } }
        #         ^ kustomize-patch: kustomize refuses the var: var '{A Pod.v1.[noGrp] {metadata.name}}' cannot be mapped to a field in the set of known resources
        - { name: B, objref: { apiVersion: v1, kind: PersistentVolumeClaim, name: data }, fieldref: { fieldpath: spec.nothing } }
        #         ^ kustomize-patch: kustomize refuses the var: field specified in var '{B PersistentVolumeClaim.v1.[noGrp] {spec.nothing}}' not found in corresponding resource
        - { name: A, objref: { apiVersion: v1, kind: PersistentVolumeClaim, name: data } }
        #         ^ kustomize-patch: kustomize refuses the var: var 'A' already encountered
      #- claim.yaml${claim}
    `));
});

suite("configurations", () => {
  test("add fields that get the prefix", () =>
    assert.equal(
      fieldOf(
        `
        #- kustomization.yaml
        resources: [pod.yaml]
        namePrefix: a-
        configurations: [fields.yaml]
        #- fields.yaml
        namePrefix: [{ path: metadata/name }, { path: spec/hostname, kind: Pod }]
        #- pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web }
        spec: { hostname: web }
      `,
        "spec",
        "hostname",
      ),
      "a-web",
    ));
});

suite("validators and schemas", () => {
  const text = `
      #- kustomization.yaml
      resources: [claim.yaml]
      validators: [check.yaml, gone.yaml]
      #            ^^^^^^^^^^ kustomize-patch: Not heeded: a validator changes nothing
      #                        ^^^^^^^^^ kustomize-patch: The validator is not applied: gone.yaml is not among the files that are read
      crds: [crd.json]
      #     ^^^^^^^^^^ kustomize-patch: Not heeded: where custom resources have names, labels and annotations
      openapi: { path: schema.json }
      #                ^^^^^^^^^^^ kustomize-patch: Not heeded: patches are merged by Kubernetes' own schema here
      patches: [{ path: larger.yaml }]
      #- claim.yaml${claim}
      #- check.yaml
      apiVersion: builtin
      kind: LabelTransformer
      metadata: { name: check }
      labels: { a: b }
      fieldSpecs: [{ path: metadata/labels, create: true }]
      #- larger.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: date }
      #                 ^^^^ kustomize-patch: kustomize refuses the patch: no matches for Id PersistentVolumeClaim.v1.[noGrp]/date.[noNs]
    `;

  test("are reported as ignored at their keys, and other mistakes are still found", () =>
    checkDiagnostics(text));

  test("change nothing", () => {
    const [data] = environmentOf(text).objects;
    assert.deepEqual(data?.object.value["metadata"], { name: "data" });
  });

  test("are refused if they are programs", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml]
      validators: [check.yaml]
      #- claim.yaml${claim}
      #- check.yaml
      apiVersion: example.com/v1
      kind: Checker
      #     ^^^^^^^ kustomize-patch: kustomize refuses the validator: external plugins disabled; unable to load external plugin 'Checker'
      metadata: { name: check }
    `));
});

suite("built objects", () => {
  test("have texts as annotations, in their original spelling", () =>
    assert.deepEqual(
      fieldOf(
        `
        #- kustomization.yaml
        resources: [pod.yaml]
        #- pod.yaml
        apiVersion: v1
        kind: Pod
        metadata: { name: web, annotations: { a: yes, b: 1.50, c: text } }
      `,
        "metadata",
        "annotations",
      ),
      { a: "yes", b: "1.50", c: "text" },
    ));
});

suite("remote resources and missing charts", () => {
  test("are reported where they are named", () =>
    checkDiagnostics(`
      #- kustomization.yaml
      resources: [claim.yaml, "github.com/example/base?ref=v1"]
      #                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: what is at this address is not fetched. Copy it into the workspace, as \`kustomize localize\` does, and name the copy here
      helmCharts: [{ name: db }, { name: web, repo: "https://example.com", version: 1.2.3 }]
      #                    ^^ kustomize-patch: Not judged: charts/db is not among the files that are read
      #                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: there is no chart at charts/web-1.2.3/web, and none is fetched
      helmChartInflationGenerator: [{ chartName: db }]
      #                            ^^^^^^^^^^^^^^^^^^^ kustomize-patch: Not judged: charts are rendered where \`helmCharts\` names them
      #- claim.yaml${claim}
    `));
});
