/** Rows 43–51 of the upstream behaviour table: clones, restored snapshots, populators. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { StorageRun } from "../../../support/storage-run.ts";

const capable = { clone: true, snapshots: true };
const source = (more = ""): string => `
  kind: PersistentVolumeClaim
  metadata: { name: src }
  spec: { storageClassName: fast${more}, resources: { requests: { storage: 5Gi } } }
`;
const copy = (size: string, more = ""): string => `
  kind: PersistentVolumeClaim
  metadata: { name: copy }
  spec:
    storageClassName: fast
    dataSource: { kind: PersistentVolumeClaim, name: src }
    resources: { requests: { storage: ${size} } }
    ${more}
`;
const snapshotClass = `
  kind: VolumeSnapshotClass
  metadata: { name: nightly }
  driver: d.csi
  deletionPolicy: Delete
`;
const snapshot = `
  kind: VolumeSnapshot
  metadata: { name: s }
  spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: src } }
`;
const restored = (size: string, more = ""): string => `
  kind: PersistentVolumeClaim
  metadata: { name: copy }
  spec:
    storageClassName: fast
    dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }
    resources: { requests: { storage: ${size} } }
    ${more}
`;
const failure = (run: StorageRun): string | undefined =>
  run
    .events("PersistentVolumeClaim/default/copy")
    .find((line) => line.startsWith("Warning ProvisioningFailed"))
    ?.replace("Warning ProvisioningFailed ", "");
const ofSource = "error getting handle for DataSource Type PersistentVolumeClaim by Name src: ";
const ofSnapshot = "error getting handle for DataSource Type VolumeSnapshot by Name s: ";

suite("volumes with content", () => {
  test("43: a clone may be larger; its source is kept from going until the clone is there", () => {
    const run = new StorageRun({ driver: capable }).apply(source()).settle().apply(copy("10Gi"));
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
    assert.deepEqual(run.get("PersistentVolumeClaim", "src")?.metadata.finalizers, [
      "kubernetes.io/pvc-protection",
      "provisioner.storage.kubernetes.io/cloning-protection",
    ]);
    run.delete("PersistentVolumeClaim", "src").settle();
    assert.equal(run.get("PersistentVolumeClaim", "src"), undefined);
  });

  test("44: a clone may not be smaller", () => {
    const run = new StorageRun({ driver: capable }).apply(source()).settle();
    assert.equal(
      failure(run.apply(copy("1Gi")).settle()),
      `${ofSource}error, new PVC request must be greater than or equal in size to the specified PVC data source, requested 1073741824 but source is 5368709120`,
    );
  });

  test("45: a volume of another driver cannot be cloned", () => {
    const run = new StorageRun({ driver: capable }).apply(`
      kind: PersistentVolume
      metadata: { name: host }
      spec: { storageClassName: fast, capacity: { storage: 5Gi } }
    `);
    run.apply(source(", volumeName: host")).settle();
    assert.equal(
      failure(run.apply(copy("5Gi")).settle()),
      `${ofSource}claim in dataSource not bound or invalid`,
    );
  });

  test("46: a Block volume does not become a file system", () => {
    const run = new StorageRun({ driver: capable }).apply(source(", volumeMode: Block")).settle();
    assert.equal(
      failure(run.apply(copy("5Gi")).settle()),
      `${ofSource}the source PVC and destination PVCs must have the same volume mode for cloning.  Source is Block, but new PVC requested Filesystem`,
    );
  });

  test("47: a driver that cannot clone says so", () => {
    const run = new StorageRun().apply(source()).settle().apply(copy("5Gi")).settle();
    assert.equal(
      failure(run),
      "CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported",
    );
  });

  test("48: a snapshot that is not ready is waited for", () => {
    const driver = { ...capable, snapshotReadyAfterMs: 5_000 };
    const run = new StorageRun({ driver }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).advance(1).apply(restored("5Gi")).advance(0.5);
    assert.equal(failure(run), `${ofSnapshot}snapshot s is not Ready`);
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
  });

  test("49: a restored volume may not be smaller than its snapshot", () => {
    const run = new StorageRun({ driver: capable }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).settle().apply(restored("1Gi")).settle();
    assert.equal(
      failure(run),
      `${ofSnapshot}requested volume size 1073741824 is less than the size 5368709120 for the source snapshot s`,
    );
  });

  test("a restored volume keeps its mode unless the content allows another", () => {
    const run = new StorageRun({ driver: capable }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).settle().apply(restored("5Gi", "volumeMode: Block")).advance(1);
    const [content] = run.list("VolumeSnapshotContent");
    const name = content?.metadata.name ?? "";
    const key = "snapshot.storage.kubernetes.io/allow-volume-mode-change";
    assert.equal(
      failure(run),
      `${ofSnapshot}requested volume default/copy modifies the mode of the source volume but does not have permission to do so. ${key} annotation is not present on snapshotcontent ${name.replace(/-[0-9a-f-]+$/, "-<uid VolumeSnapshot/default/s>")}`,
    );
    run.patch("VolumeSnapshotContent", name, { metadata: { annotations: { [key]: "true" } } });
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
  });

  test("50: a source of an unknown kind is dropped, and the volume is empty", () => {
    const run = new StorageRun({ driver: capable }).apply(`
      kind: PersistentVolumeClaim
      metadata: { name: copy }
      spec:
        storageClassName: fast
        dataSource: { apiGroup: example.com, kind: Foo, name: f }
    `);
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.spec.dataSource, undefined);
    assert.deepEqual(run.calls, ["CreateVolume OK"]);
  });

  test("51: a source that nobody knows is left to a populator", () => {
    const run = new StorageRun({ driver: capable }).apply(`
      kind: PersistentVolumeClaim
      metadata: { name: copy }
      spec:
        storageClassName: fast
        dataSourceRef: { apiGroup: example.com, kind: Foo, name: f }
    `);
    run.settle();
    assert.deepEqual(run.calls, []);
    assert.deepEqual(
      run
        .events("PersistentVolumeClaim/default/copy")
        .filter((line) => line.startsWith("Normal Provisioning ")),
      [
        'Normal Provisioning External provisioner is provisioning volume for claim "default/copy"',
        "Normal Provisioning Assuming an external populator will provision the volume",
      ],
    );
  });
});
