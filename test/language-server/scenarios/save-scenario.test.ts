import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { readScenarioFile } from "../../../src/language-server/scenarios/scenario-file.ts";
import { applyText, stepBody, stepLine } from "../../../src/language-server/scenarios/step-yaml.ts";
import type { LanguageService } from "../../../src/language-server/service.ts";
import { readYamlDocument } from "../../../src/language-server/yaml/yaml-document.ts";
import type { WhatIfStep } from "../../../src/protocol/what-if.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

interface Saved {
  readonly text: string;
  readonly problems: readonly string[];
  /** The messages of the failures when the file is run. */
  readonly failures: readonly string[];
}

async function saved(service: LanguageService, steps: readonly WhatIfStep[]): Promise<Saved> {
  const reply = await service.saveScenario({ environment: memoryFolder, steps });
  assert.ok(reply !== null);
  const uri = memoryUri("what-if.scenario.yaml");
  service.setEditorText(uri, reply.text);
  const report = await service.runScenario(uri);
  assert.ok(report !== undefined);
  return { ...reply, failures: report.failures.map(({ message }) => message) };
}

async function savedOf(files: string, ...steps: readonly WhatIfStep[]): Promise<Saved> {
  return saved(await loadFixture(readFixture(files), false), steps);
}

const database = `
  #- claimcheck.yaml
  profile: eks
  #- db.yaml
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: { name: db }
  spec:
    serviceName: db
    replicas: 2
    selector: { matchLabels: { app: db } }
    template:
      metadata: { labels: { app: db } }
      spec:
        containers: [{ name: db, image: postgres, volumeMounts: [{ name: data, mountPath: /d }] }]
    volumeClaimTemplates:
      - metadata: { name: data }
        spec: { storageClassName: gp2, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

suite("steps of the simulation page, saved as a scenario file", () => {
  test("expects the state at rest, then what each step has changed, and passes", async () => {
    const { text, problems, failures } = await savedOf(
      database,
      {
        type: "scale",
        object: { kind: "StatefulSet", namespace: "default", name: "db" },
        replicas: 1,
      },
      { type: "advance", ms: 90_000 },
    );
    assert.deepEqual([problems, failures], [[], []]);
    assert.equal(
      text,
      `title: "What if: Scale StatefulSet default/db to 1; Let 90 s pass"
steps:
  - apply:
      - db.yaml
  - settle: {within: 10m}
  - expect:
      - {kind: PersistentVolumeClaim, name: data-db-0, phase: Bound}
      - {kind: PersistentVolumeClaim, name: data-db-1, phase: Bound}
      - {kind: StatefulSet, name: db, readyReplicas: 2}
      - {kind: Pod, name: db-0, phase: Running, ready: true}
      - {kind: Pod, name: db-1, phase: Running, ready: true}
      - {kind: VolumeAttachment, count: 2}
  - scale: {kind: StatefulSet, namespace: default, name: db, replicas: 1}
  - settle: {within: 10m}
  - expect:
      - {kind: StatefulSet, name: db, readyReplicas: 1}
      - {kind: VolumeAttachment, count: 1}
      - {kind: Pod, name: db-1, absent: true}
  - advance: 1m30s
`,
    );
  });

  test("expects how many pods of a ReplicationController are ready", async () => {
    const controller = `
      #- web.yaml
      apiVersion: v1
      kind: ReplicationController
      metadata: { name: web }
      spec:
        replicas: 2
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: web, image: nginx }] }
    `;
    const object = { kind: "ReplicationController", namespace: "default", name: "web" } as const;
    const { text, problems, failures } = await savedOf(controller, {
      type: "scale",
      object,
      replicas: 1,
    });
    assert.match(text, /- \{kind: ReplicationController, name: web, readyReplicas: 2\}/);
    assert.match(text, /- \{kind: ReplicationController, name: web, readyReplicas: 1\}/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("expects the API server's refusals", async () => {
    const { text, problems, failures } = await savedOf(database, {
      type: "delete",
      objects: [{ kind: "Pod", namespace: "default", name: "nobody" }],
    });
    assert.match(text, /- \{refused: Pod\/default\/nobody\}/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("expects the result of a Job created from a CronJob, but of none that the schedule starts", async () => {
    const { text, problems, failures } = await savedOf(
      `
      #- claimcheck.yaml
      profile: eks
      #- backup.yaml
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup, namespace: shop }
      spec:
        schedule: "*/5 * * * *"
        jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: backup }] } } } }
    `,
      { type: "createJob", namespace: "shop", name: "now", from: "backup" },
      { type: "createJob", namespace: "shop", name: "now", from: "backup" },
      { type: "advance", ms: 600_000 },
    );
    assert.match(
      text,
      / {2}- createJob: \{namespace: shop, name: now, from: cronjob\/backup\}\n {2}- settle: \{within: 10m\}\n {2}- expect:\n {6}- \{kind: Job, namespace: shop, name: now, readyReplicas: 1\}\n/,
    );
    assert.match(text, /- \{refused: Job\/shop\/now\}\n {2}- advance: 10m\n$/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("creates the namespaces that the page assumes to exist", async () => {
    const { text, problems, failures } = await savedOf(`
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: shop }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
    `);
    assert.match(text, /kind: Namespace\n +metadata:\n +name: shop\n/);
    assert.match(text, /\{event: FailedBinding, about: PersistentVolumeClaim\/shop\/data\}/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("contains the objects themselves if patches have changed them", async () => {
    const { text, problems, failures } = await savedOf(`
      #- kustomization.yaml
      resources: [claim.yaml]
      patches: [{ target: { kind: PersistentVolumeClaim }, patch: '[{ "op": "add", "path": "/spec/volumeName", "value": "disk" }]' }]
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteMany], nfs: { server: nas, path: / } }
    `);
    assert.match(text, /volumeName: disk\n/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  const claim = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: {{ .Release.Name }}-data }
      spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: {{ .Values.size }} } } }`;

  test("installs the charts as the project file says, after applying the files", async () => {
    const { text, problems, failures } = await savedOf(`
      #- claimcheck.yaml
      charts:
        - { chart: shop, name: eu, namespace: europe, values: [values-eu.yaml] }
        - { chart: shop, skipSchemaValidation: true }
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: 2Gi }, accessModes: [ReadWriteOnce], nfs: { server: nas, path: / } }
      #- values-eu.yaml
      size: 2Gi
      #- shop/Chart.yaml
      apiVersion: v2
      name: shop
      version: 1.0.0
      #- shop/values.yaml
      size: 8Gi
      #- shop/templates/claim.yaml${claim}
    `);
    assert.deepEqual([problems, failures], [[], []]);
    assert.match(
      text,
      / {2}- apply:\n {6}- volume\.yaml\n {2}- helm: \{chart: shop, name: eu, namespace: europe, values: \[values-eu\.yaml\]\}\n {2}- helm: \{chart: shop, skipSchemaValidation: true\}\n/,
    );
    assert.match(text, /namespace: europe, name: eu-data, phase: Bound, volume: disk\}/);
    assert.match(text, /name: shop-data, phase: Pending\}/);
  });

  test("installs a chart that is a cluster of its own from its folder", async () => {
    const { text, problems, failures } = await savedOf(`
      #- Chart.yaml
      apiVersion: v2
      name: shop
      version: 1.0.0
      #- values.yaml
      size: 8Gi
      #- templates/claim.yaml${claim}
    `);
    assert.deepEqual([problems, failures], [[], []]);
    assert.match(text, /\n {2}- helm: \{chart: "\."\}\n/);
  });

  test("contains the objects themselves if Helm would refuse the chart", async () => {
    const { text, problems, failures } = await savedOf(`
      #- claimcheck.yaml
      charts: [{ chart: shop }]
      #- shop/Chart.yaml
      apiVersion: v2
      name: shop
      version: 1.0.0
      #- shop/values.yaml
      size: 8Gi
      #- shop/templates/claim.yaml${claim}
      #- shop/templates/other.yaml
      kind: {{ fail "no" }}
    `);
    assert.deepEqual([problems, failures], [[], []]);
    assert.match(text, /- apply: \|\n {6}apiVersion: v1\n {6}kind: PersistentVolumeClaim\n/);
  });

  test("names files that have special characters in their names", async () => {
    const { text, problems, failures } = await savedOf(
      database.replace("db.yaml", "a%23%20b.yaml"),
    );
    assert.match(text, /- apply:\n {6}- "?a# b\.yaml/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("ignores the resource versions of files copied from a cluster, as the page does", async () => {
    const copied = database.replace("name: db }", 'name: db, resourceVersion: "7" }');
    const { text, problems, failures } = await savedOf(copied);
    assert.match(text, /kind: StatefulSet, name: db, readyReplicas: 2/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("starts from the cluster that the project imports", async () => {
    const cluster = readFileSync(
      path.join(import.meta.dirname, "../../support/running-cluster.yaml"),
      "utf8",
    );
    const fixture = readFixture(`
      #- claimcheck.yaml
      cluster: { import: cluster.yaml }
    `);
    const files = new Map([...fixture.files, ["cluster.yaml", cluster]]);
    const service = await loadFixture({ ...fixture, files }, false);
    const { text, problems, failures } = await saved(service, [
      { type: "delete", objects: [{ kind: "Pod", namespace: "shop", name: "db-0" }] },
    ]);
    assert.match(text, /kind: Pod, namespace: shop, name: db-0/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("has no steps if there is nothing to apply", async () => {
    const { text, problems, failures } = await savedOf(`
      #- broken.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name
    `);
    assert.match(text, /\nsteps: \[\]\n$/);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("names the profile if only the editor's settings set it", async () => {
    const service = await loadFixture(
      readFixture(database.replace("profile: eks", "rules: {}")),
      false,
    );
    service.configure({ profile: "gke" });
    const { text, problems, failures } = await saved(service, []);
    assert.match(text, /^profile: gke$/m);
    assert.deepEqual([problems, failures], [[], []]);
  });

  test("is null for an environment that no longer exists", async () => {
    const service = await loadFixture(readFixture(database), false);
    assert.equal(await service.saveScenario({ environment: "file:///gone", steps: [] }), null);
  });
});

suite("the text of a step", () => {
  const steps: readonly WhatIfStep[] = [
    { type: "advance", ms: 3_661_250 },
    { type: "delete", objects: [{ kind: "Pod", namespace: "a", name: "no", grace: 0 }] },
    {
      type: "patch",
      object: { kind: "Node", name: "n" },
      patch: { spec: { x: "yes", y: [1, null] } },
    },
    { type: "patch", object: { kind: "Node", name: "n" }, patch: {}, subresource: "status" },
    { type: "patch", object: { kind: "Node", name: "n" }, patch: {}, patchType: "strategic" },
    { type: "scale", object: { kind: "Deployment", namespace: "a", name: "d" }, replicas: 3 },
    { type: "createJob", namespace: "a", name: "now", from: "nightly" },
    { type: "createJob", name: "7", from: "8" },
    {
      type: "fault",
      fault: {
        driver: "d",
        call: "CreateVolume",
        code: "Internal",
        message: "a: b, c",
        times: 0,
        delayMs: 5000,
      },
    },
    { type: "driver", name: "d", controller: "down" },
    { type: "node", name: "n", kubelet: "restart" },
    { type: "cordon", name: "n" },
    { type: "uncordon", name: "n" },
    { type: "drain", name: "n" },
  ];
  for (const step of steps)
    test(`is read back as the same step: ${JSON.stringify(step)}`, () => {
      const text = `steps:\n${stepLine(...stepBody(step))}`;
      const { steps: read, problems } = readScenarioFile(readYamlDocument(text));
      assert.deepEqual(problems, []);
      assert.deepEqual(
        read.map((placed) => placed.step),
        [{ type: "engine", step }],
      );
    });

  test("manifests keep their values", () => {
    const manifests = [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a" },
        data: { a: "yes", b: "1\n\n2\n", c: "" },
      },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "07" } },
    ];
    const { steps: read } = readScenarioFile(readYamlDocument(`steps:\n${applyText(manifests)}`));
    assert.deepEqual(read[0]?.step, { type: "engine", step: { type: "apply", manifests } });
  });
});
