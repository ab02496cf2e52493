/** Upstream: sig-storage-lib-external-provisioner v11, rancher/local-path-provisioner, openebs/dynamic-localpv-provisioner. */
import assert from "node:assert/strict";
import type { Verdict } from "../../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../../src/engine/explain/verdicts.ts";
import { nodeAffinityText } from "../../../../src/engine/matching/node-affinity.ts";
import type { PathProvisioner } from "../../../../src/engine/scenario.ts";
import { testWithFaults } from "../../../support/same-end.ts";
import { StorageRun, twoNodes } from "../../../support/storage-run.ts";

const about = "PersistentVolumeClaim/default/data";
const claim = (spec = "", annotations = ""): string => `
  kind: PersistentVolumeClaim
  metadata: { name: data, annotations: { ${annotations} } }
  spec: { storageClassName: local-path, ${spec} }
`;
const pod = (use = "volumeMounts: [{ name: v, mountPath: /v }]"): string => `
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, ${use} }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;
const cluster = (more: Partial<PathProvisioner> = {}): StorageRun =>
  new StorageRun({
    pathProvisioners: [{ name: "rancher.io/local-path", type: "local-path", ...more }],
  })
    .apply(`
      kind: StorageClass
      metadata: { name: local-path }
      provisioner: rancher.io/local-path
      volumeBindingMode: WaitForFirstConsumer
    `)
    .mark();
const said = (run: StorageRun): readonly string[] =>
  run.events(about).filter((line) => line.includes("Provisioning"));
const phase = (run: StorageRun): string | undefined =>
  run.get("PersistentVolumeClaim", "data")?.status?.phase;
const verdict = (run: StorageRun): Verdict | undefined =>
  verdicts(run.simulation.trace).find(({ ref }) => ref === about);

suite("path provisioners", () => {
  testWithFaults("a volume on the pod's node, without a finalizer, goes after its claim", () => {
    const run = cluster().apply(claim()).apply(pod()).settle();
    const [volume] = run.list("PersistentVolume");
    assert.equal(phase(run), "Bound");
    assert.deepEqual(
      said(run).filter((line) => !line.includes("ExternalProvisioning")),
      [
        'Normal Provisioning External provisioner is provisioning volume for claim "default/data"',
        "Normal ProvisioningSucceeded Successfully provisioned volume pvc-<uid PersistentVolumeClaim/default/data>",
      ],
    );
    assert.deepEqual(volume?.metadata.finalizers, ["kubernetes.io/pv-protection"]);
    assert.equal(volume.metadata.annotations?.["local.path.provisioner/selected-node"], "n1");
    assert.match(volume.spec.hostPath?.path ?? "", /^\/opt\/local-path-provisioner\/pvc-/);
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.list("PersistentVolume"), []);
  });

  testWithFaults("a claim with a shared access mode is refused at each attempt", () => {
    const run = cluster().apply(claim("accessModes: [ReadWriteMany]")).apply(pod()).advance(40);
    assert.deepEqual(said(run).slice(-1), [
      'Warning ProvisioningFailed failed to provision volume with StorageClass "local-path": NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes',
    ]);
    assert.equal(run.eventCount(about, "ProvisioningFailed"), 2);
    const { kind, root, withinMs = 0 } = verdict(run) ?? {};
    assert.deepEqual([kind, root?.field], ["fails", "spec.accessModes"]);
    assert.ok(withinMs > 0 && withinMs <= 30_000);
  });

  testWithFaults("a Block claim is refused without an attempt", () => {
    const run = cluster()
      .apply(claim("volumeMode: Block"))
      .apply(pod("volumeDevices: [{ name: v, devicePath: /dev/v }]"))
      .advance(60);
    assert.deepEqual(
      said(run).filter((line) => !line.includes("ExternalProvisioning")),
      [
        "Warning ProvisioningFailed rancher.io/local-path does not support block volume provisioning",
      ],
    );
    const { kind, root } = verdict(run) ?? {};
    assert.deepEqual([kind, root?.field], ["stuck", "spec.volumeMode"]);
  });

  testWithFaults("a claim for a deleted node goes back to the scheduler", () => {
    const run = cluster().apply(claim("", "volume.kubernetes.io/selected-node: gone")).advance(5);
    assert.ok(said(run).includes('Warning ProvisioningFailed nodes "gone" not found'));
    assert.equal(phase(run), "Pending");
    run.apply(pod()).settle();
    assert.equal(phase(run), "Bound");
  });

  testWithFaults("a node whose kubelet is down gets no directory until it is up again", () => {
    const run = cluster()
      .step({ type: "node", name: "n1", kubelet: "down" })
      .apply(claim("", "volume.kubernetes.io/selected-node: n1"))
      .advance(125);
    const volume = "pvc-<uid PersistentVolumeClaim/default/data>";
    assert.deepEqual(said(run).slice(-1), [
      `Warning ProvisioningFailed failed to provision volume with StorageClass "local-path": failed to create volume ${volume}: create process timeout after 120 seconds`,
    ]);
    assert.deepEqual(run.list("PersistentVolume"), []);
    run.step({ type: "node", name: "n1", kubelet: "up" }).advance(60);
    assert.equal(phase(run), "Bound");
  });

  testWithFaults("a volume's directory is not removed while its node is down", () => {
    const run = cluster().apply(claim()).apply(pod()).settle();
    run.delete("Pod", "web").settle();
    run.step({ type: "node", name: "n1", kubelet: "down" });
    run.delete("PersistentVolumeClaim", "data").advance(125);
    const [volume] = run.list("PersistentVolume");
    assert.equal(volume?.status?.phase, "Released");
    const ref = `PersistentVolume//${volume.metadata.name}`;
    const failed = `failed to delete volume ${volume.metadata.name}`;
    assert.deepEqual(
      verdicts(run.simulation.trace).find((found) => found.ref === ref)?.message,
      `${failed}: ${failed}: create process timeout after 120 seconds`,
    );
    run.step({ type: "node", name: "n1", kubelet: "up" }).advance(60);
    assert.deepEqual(run.list("PersistentVolume"), []);
  });

  test("volumes with Retain and those of other provisioners stay", () => {
    const run = new StorageRun({
      pathProvisioners: [{ name: "rancher.io/local-path", type: "local-path" }],
    }).apply(`
      kind: StorageClass
      metadata: { name: local-path }
      provisioner: rancher.io/local-path
      reclaimPolicy: Retain
      volumeBindingMode: WaitForFirstConsumer
      ---
      kind: PersistentVolume
      metadata: { name: theirs, annotations: { pv.kubernetes.io/provisioned-by: example.com/path } }
      spec: { persistentVolumeReclaimPolicy: Delete, storageClassName: theirs }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: theirs }
      spec: { storageClassName: theirs }
    `);
    run.apply(claim()).apply(pod()).settle();
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data");
    run.delete("PersistentVolumeClaim", "theirs").settle();
    assert.deepEqual(
      run.list("PersistentVolume").map(({ status }) => status?.phase),
      ["Released", "Released"],
    );
  });

  testWithFaults("a deleted node has nothing left to remove", () => {
    const run = cluster().apply(claim()).apply(pod()).settle();
    run.delete("Pod", "web").settle();
    run.delete("Node", "n1").delete("PersistentVolumeClaim", "data").advance(10);
    assert.deepEqual(run.list("PersistentVolume"), []);
  });
});

suite("local-path's ConfigMap", () => {
  const config = (json: string): string => `
    kind: ConfigMap
    metadata: { name: local-path-config }
    data: { config.json: '${json}' }
  `;
  const paths = (node: string): string =>
    config(`{ "nodePathMap": [{ "node": "${node}", "paths": ["/data"] }] }`);
  const found = (run: StorageRun): readonly unknown[] => {
    const { kind, root, headline } = verdict(run) ?? {};
    return [kind, root?.ref, root?.field, headline];
  };

  testWithFaults("decides where volumes are, and is blamed if it names no place", () => {
    const run = cluster().apply(paths("n7")).apply(claim()).apply(pod()).advance(5);
    assert.deepEqual(said(run).slice(-1), [
      `Warning ProvisioningFailed failed to provision volume with StorageClass "local-path": config doesn't contain node n1, and no DEFAULT_PATH_FOR_NON_LISTED_NODES available`,
    ]);
    assert.deepEqual(found(run), [
      "fails",
      "ConfigMap/default/local-path-config",
      "data[config.json]",
      "stays Pending: rancher.io/local-path cannot provision its volume: its configuration names neither that node nor a path for all others",
    ]);
    run.apply(paths("n1")).advance(60);
    assert.equal(phase(run), "Bound");
    assert.match(run.list("PersistentVolume")[0]?.spec.hostPath?.path ?? "", /^\/data\/pvc-/);
  });

  test("is not needed if the cluster's own path is known", () => {
    const run = cluster({ path: "/srv" }).apply(claim()).apply(pod()).settle();
    assert.match(run.list("PersistentVolume")[0]?.spec.hostPath?.path ?? "", /^\/srv\/pvc-/);
  });

  testWithFaults("keeps the provisioner from starting while it is invalid", () => {
    const run = cluster().apply(config('{ node": 1 }')).apply(claim()).apply(pod()).advance(30);
    assert.deepEqual(run.eventCount(about, "Provisioning"), 0);
    assert.deepEqual(found(run), [
      "stuck",
      "ConfigMap/default/local-path-config",
      "data[config.json]",
      "stays Pending: the provisioner rancher.io/local-path does not start: fail to load config file /etc/config/config.json: invalid character 'n' looking for beginning of object key string",
    ]);
    run.apply(paths("n1")).advance(60);
    assert.equal(phase(run), "Bound");
  });

  test("that becomes invalid later changes nothing for the running provisioner", () => {
    const run = cluster()
      .apply(paths("n1"))
      .apply(config("[]"))
      .apply(claim())
      .apply(pod())
      .settle();
    assert.equal(phase(run), "Bound");
  });

  testWithFaults(
    "can name a directory that all nodes share; it is created and removed on any of them",
    () => {
      const run = new StorageRun({
        nodes: twoNodes,
        pathProvisioners: [{ name: "rancher.io/local-path", type: "local-path" }],
      }).apply(`
      kind: StorageClass
      metadata: { name: local-path }
      provisioner: rancher.io/local-path
    `);
      run.apply(config('{ "sharedFileSystemPath": "/shared" }'));
      run.apply(claim("accessModes: [ReadWriteMany]"));
      for (const node of ["n1", "n2"])
        run.apply(
          pod()
            .replace("name: web", `name: ${node}`)
            .replace("spec:", `spec:\n    nodeName: ${node}`),
        );
      run.settle();
      const running = run.list("Pod").map(({ status }) => status?.phase);
      assert.deepEqual(running, ["Running", "Running"]);
      run.delete("Pod", "n1").delete("Pod", "n2").delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual(run.list("PersistentVolume"), []);
      for (const { files } of run.simulation.runtime.machines.values())
        assert.deepEqual(files.below("/shared"), []);
    },
  );

  test("with a shared directory allows no local volumes, which must be on a node", () => {
    const run = cluster().apply(config('{ "sharedFileSystemPath": "/shared" }'));
    run.apply(claim("", "volumeType: local")).apply(pod()).advance(45);
    const volume = "pvc-<uid PersistentVolumeClaim/default/data>";
    assert.deepEqual(said(run).slice(-1), [
      `Warning ProvisioningFailed Error creating provisioned PV object for claim default/data: PersistentVolume "${volume}" is invalid: spec.nodeAffinity: Required value: Local volume requires node affinity. Deleting the volume.`,
    ]);
    assert.deepEqual(found(run), [
      "fails",
      about,
      "metadata.annotations[volumeType]",
      "stays Pending: rancher.io/local-path cannot provision its volume: all nodes share its directory, and a local volume is one node's",
    ]);
    run.advance(2);
    const { files } = run.simulation.runtime.machines.get("n1") ?? {};
    assert.deepEqual(files?.below("/shared"), []);
  });

  testWithFaults("that changes to single nodes no longer removes shared directories", () => {
    const run = cluster().apply(config('{ "sharedFileSystemPath": "/shared" }'));
    run.apply(claim()).apply(pod()).settle();
    run.delete("Pod", "web").apply(paths("n1")).settle();
    run.delete("PersistentVolumeClaim", "data").advance(5);
    const name = run.list("PersistentVolume")[0]?.metadata.name;
    const failed = `failed to delete volume ${name}`;
    const message = verdicts(run.simulation.trace).find(({ ref }) =>
      ref.startsWith("PersistentVolume/"),
    )?.message;
    assert.equal(message, `${failed}: ${failed}: no NodeAffinity set`);
  });
});

suite("OpenEBS's local host paths", () => {
  const openEbs = (binding = "WaitForFirstConsumer"): StorageRun =>
    new StorageRun({ pathProvisioners: [{ name: "openebs.io/local", type: "openebs-local" }] })
      .apply(`
        kind: StorageClass
        metadata: { name: local-path }
        provisioner: openebs.io/local
        volumeBindingMode: ${binding}
      `)
      .mark();

  testWithFaults("are created on the pod's node, and mounted from there", () => {
    const run = openEbs().apply(claim()).apply(pod()).settle();
    const [volume] = run.list("PersistentVolume");
    assert.equal(volume?.spec.local?.path, `/var/openebs/local/${volume?.metadata.name}`);
    assert.equal(run.get("Pod", "web")?.status?.phase, "Running");
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.list("PersistentVolume"), []);
    const { files } = run.simulation.runtime.machines.get("n1") ?? {};
    assert.deepEqual(files?.below("/var/openebs/local"), []);
  });

  testWithFaults(
    "are found by their node labels when they are deleted, so they stay if no node has these",
    () => {
      const run = openEbs().apply(claim()).apply(pod()).settle();
      run.delete("Pod", "web").settle();
      run.delete("Node", "n1").delete("PersistentVolumeClaim", "data").advance(10);
      const [volume] = run.list("PersistentVolume");
      const failed = `failed to delete volume ${volume?.metadata.name}`;
      const found = verdicts(run.simulation.trace).find(({ ref }) =>
        ref.startsWith("PersistentVolume/"),
      );
      assert.deepEqual(
        [found?.kind, found?.message],
        [
          "fails",
          `${failed}: ${failed}: Unable to get the Node with the Node Labels {map[kubernetes.io/hostname:n1]}`,
        ],
      );
    },
  );

  test("stay if several nodes have the labels of theirs", () => {
    const run = openEbs().apply(claim()).apply(pod()).settle();
    run.delete("Pod", "web").settle();
    run
      .apply(`
        kind: Node
        metadata: { name: n2, labels: { kubernetes.io/hostname: n1 } }
      `)
      .delete("PersistentVolumeClaim", "data")
      .advance(10);
    const [volume] = run.list("PersistentVolume");
    const failed = `failed to delete volume ${volume?.metadata.name}`;
    const found = verdicts(run.simulation.trace).find(({ ref }) =>
      ref.startsWith("PersistentVolume/"),
    );
    assert.equal(
      found?.message,
      `${failed}: ${failed}: Unable to determine the Node. Found multiple nodes matching the labels {map[kubernetes.io/hostname:n1]}`,
    );
  });

  testWithFaults("need a pod that selects the node, and so WaitForFirstConsumer", () => {
    const run = openEbs("Immediate").apply(claim()).advance(10);
    const { kind, root } = verdict(run) ?? {};
    assert.deepEqual(
      [kind, root?.ref, root?.field],
      ["fails", "StorageClass//local-path", "volumeBindingMode"],
    );
  });
});

suite("host paths of MicroK8s", () => {
  const microk8s = (mode: string): StorageRun =>
    new StorageRun({
      pathProvisioners: [{ name: "microk8s.io/hostpath", type: "microk8s-hostpath" }],
    })
      .apply(`
        kind: StorageClass
        metadata: { name: local-path }
        provisioner: microk8s.io/hostpath
        volumeBindingMode: ${mode}
        parameters: { pvDir: /data/ }
      `)
      .mark();

  testWithFaults(
    "a shared volume is a directory of the pod's node, and goes after its claim",
    () => {
      const run = microk8s("WaitForFirstConsumer");
      run.apply(claim("accessModes: [ReadWriteMany]")).apply(pod()).settle();
      const [volume] = run.list("PersistentVolume");
      assert.equal(phase(run), "Bound");
      assert.deepEqual(volume?.spec.hostPath, {
        path: `/data/default-data-${volume?.metadata.name}`,
        type: "DirectoryOrCreate",
      });
      assert.equal(volume && nodeAffinityText(volume), "kubernetes.io/hostname in (n1)");
      assert.equal(run.get("Pod", "web")?.status?.phase, "Running");
      run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual(run.list("PersistentVolume"), []);
    },
  );

  testWithFaults("without a selected node it is on whichever node the helper pod came to", () => {
    const run = microk8s("Immediate").apply(claim()).settle();
    const [volume] = run.list("PersistentVolume");
    assert.equal(phase(run), "Bound");
    assert.equal(volume && nodeAffinityText(volume), "kubernetes.io/hostname in (n1)");
  });
});
