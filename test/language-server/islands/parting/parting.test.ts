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
    const partCount = async (parallelism: number): Promise<number | undefined> => {
      const text = cronJob(parallelism) + pod("a", "command: [sleep]");
      const service = await serviceOf({ ...onKind, "pods.yaml": text });
      return service.status().islands[0]?.count;
    };
    assert.deepEqual([await partCount(1), await partCount(9)], [2, 1]);
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
