import assert from "node:assert/strict";
import {
  createLanguageService,
  type LanguageService,
} from "../../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder } from "../../../support/memory-workspace.ts";

/** A service that parts whatever may be parted. */
async function serviceOf(files: Readonly<Record<string, string>>): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map(Object.entries(files))),
    pause: () => Promise.resolve(),
    smallEnvironment: 0,
  });
  await service.loadFolders([memoryFolder]);
  for (const environment of service.environments()) await service.predict(environment);
  return service;
}

function pod(name: string, rest: string): string {
  return `---
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  containers: [{ name: c, image: nginx, ${rest} }]
`;
}

function verdictsOf(service: LanguageService): readonly string[] {
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  return (service.prediction(environment)?.verdicts ?? []).map(({ ref, kind }) => `${ref} ${kind}`);
}

const onKind = { "claimcheck.yaml": "profile: kind\n" };

async function partCount(text: string): Promise<number | undefined> {
  const service = await serviceOf({ ...onKind, "pods.yaml": text });
  return service.status().islands[0]?.count;
}

suite("parting an environment", () => {
  test("pods that fill a node together are judged together, so that one finds no room", async () => {
    const large = "resources: { requests: { cpu: 3 } }";
    const pods = ["a", "b", "c"].map((name) => pod(name, large)).join("");
    const service = await serviceOf({ ...onKind, "pods.yaml": pods });
    const stuck = verdictsOf(service).filter((text) => !text.endsWith(" healthy"));
    assert.equal(stuck.length, 1);
  });

  test("pods that fill a node with what their runtime class adds are judged together", async () => {
    const half = "resources: { requests: { cpu: 2 } }";
    const pods = ["a", "b", "c"].map((name) => `${pod(name, half)}  runtimeClassName: sandboxed\n`);
    const runtimeClass = `---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: sandboxed }
handler: runsc
overhead: { podFixed: { cpu: 1 } }
`;
    const service = await serviceOf({ ...onKind, "pods.yaml": pods.join("") + runtimeClass });
    const stuck = verdictsOf(service).filter((text) => !text.endsWith(" healthy"));
    assert.equal(stuck.length, 1);
  });

  test("a CronJob is judged with all others where the pods of one of its Jobs may fill a node", async () => {
    const cronJob = (parallelism: number): string => `---
apiVersion: batch/v1
kind: CronJob
metadata: { name: jobs }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      parallelism: ${parallelism}
      template:
        spec:
          restartPolicy: Never
          containers: [{ name: c, image: nginx, resources: { requests: { cpu: 1 } } }]
`;
    const other = pod("a", "command: [sleep]");
    assert.deepEqual(
      [await partCount(cronJob(1) + other), await partCount(cronJob(9) + other)],
      [2, 1],
    );
  });

  const other = pod("a", "command: [sleep]");
  const avoiding = (selector: string): string => `${pod("b", "command: [sleep]")}  affinity:
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - { topologyKey: kubernetes.io/hostname, labelSelector: ${selector} }
`;
  const spread = (
    selector: string,
  ): string => `${pod("b", "command: [sleep]")}  topologySpreadConstraints:
    - { maxSkew: 1, whenUnsatisfiable: DoNotSchedule, topologyKey: kubernetes.io/hostname, labelSelector: ${selector} }
`;
  const withDisk = (name: string, disk: string): string =>
    `${pod(name, "command: [sleep]")}  volumes: [{ name: v, gcePersistentDisk: { pdName: ${disk} } }]\n`;
  const withPort = (name: string, port: number): string =>
    pod(name, `ports: [{ containerPort: 80, hostPort: ${port} }]`);
  for (const [what, apart, together] of [
    [
      "of which one avoids all others",
      other + avoiding("{ matchLabels: { app: mine } }"),
      other + avoiding("{ matchExpressions: [{ key: app, operator: DoesNotExist }] }"),
    ],
    [
      "of which one is spread with all others",
      other + spread("{ matchLabels: { app: mine } }"),
      other + spread("{}"),
    ],
    [
      "that name one disk",
      withDisk("a", "one") + withDisk("b", "other"),
      withDisk("a", "one") + withDisk("b", "one"),
    ],
    [
      "that want one port of their node",
      withPort("a", 8080) + withPort("b", 8081),
      withPort("a", 8080) + withPort("b", 8080),
    ],
  ] as const)
    test(`pods ${what} are judged together`, async () => {
      assert.deepEqual([await partCount(apart), await partCount(together)], [2, 1]);
    });

  test("a DaemonSet that is judged by itself still has a pod on each node", async () => {
    const nodes = [1, 2, 3, 4, 5].map(
      (count) => `---
apiVersion: v1
kind: Node
metadata: { name: node-${count} }
`,
    );
    const daemons = `---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: daemons }
spec:
  selector: { matchLabels: { app: daemons } }
  template:
    metadata: { labels: { app: daemons } }
    spec: { containers: [{ name: c, image: nginx }] }
`;
    const service = await serviceOf({ "all.yaml": nodes.join("") + daemons + other });
    const pods = verdictsOf(service).filter((text) => text.startsWith("Pod/default/daemons-"));
    assert.equal(pods.length, 5);
  });

  test("more volumes than a node takes are judged together, so that one is not attached", async () => {
    const names = Array.from({ length: 3 }, (_, index) => `p${index}`);
    const claims = names.map(
      (name) => `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
${pod(name, "volumeMounts: [{ name: v, mountPath: /v }]").trimEnd()}
  volumes: [{ name: v, persistentVolumeClaim: { claimName: ${name} } }]
`,
    );
    const cluster = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: disks }
provisioner: disks.example.com
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: { name: one }
spec: { drivers: [{ name: disks.example.com, nodeID: one, topologyKeys: [], allocatable: { count: 2 } }] }
---
apiVersion: v1
kind: Node
metadata: { name: one }
`;
    const files = { "pods.yaml": claims.join(""), "cluster.yaml": cluster };
    const pods = verdictsOf(await serviceOf(files)).filter((text) => text.startsWith("Pod/"));
    assert.equal(pods.filter((text) => text.endsWith(" healthy")).length, 2);
  });

  test("each part goes by the configuration of the provisioner that makes its volume", async () => {
    const claimed = ["a", "b"].map(
      (name) => `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { storageClassName: standard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
${pod(name, "volumeMounts: [{ name: v, mountPath: /v }]").trimEnd()}
  volumes: [{ name: v, persistentVolumeClaim: { claimName: ${name} } }]
`,
    );
    const config = `apiVersion: v1
kind: ConfigMap
metadata: { name: local-path-config, namespace: local-path-storage }
data: { config.json: '{ "nodePathMap": [{ "node": "other", "paths": ["/data"] }] }' }
`;
    const service = await serviceOf({
      ...onKind,
      "config.yaml": config,
      "claims.yaml": claimed.join(""),
    });
    const fails = verdictsOf(service).filter((text) =>
      /^PersistentVolumeClaim.* fails$/.test(text),
    );
    assert.equal(fails.length, 2);
  });
});
