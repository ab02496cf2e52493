/** The causal chain: the objects between a symptom and its cause. */
import assert from "node:assert/strict";
import type { Ref } from "../../../src/engine/api/meta.ts";
import { causalChain } from "../../../src/engine/explain/causal-chain.ts";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { assumedRun } from "../../support/assumed-run.ts";
import { dedent } from "../../support/markers.ts";

function factsOf(yaml: string, profile = "bare-metal", ...more: readonly Step[]): RunFacts {
  return new RunFacts(assumedRun(yaml, profile, more).run());
}

/** Expects one line for each step: object, state and text. Generated names are written as `<made>`. */
function expectChain(facts: RunFacts, ref: Ref, expected: string): void {
  const lines = causalChain(facts, ref).map((step) => `${step.ref} ${step.state}: ${step.text}`);
  const text = lines.join("\n").replaceAll(/(pvc|csi)-[0-9a-f-]{36,}/g, "<made>");
  assert.equal(text, dedent(expected).trim());
}

const claim = (className: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 10Gi}}
  storageClassName: ${className}
---`;

const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: manual
  nfs: {server: s, path: /p}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [metal-2]}]}]}}
---`;

const pod = (claimName = "data"): string => `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: ${claimName}}}]
---`;

const storageClass = (provisioner: string, more = ""): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: ${provisioner}
${more}
---`;

const statefulSet = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
---`;

suite("causal chain", () => {
  test("of a pod leads through its claim and the claim's volume to its node", () => {
    const facts = factsOf(volume + claim("manual") + pod());
    expectChain(
      facts,
      "Pod/default/web",
      `
      Pod/default/web right: runs on metal-2
      PersistentVolumeClaim/default/data right: is bound to volume "pv" of 10Gi
      PersistentVolume//pv right: is bound to claim default/data (10Gi, ReadWriteOnce, Filesystem, reachable where kubernetes.io/hostname in (metal-2))
      Node//metal-2 right: is ready
      `,
    );
    expectChain(
      facts,
      "PersistentVolume//pv",
      `
      PersistentVolume//pv right: is bound to claim default/data (10Gi, ReadWriteOnce, Filesystem, reachable where kubernetes.io/hostname in (metal-2))
      PersistentVolumeClaim/default/data right: is bound to volume "pv" of 10Gi
      `,
    );
  });

  test("of a provisioned volume also has the class, the driver and the attachment", () => {
    expectChain(
      factsOf(storageClass("csi.example.com") + claim("fast") + pod()),
      "Pod/default/web",
      `
      Pod/default/web right: runs on metal-1
      PersistentVolumeClaim/default/data right: is bound to volume "<made>" of 10Gi
      StorageClass//fast right: has provisioner csi.example.com, Immediate, Delete
      PersistentVolume//<made> right: is bound to claim default/data (10Gi, ReadWriteOnce, Filesystem)
      CSIDriver//csi.example.com right: is registered on 3 of 3 nodes
      VolumeAttachment//<made> right: <made> is attached to metal-1
      Node//metal-1 right: is ready
      `,
    );
  });

  test("of a pod with two claims has their class once, and no volume of another pod", () => {
    const named = (name: string): string => claim("fast").replace("name: data", `name: ${name}`);
    const both = pod("one").replace(
      "volumes: [",
      "volumes: [{name: two, persistentVolumeClaim: {claimName: two}}, ",
    );
    const other = pod("three").replace("name: web", "name: other");
    const facts = factsOf(
      storageClass("csi.example.com") + named("one") + named("two") + named("three") + both + other,
    );
    const kinds = causalChain(facts, "Pod/default/web").map(({ ref }) => ref.split("/")[0]);
    assert.deepEqual(kinds, [
      "Pod",
      "PersistentVolumeClaim",
      "StorageClass",
      "PersistentVolume",
      "CSIDriver",
      "PersistentVolumeClaim",
      "PersistentVolume",
      "VolumeAttachment",
      "VolumeAttachment",
      "Node",
    ]);
  });

  test("of a volume has its class and its driver", () => {
    const facts = factsOf(storageClass("csi.example.com") + claim("fast"));
    const [name = ""] = facts.list("PersistentVolume").map(({ metadata }) => metadata.name);
    expectChain(
      facts,
      `PersistentVolume//${name}`,
      `
      PersistentVolume//<made> right: is bound to claim default/data (10Gi, ReadWriteOnce, Filesystem)
      PersistentVolumeClaim/default/data right: is bound to volume "<made>" of 10Gi
      StorageClass//fast right: has provisioner csi.example.com, Immediate, Delete
      CSIDriver//csi.example.com right: is registered on 3 of 3 nodes
      `,
    );
  });

  test("knows a provisioner without node plugins by its events", () => {
    const waiting = "volumeBindingMode: WaitForFirstConsumer";
    const local = storageClass("rancher.io/local-path", waiting);
    const [, driver] = causalChain(
      factsOf(local + claim("fast") + pod(), "k3s"),
      "StorageClass//fast",
    );
    assert.deepEqual(
      [driver?.state, driver?.text],
      ["right", "works for claims, and needs no node plugin"],
    );
  });

  test("does not call such a provisioner missing before it has done anything", () => {
    const waiting = "volumeBindingMode: WaitForFirstConsumer";
    const local = storageClass("rancher.io/local-path", waiting);
    const steps = causalChain(
      factsOf(local + claim("fast"), "k3s"),
      "PersistentVolumeClaim/default/data",
    );
    assert.deepEqual(
      steps
        .filter(({ ref }) => ref.startsWith("CSIDriver/"))
        .map(({ state, text }) => [state, text]),
      [["open", "makes volumes, but is no CSI driver"]],
    );
  });

  test("of a claim that waits for its pod ends with that pod", () => {
    const facts = factsOf(
      storageClass(
        "kubernetes.io/no-provisioner",
        "volumeBindingMode: WaitForFirstConsumer\nreclaimPolicy: Retain",
      ) +
        claim("fast") +
        pod(),
    );
    expectChain(
      facts,
      "PersistentVolumeClaim/default/data",
      `
      PersistentVolumeClaim/default/data wrong: stays Pending: pod "web" cannot be scheduled
      StorageClass//fast right: has provisioner kubernetes.io/no-provisioner, which makes no volumes, WaitForFirstConsumer, Retain
      Pod/default/web wrong: stays Pending: claim "data" gets no volume on any node: there is no volume of class "fast", and class "fast" provisions none
      `,
    );
  });

  test("ends at the volume that would fit, if the volume is to blame", () => {
    const lost = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec:
  storageClassName: fast
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  local: {path: /mnt}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [r9]}]}]}}
---`;
    const waiting = "volumeBindingMode: WaitForFirstConsumer";
    const local = storageClass("kubernetes.io/no-provisioner", waiting);
    const steps = causalChain(factsOf(local + claim("fast") + lost + pod()), "Pod/default/web");
    assert.deepEqual(steps.at(-1), {
      ref: "PersistentVolume//pv",
      state: "wrong",
      text: "fits, and is reachable where rack in (r9)",
    });
  });

  test("ends at a missing class or claim", () => {
    expectChain(
      factsOf(claim("fast")),
      "PersistentVolumeClaim/default/data",
      `
      PersistentVolumeClaim/default/data wrong: stays Pending: class "fast" does not exist
      StorageClass//fast wrong: does not exist
      `,
    );
    expectChain(
      factsOf(pod("none")),
      "Pod/default/web",
      `
      Pod/default/web wrong: stays Pending: its claim "none" does not exist
      PersistentVolumeClaim/default/none wrong: does not exist
      `,
    );
  });

  test("says that a class is refused if the API server refuses it", () => {
    const broken = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: d.csi
reclaimPolicy: Keep
---`;
    expectChain(
      factsOf(broken + claim("fast")),
      "PersistentVolumeClaim/default/data",
      `
      PersistentVolumeClaim/default/data wrong: stays Pending: class "fast" does not exist: the API server refuses it
      StorageClass//fast wrong: is refused by the API server
    `,
    );
  });

  test("does not call a class missing if only static volumes carry its name", () => {
    const large = claim("manual").replace("10Gi", "20Gi");
    const [, step] = causalChain(factsOf(volume + large), "PersistentVolumeClaim/default/data");
    assert.deepEqual(
      [step?.ref, step?.state, step?.text],
      ["StorageClass//manual", "right", "is a name that volumes made by hand carry, no class"],
    );
  });

  test("of a workload follows the first pod that does not run, else the first", () => {
    expectChain(
      factsOf(storageClass("kubernetes.io/other") + statefulSet),
      "StatefulSet/default/db",
      `
      StatefulSet/default/db wrong: has 0 of 2 pods ready
      Pod/default/db-0 wrong: stays Pending: claim "data-db-0" stays Pending: no volume fits, and class "fast" cannot provision one
      PersistentVolumeClaim/default/data-db-0 wrong: stays Pending: no volume fits, and class "fast" cannot provision one
      StorageClass//fast wrong: has provisioner kubernetes.io/other, which makes no volumes, Immediate, Delete
      `,
    );
    const running = factsOf(storageClass("csi.example.com") + statefulSet);
    assert.deepEqual(
      causalChain(running, "StatefulSet/default/db")
        .slice(0, 2)
        .map(({ ref, state }) => `${ref} ${state}`),
      ["StatefulSet/default/db right", "Pod/default/db-0 right"],
    );
  });

  test("says that a node does not answer, with the message of its condition", () => {
    const facts = factsOf(
      volume + claim("manual") + pod(),
      "bare-metal",
      { type: "node", name: "metal-2", kubelet: "down" },
      { type: "advance", ms: 60_000 },
    );
    const step = causalChain(facts, "Node//metal-2")[0];
    assert.deepEqual(
      [step?.state, step?.text, step?.message],
      ["wrong", "does not answer", "Kubelet stopped posting node status."],
    );
  });

  test("of an object that is not in the cluster is empty", () => {
    expectChain(factsOf(pod()), "Pod/default/none", "");
  });
});
