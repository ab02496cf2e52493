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

  test("pods that fill a node with their runtime class's overhead are judged together", async () => {
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

  test("a CronJob is judged with all other objects if the pods of one of its Jobs may fill a node", async () => {
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
  const onHost = (name: string, port: number): string =>
    `${pod(name, `ports: [{ containerPort: ${port} }]`)}  hostNetwork: true\n`;
  const statefulSet = (volumes: string): string => `---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db-1 }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: c, image: nginx }], volumes: ${volumes} }
`;
  const ephemeral = (metadata: string): string =>
    `ephemeral: { volumeClaimTemplate: { ${metadata}spec: { storageClassName: other, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } }`;
  const claim = (name: string, className = "none"): string => `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
  const annotatedVolume = (className: string): string => `---
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk, annotations: { volume.beta.kubernetes.io/storage-class: ${className} } }
spec: { storageClassName: x, accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, nfs: { server: s, path: /p } }
`;
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
    [
      "that listen at one port of their node's network",
      onHost("a", 80) + onHost("b", 81),
      onHost("a", 80) + onHost("b", 80),
    ],
    [
      "of which one is called as a StatefulSet's",
      statefulSet("[]") + pod("db-0", "command: [sleep]"),
      statefulSet("[]") + pod("db-1-0", "command: [sleep]"),
    ],
    [
      "of a StatefulSet and a claim that is called as that of an ephemeral volume",
      statefulSet(`[{ name: 0-cache, ${ephemeral("")} }]`) + claim("db-1-cache"),
      statefulSet(`[{ name: 0-cache, ${ephemeral("")} }]`) + claim("db-1-0-0-cache"),
    ],
  ] as const)
    test(`pods ${what} are judged together`, async () => {
      assert.deepEqual([await partCount(apart), await partCount(together)], [2, 1]);
    });

  test("a claim is judged together with a volume whose class an annotation names", async () => {
    const counts = ["x", "gold"].map((name) =>
      partCount(annotatedVolume("gold") + claim("c", name)),
    );
    assert.deepEqual(await Promise.all(counts), [2, 1]);
  });

  test("a part knows the class that an annotation names for an ephemeral volume's claim", async () => {
    const storageClass = `---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: gold }
provisioner: rancher.io/local-path
volumeBindingMode: WaitForFirstConsumer
`;
    const annotated = ephemeral(
      "metadata: { annotations: { volume.beta.kubernetes.io/storage-class: gold } }, ",
    );
    const pods = `${pod("p", "command: [sleep]")}  volumes: [{ name: v, ${annotated} }]\n`;
    const service = await serviceOf({ ...onKind, "pods.yaml": pods + storageClass + other });
    const claims = verdictsOf(service).filter((text) => text.startsWith("PersistentVolumeClaim/"));
    assert.deepEqual(claims, ["PersistentVolumeClaim/default/p-v healthy"]);
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

  test("more volumes than a node can attach are judged together, so that one is not attached", async () => {
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

  test("each part knows the Secrets that the default class names", async () => {
    const cluster = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: shares, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
provisioner: smb.csi.k8s.io
parameters:
  source: //files.example.com/data
  csi.storage.k8s.io/node-stage-secret-name: login
  csi.storage.k8s.io/node-stage-secret-namespace: default
---
apiVersion: v1
kind: Secret
metadata: { name: login }
stringData: { username: web, password: secret }
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: smb.csi.k8s.io }
spec: { attachRequired: false }
`;
    const pods = `${claim("data", "shares")}${pod("web", "volumeMounts: [{ name: v, mountPath: /v }]").trimEnd()}
  volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;
    const verdicts = verdictsOf(await serviceOf({ "cluster.yaml": cluster, "pods.yaml": pods }));
    assert.ok(verdicts.includes("Pod/default/web healthy"));
  });

  test("each part respects the configuration of the provisioner that makes its volume", async () => {
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
