import assert from "node:assert/strict";
import { codeActions } from "../../../src/language-server/features/code-actions.ts";
import { codeLenses } from "../../../src/language-server/features/code-lens.ts";
import { inlayHints } from "../../../src/language-server/features/inlay-hints.ts";
import { symbolTree, workspaceSymbols } from "../../../src/language-server/features/symbols.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const files = `
  #- claimcheck.yaml
  profile: bare-metal
  #- all.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: disk }
  spec: { storageClassName: "", capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: fits }
  spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  ---
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: small }
  spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /y } }
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: large }
  spec: { volumeName: small, storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
`;

async function load(text: string = files) {
  const service = await loadFixture(readFixture(text), true);
  const uri = memoryUri("all.yaml");
  const file = service.file(uri);
  const analysis = service.analysisOf(uri);
  const prediction = analysis === undefined ? undefined : service.prediction(analysis.environment);
  assert.ok(file !== undefined && analysis !== undefined && prediction !== undefined);
  return { service, file, analysis, prediction, text: file.manifest.text };
}

suite("code lenses, inlay hints, a fix and symbols", () => {
  test("a lens above each object says what becomes of it", async () => {
    const { analysis, prediction, file } = await load();
    assert.deepEqual(
      codeLenses(analysis, prediction, file).map(({ title }) => title),
      [
        "is bound to claim default/fits",
        'is bound to volume "disk" of 1Gi',
        "is Available: no claim has it",
        'stays Pending: cannot bind to requested volume "small": requested PV is too small',
      ],
    );
  });

  test("a lens above a workload says why its pods are not ready", async () => {
    const lensesWith = async (claim: string): Promise<readonly string[]> => {
      const { analysis, prediction, file } = await load(`
      #- all.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: app, image: nginx }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
${claim}`);
      return codeLenses(analysis, prediction, file).map(({ title }) => title);
    };
    const missing = await lensesWith("");
    assert.deepEqual(missing, [
      'has 0 of 1 pods ready: a pod stays Pending: its claim "data" does not exist',
    ]);
    const [pending] = await lensesWith(`
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`);
    assert.equal(
      pending,
      'has 0 of 1 pods ready: claim "data" stays Pending: class "fast" does not exist',
    );
  });

  test("a lens escapes icons and invisible characters in names", async () => {
    const { analysis, prediction, file } = await load(`
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: app, image: nginx }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: "$(bug~spin)\\u202edata" } }]
    `);
    assert.deepEqual(
      codeLenses(analysis, prediction, file).map(({ title }) => title),
      ['stays Pending: its claim "$ (bug~spin)\\u202edata" does not exist'],
    );
  });

  test("a lens above a class says whether it is the default, who uses it and when volumes are made", async () => {
    const { analysis, prediction, file } = await load(`
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shared, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
      provisioner: nobody.example.com
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: pv }
      spec:
        storageClassName: shared
        accessModes: [ReadWriteOnce]
        capacity: { storage: 1Gi }
        nfs: { server: a, path: / }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: named }
      spec: { storageClassName: shared, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: unnamed }
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
        selector: { matchLabels: { a: b } }
    `);
    const titles = codeLenses(analysis, prediction, file).map(({ title }) => title);
    assert.deepEqual(titles.slice(0, 2), [
      "the default class · 2 claims, 1 bound · Immediate",
      "no claims · WaitForFirstConsumer",
    ]);
  });

  test("a lens above a refused object says so", async () => {
    const { analysis, prediction, file } = await load(`
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnc], resources: { requests: { storage: 1Gi } } }
    `);
    assert.deepEqual(
      codeLenses(analysis, prediction, file).map(({ title }) => title),
      ["is refused by the API server"],
    );
  });

  test("a lens omits the name of a volume that is yet to be created", async () => {
    const { analysis, prediction, file } = await load(`
      #- claimcheck.yaml
      profile: kind
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    assert.deepEqual(
      codeLenses(analysis, prediction, file).map(({ title }) => title),
      ["is bound to a new volume of 1Gi", "runs on kind-control-plane"],
    );
  });

  test("a hint behind a claim's name is the volume it gets", async () => {
    const { analysis, prediction, file, text } = await load();
    const hints = inlayHints(analysis, prediction, file, undefined, (kind) => kind === "volume");
    assert.deepEqual(
      hints.map(({ offset, label }) => [text.slice(offset - 4, offset), label]),
      [["fits", "→ disk"]],
    );
  });

  test("hints behind modes and sizes say what they mean, without any prediction", async () => {
    const { analysis, file, text } = await load();
    const hints = inlayHints(analysis, undefined, file).slice(0, 2);
    assert.deepEqual(
      hints.map(({ offset, label }) => [text.slice(offset - 3, offset), label]),
      [
        ["nce", "one node"],
        ["1Gi", "= 1\u202f073\u202f741\u202f824"],
      ],
    );
  });

  test("only the hints in the requested part of a file are returned", async () => {
    const { analysis, prediction, file, text } = await load();
    const end = text.indexOf("name: small");
    const shown = { start: text.indexOf("name: fits"), end };
    const hints = inlayHints(analysis, prediction, file, shown);
    assert.deepEqual(
      hints.map(({ label }) => label),
      ["one node", "= 1\u202f073\u202f741\u202f824", "→ disk"],
    );
    const [moved] = inlayHints(analysis, prediction, file, { start: end, end: text.length });
    assert.equal(text.slice((moved?.offset ?? 0) - 3, moved?.offset), "nce");
  });

  test("a lens is above its own object even if a patch removes an object before it", async () => {
    const { analysis, prediction, file, text } = await load(`
      #- kustomization.yaml
      resources: [all.yaml]
      patches:
        - patch: |
            apiVersion: v1
            kind: PersistentVolume
            metadata: { name: old }
            $patch: delete
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: old }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      ---
      # The one that stays.
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: kept }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /y } }
    `);
    const lenses = codeLenses(analysis, prediction, file);
    assert.deepEqual(
      lenses.map(({ span, ref }) => [ref, span.start]),
      [["PersistentVolume//kept", text.lastIndexOf("apiVersion")]],
    );
  });

  test("hints of a provisioned claim name the default class and the volume's zone", async () => {
    const claim = `
      #- claimcheck.yaml
      profile: gke
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `;
    const { analysis, prediction, file } = await load(claim);
    const labels = inlayHints(analysis, prediction, file).map(({ label }) => label);
    assert.deepEqual(labels.slice(2), [
      "→ new volume, 1Gi",
      "in us-central1-a",
      "class standard-rwo",
    ]);
    const [volume] = inlayHints(analysis, prediction, file, undefined, (k) => k === "volume");
    assert.match(volume?.tooltip ?? "", /^“pvc-[0-9a-f-]{36}”, the volume that the claim gets/);
    const [lens] = codeLenses(analysis, prediction, file);
    assert.match(lens?.title ?? "", / · attached to /);
  });

  test("the hint of the default class is behind the spec of a workload's claim template", async () => {
    const template =
      "spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }";
    const ephemeral = `{ name: scratch, ephemeral: { volumeClaimTemplate: { ${template} } } }`;
    const podTemplate = (volumes: string): string =>
      `template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: i }], volumes: [${volumes}] } }`;
    const workload = (kind: string, volumes: string, more: string): string => `
      apiVersion: apps/v1
      kind: ${kind}
      metadata: { name: ${kind.toLowerCase()} }
      spec:
        selector: { matchLabels: { a: b } }
        ${podTemplate(volumes)}
        ${more}`;
    const { analysis, prediction, file, text } = await load(`
      #- claimcheck.yaml
      profile: gke
      #- all.yaml${workload("StatefulSet", "", `volumeClaimTemplates: [{ metadata: { name: data }, ${template} }]`)}
      ---${workload("Deployment", ephemeral, "replicas: 2")}
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: alone }
      spec: { containers: [{ name: c, image: i }], volumes: [${ephemeral}] }
      ---${workload("StatefulSet", "", `volumeClaimTemplates: [{ metadata: { name: none }, spec: { storageClassName: "" } }]`).replace("name: statefulset", "name: other")}
    `);
    const wants = (kind: string): boolean => kind === "storageClass";
    const hints = inlayHints(analysis, prediction, file, undefined, wants);
    assert.deepEqual(
      hints.map(({ offset, label }) => [text.slice(offset - 4, offset), label]),
      Array(3).fill(["spec", "class standard-rwo"]),
    );
  });

  test("the hint calls the volume new even if its driver uses a naming scheme of its own", async () => {
    const { analysis, prediction, file } = await load(`
      #- claimcheck.yaml
      profile: ack
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: alicloud-disk-essd
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 30Gi } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx }]
        volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const [volume] = inlayHints(analysis, prediction, file, undefined, (k) => k === "volume");
    assert.equal(volume?.label, "→ new volume, 30Gi");
    assert.match(volume?.tooltip ?? "", /^“disk-/);
  });

  test("a long name is shortened so that VS Code also shows the zone, and is whole in the tooltip", async () => {
    const name = "logs-of-the-old-web-shop-2019";
    const { analysis, prediction, file } = await load(`
      #- claimcheck.yaml
      profile: gke
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: ${name} }
      spec:
        storageClassName: ""
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        csi: { driver: pd.csi.storage.gke.io, volumeHandle: h }
        nodeAffinity:
          required:
            nodeSelectorTerms:
              - matchExpressions:
                  - { key: topology.gke.io/zone, operator: In, values: [us-central1-a] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: logs }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    const isOfVolume = (kind: string): boolean => kind === "volume" || kind === "zone";
    const hints = inlayHints(analysis, prediction, file, undefined, isOfVolume);
    assert.deepEqual(
      hints.map(({ label }) => label),
      ["→ logs-of-the-old-web…", "in us-central1-a"],
    );
    assert.ok(hints[0]?.tooltip.startsWith(`“${name}”`));
  });

  test("a fix edits the field to blame", async () => {
    const { service, analysis, prediction, file, text } = await load();
    const at = text.indexOf("volumeName: small") + 13;
    const actions = codeActions({
      analysis,
      prediction,
      file,
      diagnostics: findingsOf(service, file.uri),
      range: { start: at, end: at },
      findFile: (uri) => service.file(uri),
    });
    const [edit] = actions[0]?.edits ?? [];
    assert.equal(actions[0]?.title, "Ask for 1Gi, which the volume has");
    assert.equal(text.slice(edit?.start, edit?.end), "2Gi");
    assert.equal(edit?.text, "1Gi");
  });

  test("symbols are the objects of a file, and those of the workspace that match the typed letters", async () => {
    const { service, file, analysis } = await load();
    assert.deepEqual(
      [...symbolTree(file, analysis)].map(({ name }) => name),
      ["disk", "fits", "small", "large"],
    );
    const found = workspaceSymbols(service.environments(), "pvc").map(({ name }) => name);
    assert.deepEqual(found, ["fits", "large"]);
    assert.deepEqual(
      workspaceSymbols(service.environments(), "lrg").map(({ name }) => name),
      ["large"],
    );
  });
});
