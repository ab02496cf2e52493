import assert from "node:assert/strict";
import type { CodeAction } from "../../../src/language-server/code-actions/code-action.ts";
import { codeLenses } from "../../../src/language-server/features/code-lens.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { linesOf } from "../../../src/language-server/text-lines.ts";
import { actionsIn, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import {
  checkDefinition,
  checkHover,
  checkPredicted,
  checkReferences,
  loadFixture,
} from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const chart = `
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0`;

const claim = `
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: {{ .Release.Name }}-data
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: {{ .Values.storage.class | quote }}
    resources:
      requests:
        storage: {{ .Values.storage.size }}`;

const storageClass = `
  #- shop/templates/class.yaml
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata:
    name: fast
  provisioner: csi.example.com`;

/** Refs of the objects of an environment, in order. */
async function objectsOf(text: string, folder = ""): Promise<readonly string[]> {
  const service = await loadFixture(readFixture(text), false);
  const found = service
    .environments()
    .find(({ id }) => id === memoryUri(folder).replace(/\/$/, ""));
  return (found?.objects ?? []).map(({ object }) => object.ref ?? object.kind);
}

async function actionsAt(text: string, file: string, code: string): Promise<Fixed> {
  const fixture = readFixture(text);
  const service = await loadFixture(fixture, true);
  const found = findingsOf(service, memoryUri(file)).find((one) => one.code === code);
  assert.ok(found !== undefined, `no ${code} in ${file}`);
  const actions = actionsIn(service, file, found).filter(({ kind }) => kind === "quickfix");
  return { actions, after: (action) => afterAction(fixture.files, action) };
}

interface Fixed {
  readonly actions: readonly CodeAction[];
  after(action: CodeAction): ReadonlyMap<string, string>;
}

suite("charts", () => {
  test("a wrong value is reported where the values file sets it", () =>
    checkPredicted(`${chart}
  #- shop/values.yaml
  storage:
    class: fastt
  #        ^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
    size: 1Gi${claim}${storageClass}
  `));

  test("a mistake in a template's own text is reported there", () =>
    checkPredicted(`${chart}
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: {{ .Release.Name }}-data
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: fastt
  #                   ^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
    resources: { requests: { storage: 1Gi } }${storageClass}
  `));

  test("a mistake in a text that an action composes is reported at the action", () =>
    checkPredicted(`${chart}
  #- shop/values.yaml
  speed: fas
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: {{ printf "%stt" .Values.speed }}
  #                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
    resources: { requests: { storage: 1Gi } }${storageClass}
  `));

  test("a mistake in a part of a value that is printed as a whole is reported where the values file sets it", () =>
    checkPredicted(`${chart}
  #- shop/values.yaml
  claim:
    accessModes: [ReadWriteOnce]
    resources:
      requests:
        storage: 1Gi
    storageClassName: fastt
  #                   ^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    {{- toYaml .Values.claim | nindent 2 }}${storageClass}
  `));

  const persistence = (value: string, mark: string, chosen: string): string => `${chart}
  #- shop/values.yaml
  global: { storageClass: "" }
  persistence:
    storageClass: ${value}
  #               ${mark}
  #- shop/templates/_helpers.tpl
  {{- define "common.storage.class" -}}
  {{- $storageClass := (.global).storageClass | default .persistence.storageClass | default "" -}}
  {{- if $storageClass -}}
    {{- if (eq "-" $storageClass) -}}
        {{- printf "storageClassName: \\"\\"" -}}
    {{- else -}}
        {{- printf "storageClassName: %s" $storageClass -}}
    {{- end -}}
  {{- end -}}
  {{- end -}}
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: 1Gi } }
    ${chosen}${storageClass}`;

  const included =
    '{{- include "common.storage.class" (dict "persistence" .Values.persistence "global" .Values.global) | nindent 2 }}';
  const written = `{{- if .Values.persistence.storageClass }}
    {{- if (eq "-" .Values.persistence.storageClass) }}
    storageClassName: ""
    {{- else }}
    storageClassName: {{ .Values.persistence.storageClass | quote }}
    {{- end }}
    {{- end }}`;

  for (const [what, chosen] of [
    ["an included line", included],
    ["a template", written],
  ] as const) {
    test(`a class that ${what} prints is reported where the values file sets it`, () =>
      checkPredicted(
        persistence(
          "fastt",
          "^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?",
          chosen,
        ),
      ));

    test(`a dash that ${what} turns into an empty class is reported where the values file sets it`, () =>
      checkPredicted(
        persistence(
          '"-"',
          '^^^ pvc-class-empty: Claim data stays Pending: there is no volume and class "" is never provisioned',
          chosen,
        ),
      ));

    test(`the fix for a dash that ${what} turns into an empty class changes the values file`, async () => {
      const text = persistence('"-"', "", chosen);
      const { actions, after } = await actionsAt(text, "shop/values.yaml", "pvc-class-empty");
      const [first] = actions;
      assert.ok(first !== undefined);
      assert.match(after(first).get("shop/values.yaml") ?? "", /^ {2}storageClass: fast$/m);
    });
  }

  for (const [what, values] of [
    [
      "that is unknown",
      `
    accessModes: [ReadWriteOnce]
    storageClas: fast
  # ^^^^^^^^^^^ api-refused: unknown field "spec.storageClas"; did you mean “storageClassName”?
    resources: { requests: { storage: 1Gi } }`,
    ],
    [
      "that lacks a required one",
      `
    accessModes: [ReadWriteOnce]
    resources: {}
  # ^^^^^^^^^ api-refused: spec.resources[storage]: Required value`,
    ],
  ] as const)
    test(`a field ${what} is reported at its key in the values`, () =>
      checkPredicted(`${chart}
  #- shop/values.yaml
  claim:${values}
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    {{- toYaml .Values.claim | nindent 2 }}
  `));

  test("an unknown field is reported at the action that has printed its key", () =>
    checkPredicted(`${chart}
  #- shop/values.yaml
  storageClas: fast
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    {{ printf "storageClas: %s" .Values.storageClas }}
  # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ api-refused: unknown field "spec.storageClas"; did you mean “storageClassName”?
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: 1Gi } }
  `));

  test("a mistake in an included template is reported at its own line", () =>
    checkPredicted(`${chart}
  #- shop/templates/_claim.tpl
  {{- define "claim" }}
  accessModes: [ReadWriteOnce]
  storageClassName: fastt
  #                 ^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
  resources: { requests: { storage: 1Gi } }
  {{- end }}
  #- shop/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    {{- include "claim" . | nindent 2 }}${storageClass}
  `));

  test("the fix for a value changes the values file", async () => {
    const { actions, after } = await actionsAt(
      `${chart}
  #- shop/values.yaml
  storage: { class: fastt, size: 1Gi }${claim}${storageClass}`,
      "shop/values.yaml",
      "pvc-class-typo",
    );
    const [first] = actions;
    assert.ok(first !== undefined);
    assert.equal(after(first).get("shop/values.yaml"), "storage: { class: fast, size: 1Gi }");
  });

  test("the fix for a template's own text changes the template", async () => {
    const { actions, after } = await actionsAt(
      `${chart}
  #- shop/templates/claim.yaml
  {{- if true }}
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: {{ .Release.Name }} }
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: fastt
    resources: { requests: { storage: 1Gi } }
  {{- end }}${storageClass}`,
      "shop/templates/claim.yaml",
      "pvc-class-typo",
    );
    const [first] = actions;
    assert.ok(first !== undefined);
    const text = after(first).get("shop/templates/claim.yaml") ?? "";
    assert.match(text, /^ {2}storageClassName: fast$/m);
    assert.match(text, /^metadata: \{ name: \{\{ \.Release\.Name \}\} \}$/m);
  });

  for (const [what, values, template, code] of [
    [
      "left out",
      "selector: { matchLabels: { app: load } }",
      `apiVersion: batch/v1
  kind: Job
  metadata: { name: load }
  spec:
    selector: {{ toJson .Values.selector }}
    template:
      metadata: { labels: { app: load } }
      spec: { restartPolicy: Never, containers: [{ name: c, image: i }] }`,
      "api-refused",
    ],
    [
      "replaced by another field",
      "node: kind-control-plane",
      `apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: standard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec:
    nodeName: {{ .Values.node }}
    containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]`,
      "class-wffc-pod-nodename",
    ],
  ] as const)
    test(`a value for a field that should be ${what} gets no fix, because the template prints the field anyway`, async () => {
      const { actions } = await actionsAt(
        `
  #- claimcheck.yaml
  profile: kind
  charts: [{ chart: shop }]${chart}
  #- shop/values.yaml
  ${values}
  #- shop/templates/all.yaml
  ${template}
  `,
        "shop/values.yaml",
        code,
      );
      const fixes = actions.filter(({ title }) => !title.startsWith("Ignore"));
      assert.deepEqual(fixes, []);
    });

  test("an empty class is reported at the value, with a fix for the template that leaves the field out", async () => {
    const fixture = readFixture(`
  #- claimcheck.yaml
  profile: eks
  charts: [{ chart: shop }]${chart}
  #- shop/values.yaml
  storage:
    class: ""
    size: 1Gi${claim}${storageClass}`);
    const service = await loadFixture(fixture, true);
    const found = findingsOf(service, memoryUri("shop/values.yaml"));
    assert.deepEqual(
      found.map(({ code, start }) => `${code} ${start}`),
      ["pvc-class-empty 18"],
    );
    assert.match(found[0]?.message ?? "", /\n.*`\{\{- with … \}\}` around its line leaves it out/);
    const [leaving, fix] = actionsIn(service, "shop/values.yaml", { start: 18, end: 20 });
    assert.ok(leaving !== undefined && fix !== undefined);
    assert.equal(leaving.title, "Leave the field out where .Values.storage.class is empty");
    const template = afterAction(fixture.files, leaving).get("shop/templates/claim.yaml");
    assert.match(
      template ?? "",
      /\n {2}\{\{- if \.Values\.storage\.class \}\}\n {2}storageClassName: .*\n {2}\{\{- end \}\}\n/,
    );
    const after = afterAction(fixture.files, fix).get("shop/values.yaml");
    assert.match(after ?? "", /^ {2}class: "?(?:fast|gp2)"?$/m);
  });

  for (const served of ["v1", "v1/VolumeSnapshotClass"])
    test(`objects for clusters that serve snapshots (${served}) are rendered`, async () => {
      const text = `${chart}
  #- shop/templates/class.yaml
  {{- if .Capabilities.APIVersions.Has "snapshot.storage.k8s.io/${served}" }}
  apiVersion: snapshot.storage.k8s.io/v1
  kind: VolumeSnapshotClass
  metadata: { name: shop }
  driver: ebs.csi.aws.com
  deletionPolicy: Delete
  {{- end }}`;
      assert.deepEqual(await objectsOf(text, "shop"), ["VolumeSnapshotClass//shop"]);
    });

  test("each chart in a folder is an environment of its own, named after the chart", async () => {
    const text = `
  #- web.yaml
  apiVersion: v1
  kind: Secret
  metadata: { name: web }${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim}`;
    assert.deepEqual(await objectsOf(text), ["Secret/default/web"]);
    assert.deepEqual(await objectsOf(text, "shop"), ["PersistentVolumeClaim/default/shop-data"]);
  });

  test("a project file includes the charts below it in its environment", async () => {
    const text = `
  #- claimcheck.yaml
  kubernetesVersion: "1.34"
  #- web.yaml
  apiVersion: v1
  kind: Secret
  metadata: { name: web }${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim}`;
    assert.deepEqual(await objectsOf(text), [
      "Secret/default/web",
      "PersistentVolumeClaim/default/shop-data",
    ]);
  });

  test("a project file sets names, namespaces and values for the installed charts", async () => {
    const text = `
  #- claimcheck.yaml
  charts:
    - { chart: shop, name: a, namespace: one, values: [large.yaml] }
    - { chart: shop, name: b }
  #- large.yaml
  storage: { size: 5Gi }${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim}`;
    const service = await loadFixture(readFixture(text), false);
    const [environment] = service.environments();
    assert.deepEqual(
      environment?.objects.map(({ object }) => [
        object.ref,
        JSON.stringify(object.value).match(/"storage":"(\w+)"/)?.[1],
      ]),
      [
        ["PersistentVolumeClaim/one/a-data", "5Gi"],
        ["PersistentVolumeClaim/default/b-data", "1Gi"],
      ],
    );
  });

  test("namespaced objects without a namespace get that of the release", async () => {
    const manifest = (apiVersion: string, kind: string, name: string): string =>
      `apiVersion: ${apiVersion}\n  kind: ${kind}\n  metadata: { name: ${name} }`;
    const text = `
  #- claimcheck.yaml
  charts: [{ chart: shop, namespace: one }]${chart}
  #- shop/templates/a.yaml
  ${manifest("v1", "Secret", "own")}
  ---
  ${manifest("v1", "Secret", "other, namespace: two")}
  ---
  ${manifest("v1", "Namespace", "three")}
  ---
  ${manifest("example.com/v1", "Own", "unknown")}
  ---
  apiVersion: v1
  kind: List
  items: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: item } }]`;
    const service = await loadFixture(readFixture(text), false);
    const [environment] = service.environments();
    assert.deepEqual(
      environment?.objects.map(({ object: { kind, namespace, name } }) => [kind, namespace, name]),
      [
        ["Namespace", "", "three"],
        ["Secret", "one", "own"],
        ["Secret", "two", "other"],
        ["ConfigMap", "one", "item"],
        ["Own", "default", "unknown"],
      ],
    );
  });

  test("a name that Helm refuses is reported where it is written, and a similar one is used instead", async () => {
    const texts = (project: string, own: string): string => `${project}
  #- shop/Chart.yaml
  apiVersion: v2
  name: ${own}
  version: 1.0.0${claim}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }`;
    const told = async (text: string): Promise<readonly string[]> => {
      const service = await loadFixture(readFixture(text), false);
      const found = ["claimcheck.yaml", "shop/Chart.yaml"].flatMap((name) =>
        findingsOf(service, memoryUri(name)).map(
          ({ code, message }) => `${name} ${code}: ${message.slice(0, 47)}`,
        ),
      );
      const objects = service.environments().flatMap((each) => each.objects);
      return [...found, ...objects.map(({ object }) => object.ref ?? "")];
    };
    const project = (name: string): string =>
      `\n  #- claimcheck.yaml\n  charts: [{ chart: shop${name} }]`;
    assert.deepEqual(await told(texts(project(", name: My_Shop"), "shop")), [
      'claimcheck.yaml project-file: release name check failed: release name "My_Sho',
      "PersistentVolumeClaim/default/my-shop-data",
    ]);
    assert.deepEqual(await told(texts(project(""), "my_shop")), [
      'shop/Chart.yaml helm-chart: release name check failed: release name "my_sho',
      "PersistentVolumeClaim/default/my-shop-data",
    ]);
    assert.deepEqual(await told(texts("", "my_shop")), [
      "PersistentVolumeClaim/default/my-shop-data",
    ]);
  });

  test("a missing chart or values file is reported in the project file", () =>
    checkPredicted(`
  #- claimcheck.yaml
  charts:
    - chart: shopp
  #          ^^^^^ project-file: “shopp” is no folder with a Chart.yaml in this cluster
    - chart: shop
      values: [prod.yaml]
  #           ^^^^^^^^^^^ project-file: “prod.yaml” is not among the files of this cluster${chart}
  `));

  test("objects are in the order in which Helm installs them", async () => {
    const text = `${chart}
  #- shop/templates/a.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: p }
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: c }
  #- shop/templates/b.yaml
  apiVersion: v1
  kind: Secret
  metadata: { name: s }`;
    assert.deepEqual(await objectsOf(text, "shop"), [
      "Secret/default/s",
      "PersistentVolumeClaim/default/c",
      "Pod/default/p",
    ]);
  });

  test("objects stay the same while edits add others before them", async () => {
    const service = await loadFixture(readFixture(chart), false);
    const manifests = (kinds: readonly string[]): string =>
      kinds.map((kind) => `apiVersion: v1\nkind: ${kind}\nmetadata: { name: a }\n`).join("---\n");
    const edits = [
      ["a", ["Secret", "Pod"], "Secret Pod"],
      ["b", ["Namespace"], "Namespace Secret Pod"],
      ["c", ["ConfigMap"], "Namespace Secret ConfigMap Pod"],
      ["b", [], "Secret ConfigMap Pod"],
    ] as const;
    for (const [name, kinds, expected] of edits) {
      service.setEditorText(memoryUri(`shop/templates/${name}.yaml`), manifests(kinds));
      const objects = service.environments().flatMap((environment) => environment.objects);
      assert.equal(objects.map(({ object }) => object.kind).join(" "), expected);
    }
  });

  test("charts are added and removed as the project file is edited", async () => {
    const service = await loadFixture(
      readFixture(`
  #- claimcheck.yaml
  charts: []${chart}${storageClass}`),
      false,
    );
    const kinds = (): readonly string[] =>
      service.environments().flatMap(({ objects }) => objects.map(({ object }) => object.kind));
    assert.deepEqual(kinds(), []);
    for (const [text, expected] of [
      ["", ["StorageClass"]],
      ["charts: []\n", []],
      ["charts: [{ chart: shop }]\n", ["StorageClass"]],
      ["charts: [{ chart: nowhere }]\n", []],
      ["kubernetesVersion: '1.34'\n", ["StorageClass"]],
    ] as const) {
      service.setEditorText(memoryUri("claimcheck.yaml"), text);
      assert.deepEqual(kinds(), expected);
    }
  });

  test("findings that depend on a refused object appear once its value is set", async () => {
    const service = await loadFixture(
      readFixture(`${chart}
  #- shop/values.yaml
  storage: {}${claim}
  #- shop/templates/volume.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: disk }
  spec:
    capacity: { storage: 5Gi }
    accessModes: [ReadWriteOnce]
    storageClassName: slow
    nfs: { server: nas, path: /disk }`),
      true,
    );
    const values = memoryUri("shop/values.yaml");
    const volume = memoryUri("shop/templates/volume.yaml");
    assert.deepEqual(
      [values, volume].flatMap((uri) => findingsOf(service, uri).map(({ code }) => code)),
      ["pv-unclaimed"],
    );
    service.setEditorText(values, "storage: { class: slow, size: 6Gi }");
    for (const environment of service.environments()) await service.predict(environment);
    assert.deepEqual(
      findingsOf(service, values).map(({ code }) => code),
      ["pv-claim-too-small"],
    );
  });

  test("an edit of any file that templates read changes the rendered objects", async () => {
    const fixture = readFixture(`${chart}
  #- shop/values.yaml
  a: 1
  #- shop/files/b.yaml
  b: 1
  #- shop/templates/a.yaml
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: a }
  data:
    v: "{{ .Values.a }} {{ .Files.Get "files/b.yaml" | trim }} {{ .Chart.Version }}"`);
    const service = await loadFixture(fixture, false);
    const made = (): string =>
      service
        .environments()
        .flatMap(({ objects }) => objects.map(({ object }) => JSON.stringify(object.value)))
        .join()
        .replace(/^.*"v":"([^"]*)".*$/, "$1");
    const edits = [
      ["values.yaml", "a: 2\n", "2 b: 1 1.0.0"],
      ["files/b.yaml", "b: 2\n", "2 b: 2 1.0.0"],
      ["Chart.yaml", "apiVersion: v2\nname: shop\nversion: 2.0.0\n", "2 b: 2 2.0.0"],
    ] as const;
    assert.equal(made(), "1 b: 1 1.0.0");
    for (const [name, text, expected] of edits) {
      service.setEditorText(memoryUri(`shop/${name}`), text);
      assert.equal(made(), expected);
    }
  });

  test("a mistake that Helm refuses is reported at its place", () =>
    checkPredicted(`${chart}
  #- shop/templates/a.yaml
  a: {{ .Values.none.x }}
  #     ^^^^^^^^^^^^^^ helm-chart: nil pointer evaluating interface {}.x
  #- shop/templates/b.yaml
  a: {{ if }}
  #        ^^ helm-chart: missing value for if
  `));

  test("missing values are only an error if values have been given", async () => {
    const severity = async (project: string, action: string): Promise<string | undefined> => {
      const text = `${project}${chart}\n  #- shop/templates/a.yaml\n  a: {{ ${action} }}`;
      const service = await loadFixture(readFixture(text), false);
      return findingsOf(service, memoryUri("shop/templates/a.yaml"))[0]?.severity;
    };
    const given = "\n  #- claimcheck.yaml\n  charts: [{ chart: shop }]";
    const demand = 'required "a name is needed" .Values.name';
    assert.equal(await severity("", demand), "information");
    assert.equal(await severity("", ".Values.disk.size"), "warning");
    for (const action of [demand, ".Values.disk.size"])
      assert.equal(await severity(given, action), "error");
  });

  test("objects that the API server refuses are only an error if it is known how the chart is installed", async () => {
    const text = (project: string): string => `${project}${chart}
  #- shop/templates/a.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: a }`;
    const severities = async (fixture: string): Promise<readonly string[]> => {
      const service = await loadFixture(readFixture(fixture), false);
      const found = findingsOf(service, memoryUri("shop/templates/a.yaml"));
      return [...new Set(found.map(({ severity, code }) => `${severity} ${code}`))];
    };
    assert.deepEqual(await severities(text("")), ["warning api-refused"]);
    assert.deepEqual(
      await severities(text("\n  #- claimcheck.yaml\n  charts: [{ chart: shop }]")),
      ["error api-refused"],
    );
  });

  test("nothing is reported missing that a chart with errors may render", () =>
    checkPredicted(`${chart}
  #- shop/templates/a.yaml
  {{ fail "no" }}
  #  ^^^^ helm-chart: no
  #- shop/templates/pod.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: c, image: nginx, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, configMap: { name: settings } }]
  `));

  test("unreadable values are the only mistake that is reported", () =>
    checkPredicted(`${chart}
  #- shop/values.yaml
  storage: {
    class: fast
  #           ^ helm-chart: cannot load values.yaml:${claim}
  `));

  test("a chart's tests do not reach the cluster", async () => {
    const text = `${chart}
  #- shop/templates/tests/a.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: p, annotations: { helm.sh/hook: test } }`;
    assert.deepEqual(await objectsOf(text, "shop"), []);
  });

  test("a forbidden change since the last commit is reported at the changed value", async () => {
    const values = (class_: string): string => `storage: { class: ${class_}, size: 1Gi }`;
    const fixture = readFixture(`${chart}
  #- shop/values.yaml
  ${values("slow")}${claim}${storageClass}${storageClass.replace("fast", "slow").replace("class.yaml", "slow.yaml")}`);
    const service = createLanguageService({
      fileSystem: {
        ...memoryFileSystem(fixture.files),
        committedFiles: () =>
          Promise.resolve(new Map([[memoryUri("shop/values.yaml"), values("fast")]])),
      },
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([memoryFolder]);
    const found = findingsOf(service, memoryUri("shop/values.yaml"));
    const text = service.file(memoryUri("shop/values.yaml"))?.manifest.text ?? "";
    assert.deepEqual(
      found.map(({ code, start, end }) => `${code} ${text.slice(start, end)}`),
      ["pvc-immutable-change slow"],
    );
  });

  test("a comment in a template or values file, or an annotation in the template, accepts a finding", async () => {
    const codes = async (files: string): Promise<readonly string[]> => {
      const fixture = readFixture(`${chart}${files}${storageClass}`);
      const service = await loadFixture(fixture, true);
      return [...fixture.files.keys()]
        .flatMap((name) => findingsOf(service, memoryUri(name)))
        .filter(({ severity }) => severity !== "hint")
        .map(({ code }) => code);
    };
    const values = (comment: string): string => `
  #- shop/values.yaml
  storage:
    class: fastt${comment}
    size: 1Gi`;
    const annotated = claim.replace(
      "spec:",
      "  annotations: { claimcheck.dev/ignore: pvc-class-typo }\n  spec:",
    );
    assert.deepEqual(await codes(values("") + claim), ["pvc-class-typo"]);
    assert.deepEqual(await codes(values(" # claimcheck-ignore pvc-class-typo: test") + claim), []);
    assert.deepEqual(await codes(values("") + annotated), []);
    const typed = claim.replace(
      "{{ .Values.storage.class | quote }}",
      "fastt # claimcheck-ignore pvc-class-typo: test",
    );
    assert.deepEqual(await codes(values("") + typed), []);
    assert.deepEqual(await codes(values("") + typed.replace("fastt", "fast")), [
      "unused-suppression",
    ]);
  });

  test("hover on an action describes the object that it is in", () =>
    checkHover(
      `${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim.replace("{{ .Release.Name }}", "{{ .Rele$0ase.Name }}")}${storageClass}`,
      ["Claim shop-data is bound to volume"],
    ));

  test("hover on an action shows the value that it prints, and where that is written", async () => {
    const values = `
  #- shop/values.yaml
  storage: { class: fast, size: 3Gi }`;
    const at = (text: string): string => `${chart}${values}${text}${storageClass}`;
    await checkHover(at(claim.replace("storage.size", "storage.si$0ze")), [
      "`3Gi` from [values.yaml:1](file:///workspace/shop/values.yaml#L1)",
    ]);
    const made = claim.replace("{{ .Values.storage.size }}", '{{ pri$0ntf "%dGi" 7 }}');
    await checkHover(at(made), ["Helm renders it as `7Gi`."]);
  });

  test("definition of an action is the value that it prints", () =>
    checkDefinition(
      `${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 3Gi }${claim.replace("storage.size", "storage.si$0ze")}`,
      ["shop/values.yaml:1: 3Gi"],
    ));

  for (const [where, values] of [
    ["in the value", "class: fa$0st"],
    ["before the key", "$0class: fast"],
    ["after the value", "class: fast$0"],
  ] as const)
    test(`hover on a value describes the field that gets it, ${where}`, () =>
      checkHover(
        `${chart}
  #- shop/values.yaml
  storage: { ${values}, size: 1Gi }${claim}${storageClass}`,
        ["Class fast: 1 of 1 claims bound"],
      ));

  test("definition of a name in a template is in the template of the named object", () =>
    checkDefinition(
      `${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim.replace("class | quote", "cl$0ass | quote")}${storageClass}`,
      ["shop/templates/class.yaml:4: fast"],
    ));

  test("references to an object include those in templates", () =>
    checkReferences(
      `
  #- claimcheck.yaml
  charts: [{ chart: shop }]
  #- class.yaml
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: fa$0st }
  provisioner: ebs.csi.aws.com${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim}`,
      ["class.yaml:3: fast", "shop/templates/claim.yaml:7: {{ .Values.storage.class | quote }}"],
    ));

  test("lenses are shown in the templates", async () => {
    const service = await loadFixture(
      readFixture(`${chart}
  #- shop/values.yaml
  storage: { class: fast, size: 1Gi }${claim}${storageClass}`),
      true,
    );
    assert.deepEqual(lensesOf(service, "shop/templates/claim.yaml"), [
      "1: is bound to a new volume of 1Gi",
    ]);
  });

  test("lenses are shown in templates that print whole objects from the values", async () => {
    const service = await loadFixture(
      readFixture(`${chart}
  #- shop/values.yaml
  extra:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- shop/templates/extra.yaml
  {{- range .Values.extra }}
  ---
  {{ toYaml . }}
  {{- end }}${storageClass}`),
      true,
    );
    assert.deepEqual(lensesOf(service, "shop/templates/extra.yaml"), [
      "3: is bound to a new volume of 1Gi",
    ]);
  });
});

function lensesOf(service: LanguageService, name: string): readonly string[] {
  const file = service.file(memoryUri(name));
  const analysis = service.analysisOf(memoryUri(name));
  const prediction = analysis && service.prediction(analysis.environment);
  assert.ok(file !== undefined && analysis !== undefined && prediction !== undefined);
  return codeLenses(analysis, prediction, file).map(
    ({ title, span }) => `${linesOf(file.manifest).positionAt(span.start).line + 1}: ${title}`,
  );
}
