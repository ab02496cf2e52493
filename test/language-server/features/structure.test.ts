import assert from "node:assert/strict";
import { documentLinks } from "../../../src/language-server/features/document-links.ts";
import { foldingRanges } from "../../../src/language-server/features/folding-ranges.ts";
import { selectionRanges } from "../../../src/language-server/features/selection-ranges.ts";
import { type DocumentSymbol, symbolTree } from "../../../src/language-server/features/symbols.ts";
import { atCursor } from "../../support/language-features.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

async function symbolsOf(text: string): Promise<readonly string[]> {
  const { file, analysis } = await atCursor(text, false);
  const print = (symbol: DocumentSymbol, depth: number): readonly string[] => {
    const { name, kind, detail, deprecated, place, whole, children } = symbol;
    assert.ok(place.start >= whole.start && place.end <= whole.end, `${name} is in its text`);
    const old = deprecated ? " (deprecated)" : "";
    const line = `${"  ".repeat(depth)}${name} [${kind}] ${detail}${old}`;
    return [line, ...children.flatMap((child) => print(child, depth + 1))];
  };
  return [...symbolTree(file, analysis)].flatMap((symbol) => print(symbol, 0));
}

suite("document symbols", () => {
  test("a workload has its containers with their mounts, its volumes and its claim templates", async () => {
    const found = await symbolsOf(`
      $0apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, namespace: shop }
      spec:
        replicas: 3
        serviceName: db
        selector: { matchLabels: { a: b } }
        template:
          metadata: { labels: { a: b } }
          spec:
            containers: [{ name: main, image: postgres, volumeMounts: [{ name: data, mountPath: /data }] }]
            volumes: [{ name: scratch, emptyDir: {} }, { name: old, persistentVolumeClaim: { claimName: old-data } }]
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { accessModes: [ReadWriteOnce], storageClassName: fast, resources: { requests: { storage: 10Gi } } }
    `);
    assert.deepEqual(found, [
      "db [workload] StatefulSet in shop · 3 replicas",
      "  main [container] postgres",
      "    data [mount] /data",
      "  scratch [pod-volume] emptyDir",
      "  old [pod-volume] claim old-data",
      "  data [template] 10Gi ReadWriteOnce fast",
    ]);
  });

  test("a ReplicationController says how many replicas it asks for", async () => {
    const found = await symbolsOf(`
      $0apiVersion: v1
      kind: ReplicationController
      metadata: { name: web }
      spec: { replicas: 2 }
    `);
    assert.deepEqual(found, ["web [workload] ReplicationController in default · 2 replicas"]);
  });

  test("claims, volumes and classes say what they request or offer", async () => {
    const found = await symbolsOf(`
      $0apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: example.com/disk
      parameters: { type: ssd }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: fast, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce, ReadOnlyMany] }
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: key }
      stringData: { password: hidden }
    `);
    assert.deepEqual(found, [
      "fast [class] StorageClass · example.com/disk",
      "  type [key] ssd",
      "disk [volume] PersistentVolume · 1Gi ReadWriteOnce ReadOnlyMany fast",
      "key [configuration] Secret in default",
      "  password [key] ",
    ]);
  });

  test("an object or volume that is deprecated or no longer served is marked", async () => {
    const found = await symbolsOf(`
      $0apiVersion: storage.k8s.io/v1beta1
      kind: StorageClass
      metadata: { name: old }
      provisioner: example.com/disk
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        volumes: [{ name: code, gitRepo: { repository: r } }, { name: scratch, emptyDir: {} }]
    `);
    assert.deepEqual(
      found.filter((line) => line.endsWith("(deprecated)")),
      [
        "old [class] StorageClass · example.com/disk (deprecated)",
        "  code [pod-volume] gitRepo (deprecated)",
      ],
    );
  });
});

async function foldsOf(text: string): Promise<readonly string[]> {
  const { file } = await atCursor(text, false);
  return foldingRanges(file).map(({ start, end, kind }) => `${kind} ${start}-${end}`);
}

suite("folding", () => {
  test("documents, blocks and runs of comments fold", async () => {
    const found = await foldsOf(`
      $0# One
      # two
      kind: A
      spec:
        items:
        - name: x
          value: y
        - name: z

      ---
      kind: B
      text: |
        # no comment
        line
    `);
    assert.deepEqual(found, [
      "document 0-7",
      "comment 0-1",
      "block 3-7",
      "block 4-7",
      "block 5-6",
      "document 10-13",
      "block 11-13",
    ]);
  });

  test("a list at the indentation of its key folds with the key", async () => {
    const found = await foldsOf("$0a:\n- b: 1\n  c: 2\n- d\ne: 1\n");
    assert.deepEqual(found, ["document 0-4", "block 0-3", "block 1-2"]);
  });

  test("comments fold within their document and below keys, but not in block text", async () => {
    const found = await foldsOf("$0# a\n# b\n---\nc:\n  # d\n  # e\n  f: |\n    # g\n    # h\n");
    assert.deepEqual(found, [
      "comment 0-1",
      "document 3-8",
      "block 3-8",
      "comment 4-5",
      "block 6-8",
    ]);
  });

  test("broken text folds by its indentation", async () => {
    const found = await foldsOf("$0a:\n  b: }\n   c: [\n");
    assert.deepEqual(found, ["document 0-2", "block 0-2", "block 1-2"]);
  });
});

suite("selection ranges", () => {
  test("the selection grows from the word to the file", async () => {
    const { file, offset } = await atCursor(
      `
        apiVersion: v1
        ---
        kind: B
        spec:
          volumes:
            - name: "da$0ta-1"
              emptyDir: {}
      `,
      false,
    );
    const texts = selectionRanges(file, offset).map(({ start, end }) =>
      file.manifest.text.slice(start, end).trim().split("\n").join("⏎"),
    );
    assert.deepEqual(texts, [
      "data-1",
      '"data-1"',
      'name: "data-1"',
      'name: "data-1"⏎      emptyDir: {}',
      '- name: "data-1"⏎      emptyDir: {}',
      'volumes:⏎    - name: "data-1"⏎      emptyDir: {}',
      'spec:⏎  volumes:⏎    - name: "data-1"⏎      emptyDir: {}',
      'kind: B⏎spec:⏎  volumes:⏎    - name: "data-1"⏎      emptyDir: {}',
      'apiVersion: v1⏎---⏎kind: B⏎spec:⏎  volumes:⏎    - name: "data-1"⏎      emptyDir: {}',
    ]);
  });

  test("the selection grows from a word to the text, to its quotes, and to the field", async () => {
    for (const [value, ...wanted] of [
      ['"shop/da$0ta"', "data", "shop/data", '"shop/data"', 'name: "shop/data"'],
      ["shop/da$0ta", "data", "shop/data", "name: shop/data"],
      ["da$0ta", "data", "name: data"],
    ]) {
      const { file, offset } = await atCursor(`apiVersion: v1\nkind: B\nname: ${value}\n`, false);
      const spans = selectionRanges(file, offset).slice(0, wanted.length);
      const texts = spans.map(({ start, end }) => file.manifest.text.slice(start, end));
      assert.deepEqual(texts, wanted);
    }
  });

  test("broken text still gives the document and the file", async () => {
    const { file, offset } = await atCursor("apiVersion: v1\nkind: }$0{\n", false);
    const spans = selectionRanges(file, offset);
    assert.deepEqual(spans.at(-1), { start: 0, end: file.manifest.text.length });
  });
});

async function linksOf(text: string): Promise<readonly string[]> {
  const { analysis, file } = await atCursor(text, false);
  return documentLinks(analysis.environment, file).map(
    ({ start, end, target }) =>
      `${file.manifest.text.slice(start, end)} → ${target.replace(memoryUri(""), "")}`,
  );
}

suite("document links", () => {
  test("a kustomization leads to its files, folders and remote bases", async () => {
    const found = await linksOf(`
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- overlays/prod/kustomization.yaml
      $0resources:
        - ../../base
        - claim.yaml
        - github.com/example/config//base?ref=v1
      patches:
        - path: "patch one.yaml"
      configMapGenerator:
        - name: settings
          files: [app.conf=conf/app.conf]
    `);
    assert.deepEqual(found, [
      "../../base → base/kustomization.yaml",
      "claim.yaml → overlays/prod/claim.yaml",
      "github.com/example/config//base?ref=v1 → https://github.com/example/config//base?ref=v1",
      "patch one.yaml → overlays/prod/patch%20one.yaml",
      "conf/app.conf → overlays/prod/conf/app.conf",
    ]);
  });

  test("a file is linked where it is written, not at an alias, and an inline patch is not linked", async () => {
    const found = await linksOf(`
      #- kustomization.yaml
      resources: [&first a.yaml$0, b.yaml]
      patchesStrategicMerge:
        - *first
        - |
          kind: Pod
          metadata: { name: web }
      #- a.yaml
      kind: A
      #- b.yaml
      kind: B
    `);
    assert.deepEqual(found, ["a.yaml → a.yaml", "b.yaml → b.yaml"]);
  });

  test("a kustomization leads to the values of its charts", async () =>
    assert.deepEqual(
      await linksOf(`
      #- kustomization.yaml
      $0helmCharts:
        - name: shop
          valuesFile: values-eu.yaml
          additionalValuesFiles: [more/values.yaml]
    `),
      ["values-eu.yaml → values-eu.yaml", "more/values.yaml → more/values.yaml"],
    ));

  test("a remote base that is not a web page is not linked", async () => {
    const found = await linksOf(`
      #- kustomization.yaml
      $0resources:
        - http://example.com/base
        - command:///claimcheck.importCluster
        - vscode://publisher.name/path
        - ssh://git@example.com/base
        - file://example.com/share/base
    `);
    assert.deepEqual(found, ["http://example.com/base → http://example.com/base"]);
  });

  test("a scenario leads to the manifests that it applies", async () => {
    const found = await linksOf(`
      #- a.scenario.yaml
      $0steps:
        - apply: [claim.yaml, sub/pod.yaml]
    `);
    assert.deepEqual(found, ["claim.yaml → claim.yaml", "sub/pod.yaml → sub/pod.yaml"]);
  });

  test("a scenario leads to the chart that it installs, and to its values", async () => {
    const found = await linksOf(`
      #- claimcheck.yaml
      charts: []
      #- shop/Chart.yaml
      name: shop
      #- tests/a.scenario.yaml
      $0steps:
        - helm: { chart: ../shop, values: [../values.yaml] }
        - helm: { chart: ../shop, values: ../other.yaml }
    `);
    assert.deepEqual(found, [
      "../shop → shop/Chart.yaml",
      "../values.yaml → values.yaml",
      "../shop → shop/Chart.yaml",
      "../other.yaml → other.yaml",
    ]);
  });

  test("ids of rules lead to their pages", async () => {
    const page = "https://github.com/claimcheck/claimcheck/blob/main/docs/rules/pvc-unused.md";
    const project = `
      #- claimcheck.yaml
      $0rules:
        pvc-unused: off
        no-such-rule: off
    `;
    assert.deepEqual(await linksOf(project), [`pvc-unused → ${page}`]);
    const comment = `
      # claimcheck-ignore pvc-unused: kept for the backup
      $0apiVersion: v1
      kind: PersistentVolumeClaim
    `;
    assert.deepEqual(await linksOf(comment), [`pvc-unused → ${page}`]);
    const several = `
      # claimcheck-ignore rwo-replicas, pvc-unused: as pod-claim-missing says
      $0apiVersion: v1
      kind: PersistentVolumeClaim
    `;
    assert.deepEqual(await linksOf(several), [
      `rwo-replicas → ${page.replace("pvc-unused", "rwo-replicas")}`,
      `pvc-unused → ${page}`,
    ]);
  });
});
