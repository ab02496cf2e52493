/** Scenario files: how they are read, how mistakes are reported, and what a run finds. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grpcCodes } from "../../../src/engine/csi/grpc-codes.ts";
import { driverCalls } from "../../../src/engine/scenario.ts";
import { scenarioShape } from "../../../src/language-server/scenarios/scenario-shape.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { durationMs } from "../../../src/language-server/shapes/duration.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";
import { schemaOf } from "../../support/shape-schema.ts";

const volume = `apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  nfs: {server: nas, path: /}
`;
const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  resources: {requests: {storage: 1Gi}}
`;

async function serviceOf(files: Readonly<Record<string, string>>): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map(Object.entries(files))),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

/** `text of the place: message` of each failure of the scenario, with the two manifests beside it. */
async function failuresOf(scenario: string): Promise<readonly string[]> {
  const name = "a.scenario.yaml";
  const service = await serviceOf({ "volume.yaml": volume, "claim.yaml": claim, [name]: scenario });
  const report = await service.runScenario(memoryUri(name));
  assert.ok(report !== undefined);
  return report.failures.map(
    ({ start, end, message }) => `${scenario.slice(start, end)}: ${message}`,
  );
}

suite("kustomize steps", () => {
  const run = async (steps: string, kustomization: string): Promise<readonly string[]> => {
    const name = "tests/a.scenario.yaml";
    const service = await serviceOf({
      "volume.yaml": volume,
      "base/claim.yaml": claim,
      "base/kustomization.yaml": "resources: [claim.yaml]\n",
      "one/kustomization.yaml": "resources: [../base]\nnamePrefix: one-\n",
      "two/kustomization.yaml": kustomization,
      "two/charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
      "two/charts/shop/values.yaml": "claim: true\n",
      "two/charts/shop/templates/claim.yaml": `{{ if .Values.claim }}\n${claim}{{ end }}\n{{ if .Values.refuses }}{{ fail "no" }}{{ end }}`,
      [name]: steps,
    });
    const report = await service.runScenario(memoryUri(name));
    assert.ok(report !== undefined);
    return report.failures.map(
      ({ start, end, message }) => `${steps.slice(start, end)}: ${message}`,
    );
  };
  const steps = `steps:
  - apply: [../volume.yaml]
  - kustomize: ../two
  - settle: {}
  - expect:
      - {kind: PersistentVolumeClaim, name: two-data, phase: Bound, volume: disk}
      - {kind: PersistentVolumeClaim, count: 1}
`;

  test("apply the objects of the folder's kustomization, whichever one is judged", async () =>
    assert.deepEqual(await run(steps, "resources: [../base]\nnamePrefix: two-\n"), []));

  test("include the generated objects", async () =>
    assert.deepEqual(
      await run(
        `${steps}      - {kind: ConfigMap, name: two-settings}\n`,
        "resources: [../base]\nnamePrefix: two-\nconfigMapGenerator: [{ name: settings, literals: [a=b] }]\n",
      ),
      [],
    ));

  test("include the objects of its charts, and fail if Helm refuses", async () => {
    const charts = (values: string): string =>
      `namePrefix: two-\nhelmCharts: [{ name: shop, valuesInline: { ${values} } }]\n`;
    assert.deepEqual(await run(steps, charts("a: 1")), []);
    assert.deepEqual(await run(steps, charts("refuses: true")), ["kustomize: no"]);
  });

  test("fail if kustomize refuses or there is no kustomization", async () => {
    assert.deepEqual(
      await run(steps, "resources: [../base]\nreplicas: [{ name: db, count: 1 }]\n"),
      [
        "kustomize: kustomize refuses the entry: resource with name db does not match a config with the following GVK [Deployment.[noVer].[noGrp] StatefulSet.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] ReplicationController.[noVer].[noGrp]]",
      ],
    );
    assert.deepEqual(await run(steps, "resources: [gone.yaml]\n"), [
      "kustomize: Not judged: gone.yaml is not among the files that are read",
    ]);
    assert.deepEqual(await run("steps:\n  - kustomize: ../../elsewhere\n", "resources: []\n"), [
      "kustomize: unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '../../elsewhere'",
    ]);
  });
});

suite("helm steps", () => {
  const files = {
    "claimcheck.yaml": "charts: []\n",
    "volume.yaml": volume,
    "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "shop/values.yaml": "claim: { size: 9Gi }\n",
    "shop/templates/_helpers.tpl": '{{ define "name" }}{{ .Release.Name }}-data{{ end }}\n',
    "shop/templates/claim.yaml": `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: {{ include "name" . }} }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  resources: { requests: { storage: {{ required "claim.size is needed" .Values.claim.size }} } }
`,
    "small.yaml": "claim: { size: 500Mi }\n",
    "large.yaml": "claim: { size: 2Gi }\n",
    "none.yaml": "claim: { size: null }\n",
  };
  const run = async (
    steps: string,
    name = "tests/a.scenario.yaml",
    others: Readonly<Record<string, string>> = files,
  ): Promise<readonly string[]> => {
    const service = await serviceOf({ ...others, [name]: steps });
    const report = await service.runScenario(memoryUri(name));
    assert.ok(report !== undefined);
    return report.failures.map(
      ({ start, end, message }) => `${steps.slice(start, end)}: ${message}`,
    );
  };
  const bound = (release: string, name: string, namespace = "default"): string => `steps:
  - apply: [../volume.yaml]
  - apply: "{apiVersion: v1, kind: Namespace, metadata: {name: production}}"
  - helm: ${release}
  - settle: {}
  - expect:
      - {kind: PersistentVolumeClaim, namespace: ${namespace}, name: ${name}, phase: Bound}
      - {kind: PersistentVolumeClaim, count: 1}
`;

  test("install the chart with the given values, release name and namespace", async () => {
    assert.deepEqual(
      await run(
        bound(
          "{chart: ../shop, name: eu, namespace: production, values: ../small.yaml}",
          "eu-data",
          "production",
        ),
      ),
      [],
    );
    assert.deepEqual(
      await run(bound("{chart: ../shop, values: [../small.yaml]}", "shop-data")),
      [],
    );
  });

  test("use the chart's own values if none are given, and the last of several files", async () => {
    const pending = /: phase is Pending, not Bound;/;
    assert.match((await run(bound("{chart: ../shop}", "shop-data")))[0] ?? "", pending);
    assert.deepEqual(
      await run(bound("{chart: ../shop, values: [../large.yaml, ../small.yaml]}", "shop-data")),
      [],
    );
    const [last = ""] = await run(
      bound("{chart: ../shop, values: [../small.yaml, ../large.yaml]}", "shop-data"),
    );
    assert.match(last, pending);
  });

  test("without a project file, find a chart only from inside its own folder", async () => {
    const { "claimcheck.yaml": _, ...withoutProject } = files;
    const steps = `steps:
  - helm: {chart: .., name: eu}
  - expect: [{kind: PersistentVolumeClaim, name: eu-data}]
`;
    assert.deepEqual(await run(steps, "shop/tests/a.scenario.yaml", withoutProject), []);
    assert.deepEqual(
      await run(steps.replace("..", "."), "shop/a.scenario.yaml", withoutProject),
      [],
    );
    assert.deepEqual(await run(steps.replace("..", "../shop"), undefined, withoutProject), [
      'helm: path "../shop" not found; without a claimcheck.yaml in a folder above both, a chart and what is beside it are different clusters',
    ]);
  });

  for (const [what, release, message] of [
    ["there is no chart", "{chart: ../shopp}", 'path "../shopp" not found'],
    [
      "a folder is not a chart",
      "{chart: ../shop/templates}",
      "unable to detect chart at ../shop/templates: it has no Chart.yaml",
    ],
    [
      "the chart is outside the workspace",
      "{chart: ../../../etc}",
      'path "../../../etc" not found',
    ],
    [
      "a values file does not exist",
      "{chart: ../shop, values: [../gone.yaml]}",
      "open ../gone.yaml: no such file or directory",
    ],
    [
      "the release name is invalid",
      "{chart: ../shop, name: My_Shop}",
      'release name check failed: release name "My_Shop": invalid release name, must match regex ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must not be longer than 53',
    ],
    [
      "the chart refuses the values",
      "{chart: ../shop, values: ../none.yaml}",
      "claim.size is needed",
    ],
  ] as const)
    test(`fail if ${what}`, async () =>
      assert.deepEqual(await run(`steps:\n  - helm: ${release}\n  - advance: 1s\n`), [
        `helm: ${message}`,
      ]));

  test("are suggested if a chart's template is applied", async () =>
    assert.deepEqual(await run("steps:\n  - apply: [../shop/templates/claim.yaml]\n"), [
      "apply: ../shop/templates/claim.yaml cannot be applied: it is a template of a chart, which the step `helm: {chart: ../shop}` installs",
    ]));

  test("require a chart, and accept values only as files", async () =>
    assert.deepEqual(
      await run("steps:\n  - helm: ../shop\n  - helm: {name: a}\n  - helm: {chart: a, set: b}\n"),
      [
        "../shop: “helm” must be a mapping",
        "{name: a}: “chart” is missing",
        "set: Unknown key “set”; known are chart, name, namespace, values, skipSchemaValidation",
      ],
    ));
});

suite("scenario files", () => {
  test("a met expectation is no failure", async () => {
    const failures = await failuresOf(`steps:
  - apply: [volume.yaml, claim.yaml]
  - settle: {within: 1m}
  - expect:
      - {kind: PersistentVolumeClaim, name: data, phase: Bound, volume: disk}
      - {kind: PersistentVolume, name: other, absent: true}
      - {kind: PersistentVolume, count: 1}
`);
    assert.deepEqual(failures, []);
  });

  test("failures are in the order of the file, and a field that an object lacks is called none", async () => {
    const failures = await failuresOf(`steps:
  - apply: [volume.yaml]
  - settle: {}
  - delete: [{kind: PersistentVolume, name: gone}]
  - settle: {}
  - expect:
      - {kind: PersistentVolume, name: disk, volume: other}
`);
    assert.equal(failures.length, 2);
    assert.match(failures[0] ?? "", /^delete: .*"gone" not found/);
    assert.match(failures[1] ?? "", /: volume is none, not other$/);
  });

  test("an unmet expectation says what is there instead, at its place", async () => {
    const failures = await failuresOf(`steps:
  - apply: [claim.yaml]
  - settle: {}
  - expect:
      - {kind: PersistentVolumeClaim, name: data, phase: Bound}
      - {event: Bound, about: PersistentVolumeClaim/default/data}
`);
    assert.deepEqual(failures, [
      '{kind: PersistentVolumeClaim, name: data, phase: Bound}: PersistentVolumeClaim/default/data: phase is Pending, not Bound; it stays Pending: there is no volume and class "" is never provisioned',
      "{event: Bound, about: PersistentVolumeClaim/default/data}: PersistentVolumeClaim/default/data: no event Bound; seen: FailedBinding: no persistent volumes available for this claim and no storage class is set",
    ]);
  });

  test("an object in default or without a namespace may omit it, and a part of a message is enough", async () => {
    const failures = await failuresOf(`steps:
  - apply: [claim.yaml, volume.yaml]
  - settle: {}
  - delete: [{kind: PersistentVolume, name: gone}]
  - expect:
      - {event: FailedBinding, about: PersistentVolumeClaim/data, message: no storage class is set}
      - {event: FailedBinding, about: PersistentVolumeClaim/default/data, message: something else}
      - {refused: PersistentVolume/gone, message: not found}
      - {event: Bound, about: PersistentVolume/disk}
`);
    assert.deepEqual(
      failures.map((failure) => failure.replace(/^\{.*\}: /, "").replace(/;.*/, "")),
      [
        "PersistentVolumeClaim/default/data: no event FailedBinding: something else",
        "PersistentVolume/disk: no event Bound",
      ],
    );
  });

  test("a reference that names no object is a mistake in the file", async () => {
    const failures = await failuresOf(`steps:
  - node: {of: Node/a, kubelet: down}
  - expect:
      - {event: Bound, about: data}
      - {refused: pvc/default/data}
`);
    const wanted = (kind: string): string =>
      `${kind}/namespace/name, or ${kind}/name where that is in \`default\` or in no namespace`;
    assert.deepEqual(
      failures.map((failure) => failure.replace(/^.*?: “/, "“")),
      [
        `“of” must be ${wanted("Pod")}`,
        `“about” must be ${wanted("Kind")}`,
        `“refused” must be ${wanted("Kind")}; did you mean “PersistentVolumeClaim/default/data”?`,
      ],
    );
  });

  test("an unmet expectation of a workload names the pod that is to blame", async () => {
    const pod =
      "{metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}}";
    const failures = await failuresOf(`steps:
  - apply: [claim.yaml]
  - apply: |
      {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {a: b}}, template: ${pod}}}
  - settle: {}
  - expect:
      - {kind: Deployment, name: web, readyReplicas: 1, nodeCount: 1}
`);
    const [first = "", second = ""] = failures.map((line) => line.slice(line.indexOf("}: ") + 3));
    assert.match(
      first,
      /^Deployment\/default\/web: readyReplicas is 0, not 1; it has 0 of 1 pods ready: Pod web-\w+-\w+ stays Pending: claim "data" stays Pending: there is no volume/,
    );
    assert.equal(second, "Deployment/default/web: nodeCount is 0, not 1");
  });

  test("objects are counted in the given namespace, or in all", async () => {
    const failures = await failuresOf(`steps:
  - apply: |
      {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: other}}
      ---
      {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: other}}
  - expect:
      - {kind: ConfigMap, namespace: other, count: 1}
      - {kind: ConfigMap, count: 2}
`);
    assert.deepEqual(failures, []);
  });

  test("pods without a node do not count as a node", async () => {
    const pods = (selector: string): string => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {nodeSelector: ${selector}, containers: [{name: web, image: web}]}
`;
    const expected = async (selector: string, count: number): Promise<readonly string[]> =>
      failuresOf(`profile: kind
steps:
  - apply: |${pods(selector)}
  - settle: {}
  - expect: [{kind: Deployment, name: web, nodeCount: ${count}}]
`);
    assert.deepEqual(await expected("{}", 1), []);
    assert.deepEqual(await expected("{gpu: none}", 0), []);
  });

  test("readyReplicas works for DaemonSets and Jobs", async () => {
    const template = (rest: string): string =>
      `template: {metadata: {labels: {app: web}}, spec: {${rest}containers: [{name: web, image: web}]}}`;
    const selector = "selector: {matchLabels: {app: web}}";
    const failures = await failuresOf(`profile: kind
steps:
  - apply: |
      {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}, spec: {${selector}, ${template("")}}}
      ---
      {apiVersion: batch/v1, kind: Job, metadata: {name: web}, spec: {${template("restartPolicy: Never, ")}}}
  - settle: {}
  - expect:
      - {kind: DaemonSet, name: web, readyReplicas: 1}
      - {kind: Job, name: web, readyReplicas: 1}
`);
    assert.deepEqual(failures, []);
  });

  test("a cluster settles once pods that start one by one have passed their probes, which may take minutes", async () => {
    const scenario = (settle: string, ready: number): string => `profile: kind
steps:
  - apply: |
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: web}
      spec:
        serviceName: web
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
              - name: web
                image: web
                startupProbe: {tcpSocket: {port: 80}, periodSeconds: 10, failureThreshold: 30}
                readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 120}
  - settle: ${settle}
  - expect: [{kind: StatefulSet, name: web, readyReplicas: ${ready}}]
`;
    assert.deepEqual(await failuresOf(scenario("{}", 3)), []);
    assert.deepEqual(await failuresOf(scenario("{within: 75s}", 0)), []);
  });

  test("an expectation with `within` waits, and no longer than it says", async () => {
    const scenario = (within: string): string => `steps:
  - apply: [claim.yaml]
  - settle: {}
  - apply: [volume.yaml]
  - expect: [{kind: PersistentVolumeClaim, name: data, phase: Bound, within: ${within}}]
`;
    assert.deepEqual(await failuresOf(scenario("30s")), []);
    assert.deepEqual(await failuresOf(scenario("1ms")), [
      "{kind: PersistentVolumeClaim, name: data, phase: Bound, within: 1ms}: PersistentVolumeClaim/default/data: phase is Pending, not Bound; it is Pending until the binder looks again",
    ]);
  });

  test("the API server's refusal is a failure of its step, unless it is expected", async () => {
    const steps = `steps:
  - apply: [claim.yaml]
  - patch: {kind: PersistentVolumeClaim, name: data, patch: {spec: {volumeMode: Block}}}
`;
    const [failure = ""] = await failuresOf(steps);
    assert.match(
      failure,
      /^patch: PersistentVolumeClaim\/default\/data was refused: PersistentVolumeClaim "data" is invalid: \[spec: Forbidden: spec is immutable/,
    );
    assert.deepEqual(
      await failuresOf(
        `${steps}  - expect: [{refused: PersistentVolumeClaim/default/data}]
`,
      ),
      [],
    );
    assert.deepEqual(
      await failuresOf(`steps:
  - apply: [claim.yaml]
  - expect: [{refused: PersistentVolumeClaim/default/data}]
`),
      [
        "{refused: PersistentVolumeClaim/default/data}: PersistentVolumeClaim/default/data was not refused",
      ],
    );
  });

  test("an eviction that a budget refuses is no failure: a drain asks again", async () => {
    const failures = await failuresOf(`profile: kind
steps:
  - apply: |
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: c, image: nginx}]}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: all}
      spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
  - settle: {}
  - drain: {name: kind-control-plane}
  - expect:
      - {refused: Pod/default/web, message: "Cannot evict pod as it would violate the pod's disruption budget."}
      - {kind: Pod, name: web, phase: Running}
  - drain: {name: kind-control-plane}
`);
    assert.deepEqual(failures, []);
  });

  test("a step that cannot be taken ends the run and says what exists instead", async () => {
    assert.deepEqual(
      await failuresOf(`profile: kind
steps:
  - node: {name: elsewhere, kubelet: down}
  - expect: [{kind: Pod, name: web}]
`),
      ["node: There is no node elsewhere; there are kind-control-plane"],
    );
    assert.deepEqual(
      await failuresOf("steps:\n  - apply: [gone.yaml, ../../etc/passwd, claim.yaml]\n"),
      ["apply: There is no file gone.yaml, ../../etc/passwd here"],
    );
    const [failure = ""] = await failuresOf(
      "steps:\n  - fault: {driver: nobody.csi, call: CreateVolume, code: Internal}\n",
    );
    assert.equal(failure, "fault: There is no driver nobody.csi; the cluster has none");
    const [ofEks = ""] = await failuresOf(
      "profile: eks\nsteps:\n  - driver: {name: nobody.csi, controller: down}\n",
    );
    assert.match(ofEks, /^driver: There is no driver nobody\.csi; there are ebs\.csi\.aws\.com, /);
  });

  test("createJob starts a CronJob's Job before its time, which succeeds when its pods do", async () => {
    const scenario = (spec: string, from: string, expected: string): string => `profile: kind
steps:
  - apply: |
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: backup}
      spec:
        schedule: "0 3 * * *"
        jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, ${spec}}]}}}}
  - createJob: {name: now, from: ${from}}
  - settle: {}
  - expect: [${expected}]
`;
    const ends = "env: [{name: FAKE_EXIT, value: 0@1}]";
    assert.deepEqual(
      await failuresOf(
        scenario("", "cj/backup", "{kind: Job, name: now, readyReplicas: 1, succeeded: 0}"),
      ),
      [],
    );
    assert.deepEqual(
      await failuresOf(scenario(ends, "CronJob/backup", "{kind: Job, name: now, succeeded: 1}")),
      [],
    );
    assert.deepEqual(
      await failuresOf(scenario(ends, "cronjob/weekly", "{kind: Job, name: now, absent: true}")),
      ['createJob: CronJob/default/weekly was refused: cronjobs.batch "weekly" not found'],
    );
  });

  const web = `
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec:
        nodeName: kind-control-plane
        containers: [{name: web, image: web, volumeMounts: [{name: share, mountPath: /s}]}]
        volumes: [{name: share, nfs: {server: nas, path: /}}]
`;

  test("a kubelet goes down on a given pod's node, if it has one", async () => {
    const failures = (pod: string): Promise<readonly string[]> =>
      failuresOf(`profile: kind
steps:
  - apply: |${web}
  - settle: {}
  - node: {of: Pod/${pod}, kubelet: down}
  - advance: 2m
  - expect:
      - {event: NodeNotReady, about: Node/kind-control-plane}
`);
    assert.deepEqual(await failures("web"), []);
    assert.deepEqual(await failures("gone"), [
      "node: Pod/default/gone has not been assigned to a node",
    ]);
  });

  test("a mount is looked for on the named node, if that exists", async () => {
    const failures = await failuresOf(`profile: kind
steps:
  - apply: |${web}
  - settle: {}
  - expect:
      - {node: kind-control-plane, mount: /mnt}
      - {node: elsewhere, mount: /mnt}
`);
    assert.deepEqual(
      failures.map((failure) => failure.replace(/^.*?: \/mnt\}: /, "")),
      ["nothing is mounted at /mnt on kind-control-plane", "there is no node elsewhere"],
    );
  });

  test("a condition of another type does not make an object ready", async () => {
    const [failure] = await failuresOf(`profile: kind
steps:
  - apply: |${web.replace("containers", "readinessGates: [{conditionType: example.com/lit}]\n        containers")}
  - settle: {}
  - expect: [{kind: Pod, name: web, ready: true}]
`);
    assert.match(failure ?? "", /: ready is false, not true/);
  });

  test("faults of all calls of a driver end at once", async () => {
    assert.deepEqual(
      await failuresOf(`profile: eks
steps:
  - fault: {driver: ebs.csi.aws.com, call: CreateVolume, code: Internal, times: 0}
  - fault: {driver: ebs.csi.aws.com, call: ControllerPublishVolume, code: Internal, times: 0}
  - apply: |
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: { name: gp3 }
        provisioner: ebs.csi.aws.com
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: disk }
        spec: { storageClassName: gp3, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
        ---
        apiVersion: v1
        kind: Pod
        metadata: { name: app }
        spec:
          containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /d }] }]
          volumes: [{ name: d, persistentVolumeClaim: { claimName: disk } }]
  - advance: 20s
  - expect: [{kind: PersistentVolumeClaim, name: disk, phase: Pending}]
  - fault: {driver: ebs.csi.aws.com, clear: true}
  - settle: {}
  - expect: [{kind: Pod, name: app, phase: Running}]
`),
      [],
    );
  });

  test("all mistakes of a file are reported at their places, and it is not run", async () => {
    assert.deepEqual(
      await failuresOf(`steps:
  - aply: [claim.yaml]
  - frobnicate: {}
  - constructor: {}
  - toString
  - advance: soon
  - {settle: {}, advance: 1s}
  - node: {kubelet: dwn}
  - delete: [{kind: Volume, name: x}, {kind: PVC, name: x}, {kind: constructor, name: x}]
  - settle
  - fault: {driver: d.csi, call: CreatVolume}
  - fault: {driver: d.csi}
  - fault: {driver: d.csi, call: CreateVolume, code: ResourceExausted}
  - fault: {driver: d.csi, call: CreateVolume, code: RESOURCE_EXHAUSTED}
  - fault: {driver: d.csi, call: CreateVolume, code: Cancelled}
  - createJob: {name: now, from: backup}
  - createJob: {name: now, from: Deployment/web}
  - createJob: {from: cronjobs.batch/backup}
  - expect:
      - {kind: Pod, name: web, phse: Running}
      - {kind: Pod, event: Started}
      - {event: Started}
      - {kind: Pod, phase: Running}
      - {name: web, kind: Pod, event: Started, about: Pod/default/web}
      - {mount: /data, node: node-a, ready: true}
      - Running
`),
      [
        "aply: Unknown key “aply”; did you mean “apply”?",
        "frobnicate: Unknown key “frobnicate”; known are apply, kustomize, helm, delete, patch, scale, createJob, settle, advance, node, cordon, uncordon, drain, driver, fault, expect",
        "constructor: Unknown key “constructor”; known are apply, kustomize, helm, delete, patch, scale, createJob, settle, advance, node, cordon, uncordon, drain, driver, fault, expect",
        "toString: An entry of “steps” must be a mapping",
        "soon: “advance” must be a duration such as 30s, 1m30s or 250ms",
        "{settle: {}, advance: 1s}: A step has one key, which must be one of apply, kustomize, helm, delete, patch, scale, createJob, settle, advance, node, cordon, uncordon, drain, driver, fault, expect",
        "dwn: “kubelet” must be one of up, down, restart; did you mean “down”?",
        "{kubelet: dwn}: One of name, of is needed, and only one",
        "Volume: “kind” must be one that is known here",
        "PVC: “kind” must be one that is known here; did you mean “PersistentVolumeClaim”?",
        "constructor: “kind” must be one that is known here",
        "settle: An entry of “steps” must be a mapping: `settle: {}`",
        `CreatVolume: “call” must be one of ${driverCalls.join(", ")}; did you mean “CreateVolume”?`,
        "{driver: d.csi}: call or clear is needed",
        `ResourceExausted: “code” must be one of ${grpcCodes.join(", ")}; did you mean “ResourceExhausted”?`,
        "backup: “from” must be a CronJob as kubectl names it, such as cronjob/backup; did you mean “cronjob/backup”?",
        "Deployment/web: “from” must be a CronJob as kubectl names it, such as cronjob/backup",
        "{from: cronjobs.batch/backup}: “name” is missing",
        "phse: Unknown key “phse”; did you mean “phase”?",
        "{kind: Pod, event: Started}: “about” is missing beside “event”",
        "kind: “kind” says nothing beside “event”",
        "{event: Started}: “about” is missing beside “event”",
        "{kind: Pod, phase: Running}: One of name, count, event, refused, mount, path is needed, and only one",
        "{name: web, kind: Pod, event: Started, about: Pod/default/web}: One of name, count, event, refused, mount, path is needed, and only one",
        "ready: “ready” says nothing beside “mount”",
        "Running: An entry of “expect” must be a mapping",
      ],
    );
  });

  for (const [what, text, message] of [
    ["an empty file", "", /A scenario must be a mapping/],
    ["a list", "- a\n", /A scenario must be a mapping/],
    ["no steps", "title: x\n", /“steps” is missing/],
    ["half-written YAML", "steps:\n  - apply: [\n", /./],
    ["steps that are text", "steps: apply\n", /“steps” must be a list/],
  ] as const) {
    test(`${what}: reported, not thrown`, async () => {
      const failures = await failuresOf(text);
      assert.equal(failures.length, 1);
      assert.match(failures[0] ?? "", message);
    });
  }

  test("manifests that kubectl cannot read are reported at their step, and are not applied", async () => {
    const files = {
      "broken.yaml": "apiVersion: v1\nkind: [\n",
      "template.yaml": "apiVersion: v1\nkind: {{ .Kind }}\n",
      "empty.yaml": "# nothing\n",
    };
    const messages = async (apply: string): Promise<readonly (string | undefined)[]> => {
      const service = await serviceOf({
        ...files,
        "a.scenario.yaml": `steps:\n  - apply: ${apply}\n`,
      });
      const report = await service.runScenario(memoryUri("a.scenario.yaml"));
      return report?.failures.map(({ message }) => message) ?? [];
    };
    for (const [apply, message] of [
      ["[broken.yaml]", /^broken\.yaml cannot be applied: ./],
      ["[template.yaml]", /^template\.yaml cannot be applied: it is a template$/],
      ["[empty.yaml]", /^empty\.yaml cannot be applied: it holds no object$/],
      ["|\n      kind: [", /^“apply” cannot be applied: ./],
      ["claim.yaml", /^“apply” names files in a list: \[claim\.yaml\]$/],
      [
        "\n      - |\n        kind: Pod\n",
        /^“apply” takes manifests as one text in place of the list/,
      ],
      ["nothing", /^“apply” cannot be applied: it holds no object$/],
    ] as const) {
      const found = await messages(apply);
      assert.equal(found.length, 1, apply);
      assert.match(found[0] ?? "", message);
    }
  });

  test("unsaved edits of the manifests count", async () => {
    const name = "a.scenario.yaml";
    const scenario = `steps:
  - apply: [claim.yaml]
  - expect: [{kind: PersistentVolumeClaim, count: 1}]
`;
    const service = await serviceOf({ "claim.yaml": "", [name]: scenario });
    const before = await service.runScenario(memoryUri(name));
    assert.equal(before?.failures.length, 1);
    service.setEditorText(memoryUri("claim.yaml"), claim);
    const after = await service.runScenario(memoryUri(name));
    assert.deepEqual(after?.failures, []);
  });

  test("a run starts from the cluster that the project imports, unless the scenario names a profile", async () => {
    const steps = "steps:\n  - expect: [{kind: PersistentVolumeClaim, name: data}]\n";
    const service = await serviceOf({
      "claimcheck.yaml": "cluster:\n  import: [cluster.yaml]\n",
      "cluster.yaml": `apiVersion: v1\nkind: List\nitems:\n- ${claim.trim().replaceAll("\n", "\n  ")}\n`,
      "a.scenario.yaml": steps,
      "b.scenario.yaml": `profile: kind\n${steps}`,
    });
    const failureCount = async (name: string): Promise<number | undefined> =>
      (await service.runScenario(memoryUri(name)))?.failures.length;
    assert.equal(await failureCount("a.scenario.yaml"), 0);
    assert.equal(await failureCount("b.scenario.yaml"), 1);
  });

  test("only scenario files are listed and run", async () => {
    const service = await serviceOf({
      "claim.yaml": claim,
      "b/x.scenario.yml": "steps: []\n",
      "a.scenario.yaml": "title: First\nsteps: []\n",
    });
    assert.deepEqual(
      service.scenarioFiles().map(({ uri }) => uri),
      [memoryUri("a.scenario.yaml"), memoryUri("b/x.scenario.yml")],
    );
    assert.equal((await service.runScenario(memoryUri("a.scenario.yaml")))?.title, "First");
    assert.equal(
      (await service.runScenario(memoryUri("b/x.scenario.yml")))?.title,
      "x.scenario.yml",
    );
    assert.equal(await service.runScenario(memoryUri("claim.yaml")), undefined);
  });

  test("durations are read as Go writes them", () => {
    assert.deepEqual(
      ["250ms", "1m30s", "1.5h", 40, "soon", "-1s", "1", "1s2", -3].map(durationMs),
      [250, 90_000, 5_400_000, 40, undefined, undefined, undefined, undefined, undefined],
    );
  });

  test("the JSON schema matches the reader", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "https://github.com/claimcheck/claimcheck/schemas/scenario.schema.json",
      title: "*.scenario.yaml",
      description: "Steps that somebody takes on a cluster, and what is expected after them.",
      ...schemaOf(scenarioShape),
    };
    const path = join(import.meta.dirname, "../../../schemas/scenario.schema.json");
    if (process.env["UPDATE_GOLDEN"] === "1")
      writeFileSync(path, JSON.stringify(schema, undefined, 2));
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), schema);
  });
});
