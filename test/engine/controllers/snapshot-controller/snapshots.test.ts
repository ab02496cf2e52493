/** Snapshots from creation to deletion: snapshot-controller and csi-snapshotter. */
import assert from "node:assert/strict";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import { check } from "../../../support/check.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { claim, oneNode, StorageRun } from "../../../support/storage-run.ts";

const about = "VolumeSnapshot/default/s";
const snapshotClass = (more = ""): string => `
  kind: VolumeSnapshotClass
  metadata: { name: nightly${more} }
  driver: d.csi
  deletionPolicy: Delete
`;
const isDefault = ', annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" }';
const snapshot = (className = "volumeSnapshotClassName: nightly, "): string => `
  kind: VolumeSnapshot
  metadata: { name: s }
  spec: { ${className}source: { persistentVolumeClaimName: data } }
`;
const ready = (driver = {}): StorageRun =>
  new StorageRun({ driver: { snapshots: true, ...driver } })
    .apply(snapshotClass())
    .apply(claim)
    .settle()
    .mark();
const content = (run: StorageRun) => run.list("VolumeSnapshotContent")[0];
const status = (run: StorageRun) => run.get("VolumeSnapshot", "s")?.status;

suite("snapshots", () => {
  test("a snapshot gets its content, the driver is called, and events say when it is created and ready", () => {
    const run = ready().apply(snapshot()).settle();
    assert.deepEqual(run.events(about), [
      "Normal CreatingSnapshot Waiting for a snapshot default/s to be created by the CSI driver.",
      "Normal SnapshotCreated Snapshot default/s was successfully created by the CSI driver.",
      "Normal SnapshotReady Snapshot default/s is ready to use.",
    ]);
    assert.deepEqual(run.calls, ["CreateSnapshot OK"]);
    assert.equal(status(run)?.restoreSize, "1Gi");
    assert.deepEqual(run.get("PersistentVolumeClaim", "data")?.metadata.finalizers, [
      "kubernetes.io/pvc-protection",
    ]);
  });

  test("a removed status is written again, with the events", () => {
    const run = ready().apply(snapshot()).settle();
    const known = status(run);
    run.mark().step({
      type: "patch",
      object: { kind: "VolumeSnapshot", name: "s" },
      patch: { status: null },
      subresource: "status",
    });
    assert.deepEqual(run.settle().events(about), [
      "Normal SnapshotCreated Snapshot default/s was successfully created by the CSI driver.",
      "Normal SnapshotReady Snapshot default/s is ready to use.",
    ]);
    assert.deepEqual(run.calls, []);
    assert.deepEqual(status(run), known);
  });

  test("the end is the same despite conflicts and crashes at any write", () => {
    const { simulation } = check(
      `
      kind: StorageClass
      metadata: { name: fast }
      provisioner: d.csi
      ---
      kind: VolumeSnapshotClass
      metadata: { name: nightly }
      driver: d.csi
      deletionPolicy: Delete
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }   #=> Bound pvc-<uid PersistentVolumeClaim/default/data>
      spec: { storageClassName: fast }
      ---
      kind: VolumeSnapshot
      metadata: { name: s }
      spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: data } }
    `,
      {
        cluster: {
          drivers: [driverProfile({ name: "d.csi", snapshots: true })],
          nodes: oneNode,
        },
      },
    );
    const { store } = simulation.runtime.api;
    assert.equal(store.get("VolumeSnapshot", "default", "s")?.status?.readyToUse, true);
  });

  test("a snapshot without a class needs a default class", () => {
    const run = ready().apply(snapshot("")).advance(5);
    const lines = run.events(about);
    assert.deepEqual(lines, [
      "Warning SetDefaultSnapshotClassFailed Failed to set default snapshot class with error cannot find default snapshot class",
    ]);
  });

  test("two default classes of the driver are refused", () => {
    const run = new StorageRun({ driver: { snapshots: true } })
      .apply(snapshotClass(isDefault))
      .apply(snapshotClass(isDefault).replace("nightly", "weekly"))
      .apply(claim)
      .settle()
      .apply(snapshot(""))
      .advance(1);
    assert.match(run.events(about)[0] ?? "", /error 2 default snapshot classes were found$/);
  });

  test("a snapshot without a class needs a bound claim, whose driver decides", () => {
    const run = new StorageRun({ driver: { snapshots: true } });
    run.apply(claim.replace("fast", "none")).apply(snapshot("")).advance(1);
    assert.match(run.events(about)[0] ?? "", /the PVC data is not yet bound to a PV/);
  });

  test("with a class of an unknown driver the snapshot is never ready, without an error", () => {
    const run = ready()
      .apply(snapshotClass().replace("d.csi", "gone.csi").replace("nightly", "foreign"))
      .apply(snapshot().replace("nightly", "foreign"))
      .settle();
    assert.deepEqual([status(run)?.readyToUse, status(run)?.error], [false, undefined]);
  });

  test("a driver's error is reported on the content, and copied to the snapshot", () => {
    const run = ready().fault("CreateSnapshot", { code: "Internal", message: "no", times: 2 });
    run.apply(snapshot()).advance(0.9);
    const name = content(run)?.metadata.name ?? "";
    assert.deepEqual(
      run.events(`VolumeSnapshotContent//${name}`).map((line) => line.split(" ")[1]),
      ["SnapshotCreationFailed"],
    );
    assert.match(status(run)?.error?.message ?? "", /^Failed to create snapshot: failed to take/);
    run.settle();
    assert.deepEqual([status(run)?.readyToUse, status(run)?.error], [true, undefined]);
  });

  test("a repeated driver error gets two events: one for the creation, one for later checks", () => {
    const run = ready().fault("CreateSnapshot", { code: "Internal", message: "no", times: 0 });
    run.apply(snapshot()).advance(100);
    const content = `VolumeSnapshotContent//${run.list("VolumeSnapshotContent")[0]?.metadata.name}`;
    assert.ok(run.calls.length > 2);
    assert.equal(run.eventCount(content, "SnapshotCreationFailed"), 1);
    assert.equal(run.eventCount(content, "SnapshotContentCheckandUpdateFailed"), 1);
  });

  test("a claim is released with its only snapshot, even if that was never taken", () => {
    const held = "snapshot.storage.kubernetes.io/pvc-as-source-protection";
    const finalizers = (run: StorageRun) =>
      run.get("PersistentVolumeClaim", "data")?.metadata.finalizers ?? [];
    const run = ready().fault("CreateSnapshot", { code: "Internal", times: 0 });
    assert.ok(finalizers(run.apply(snapshot()).advance(10)).includes(held));
    run.delete("VolumeSnapshot", "s").settle();
    assert.equal(run.get("VolumeSnapshot", "s"), undefined);
    assert.ok(!finalizers(run).includes(held));
  });

  const beingCreated = "snapshot.storage.kubernetes.io/volumesnapshot-being-created";
  const mark = (run: StorageRun): string | undefined =>
    content(run)?.metadata.annotations?.[beingCreated];
  test("a final error removes the annotation that the snapshot is being created", () => {
    const refused = ready().fault("CreateSnapshot", { code: "Internal", times: 0 });
    assert.equal(mark(refused.apply(snapshot()).advance(0.9)), undefined);
    const unclear = ready().fault("CreateSnapshot", { code: "Unavailable", times: 0 });
    assert.equal(mark(unclear.apply(snapshot()).advance(0.9)), "yes");
  });

  test("the driver is called until the snapshot is ready", () => {
    const run = ready({ snapshotReadyAfterMs: 5_000 }).apply(snapshot()).settle();
    assert.deepEqual(
      run.calls,
      Array.from({ length: 4 }, () => "CreateSnapshot OK"),
    );
    assert.equal(run.eventCount(about, "SnapshotCreated"), 1);
    assert.equal(
      run.events(about).at(-1),
      "Normal SnapshotReady Snapshot default/s is ready to use.",
    );
  });

  test("the snapshot is removed after its content, with or without its class", () => {
    const run = ready().apply(snapshot()).settle().mark();
    run.delete("VolumeSnapshotClass", "nightly").delete("VolumeSnapshot", "s").settle();
    assert.deepEqual(run.calls, ["DeleteSnapshot OK"]);
    assert.deepEqual([content(run), run.get("VolumeSnapshot", "s")], [undefined, undefined]);
  });

  test("Retain keeps the content", () => {
    const run = ready().apply(snapshot()).settle().mark();
    const name = content(run)?.metadata.name ?? "";
    run.patch("VolumeSnapshotContent", name, { spec: { deletionPolicy: "Retain" } }).settle();
    run.delete("VolumeSnapshot", "s").settle();
    assert.equal(run.get("VolumeSnapshot", "s"), undefined);
    assert.equal(content(run)?.metadata.name, name);
    assert.deepEqual(run.calls, []);
  });

  test("a deleted snapshot waits for a claim that is being restored from it", () => {
    const run = ready()
      .apply(snapshot())
      .settle()
      .fault("CreateVolume", { code: "Internal", times: 4 });
    run.apply(`
      kind: PersistentVolumeClaim
      metadata: { name: copy }
      spec:
        storageClassName: fast
        dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }
    `);
    run.advance(1).mark().delete("VolumeSnapshot", "s").advance(2);
    assert.deepEqual(run.events(about), [
      "Warning SnapshotDeletePending Snapshot is being used to restore a PVC",
    ]);
    run.mayEndOtherwise(
      "a provisioner that ends between its last writes no longer accepts the deleted snapshot",
      {
        "PersistentVolume pvc-<uid PersistentVolumeClaim/default/copy>": "gone",
        "PersistentVolumeClaim copy": "Pending",
        "VolumeSnapshot s": "deleted, still there",
        "VolumeSnapshotContent snapcontent-<uid VolumeSnapshot/default/s>": "there",
      },
    );
    run.mayEndOtherwise(
      "a snapshot controller that has not heard of the claim yet lets the content go",
      {
        "PersistentVolume pvc-<uid PersistentVolumeClaim/default/copy>": "gone",
        "PersistentVolumeClaim copy": "Pending",
        "VolumeSnapshot s": "deleted, still there",
      },
    );
    run.advance(60).settle();
    assert.equal(run.get("VolumeSnapshot", "s"), undefined);
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
  });

  test("pre-provisioned: the content gets the snapshot's UID and is assumed to be ready", () => {
    const run = ready().apply(`
      kind: VolumeSnapshotContent
      metadata: { name: c }
      spec:
        driver: d.csi
        deletionPolicy: Retain
        source: { snapshotHandle: snap-1 }
        volumeSnapshotRef: { name: s, namespace: default }
      ---
      kind: VolumeSnapshot
      metadata: { name: s }
      spec: { source: { volumeSnapshotContentName: c } }
    `);
    run.settle();
    assert.equal(status(run)?.boundVolumeSnapshotContentName, "c");
    assert.equal(status(run)?.readyToUse, true);
    assert.deepEqual(run.calls, []);
  });

  test("a snapshot without content is removed, even if a claim is to be restored from it", () => {
    const run = new StorageRun({ driver: { snapshots: true } }).apply(snapshotClass());
    run
      .apply(snapshot())
      .apply(`
        kind: PersistentVolumeClaim
        metadata: { name: copy }
        spec:
          storageClassName: fast
          dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s }
      `)
      .settle()
      .delete("VolumeSnapshot", "s")
      .settle();
    assert.equal(run.eventCount(about, "SnapshotDeletePending"), 0);
    assert.equal(run.get("VolumeSnapshot", "s"), undefined);
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Pending");
  });

  const preProvisioned = (source: string, more = ""): string => `
    kind: VolumeSnapshotContent
    metadata: { name: c }
    spec:
      driver: d.csi
      deletionPolicy: Delete
      source: { ${source} }
      volumeSnapshotRef: { name: s, namespace: default }${more}
  `;
  const bySnapshotContent = `
    kind: VolumeSnapshot
    metadata: { name: s }
    spec: { source: { volumeSnapshotContentName: c } }
  `;

  test("pre-provisioned: a content with a volume handle is refused, and fails without a class", () => {
    const run = ready().apply(preProvisioned("volumeHandle: v")).apply(bySnapshotContent);
    run.advance(3);
    assert.deepEqual(run.events(about), [
      "Warning SnapshotContentMismatch VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one",
      "Warning SnapshotFinalizerError Failed to check and update snapshot: snapshot default/s expects a pre-provisioned VolumeSnapshotContent c but gets a dynamically provisioned one",
    ]);
    assert.equal(
      run.events("VolumeSnapshotContent//c")[0],
      'Warning SnapshotCreationFailed Failed to create snapshot: failed to get input parameters to create snapshot for content c: "failed to take snapshot c without a snapshot class"',
    );
    assert.deepEqual(run.calls, []);
  });

  test("a content with a volume handle but without a snapshot's UID gets no snapshot", () => {
    const run = ready()
      .apply(preProvisioned("volumeHandle: v", "\n      volumeSnapshotClassName: nightly"))
      .advance(3);
    assert.deepEqual(
      run.events("VolumeSnapshotContent//c")[0],
      'Warning SnapshotCreationFailed Failed to create snapshot: failed to take snapshot of the volume v: "cannot create snapshot. Snapshot content c not bound to a snapshot"',
    );
    assert.deepEqual(run.calls, []);
  });

  test("a deleted content with policy Retain keeps the snapshot in the storage", () => {
    const run = ready().apply(preProvisioned("snapshotHandle: h")).apply(bySnapshotContent);
    run.settle().patch("VolumeSnapshotContent", "c", { spec: { deletionPolicy: "Retain" } });
    run.settle().delete("VolumeSnapshot", "s").settle();
    run.delete("VolumeSnapshotContent", "c").settle();
    assert.deepEqual([content(run), run.calls], [undefined, []]);
  });

  const sourceFinalizer = "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";
  test("a snapshot without a class still needs a default class while it is being deleted", () => {
    const run = ready().apply(
      snapshot("").replace("name: s", `name: s, finalizers: [${sourceFinalizer}]`),
    );
    run.advance(3).delete("VolumeSnapshot", "s");
    run.advance(3);
    assert.deepEqual(run.get("VolumeSnapshot", "s")?.metadata.finalizers, [sourceFinalizer]);
    assert.equal(
      status(run)?.error?.message,
      "Failed to set default snapshot class with error cannot find default snapshot class",
    );
  });

  test("pre-provisioned: a content that is created late is found at the snapshot's next retry", () => {
    const run = ready().apply(bySnapshotContent).advance(32);
    run.apply(preProvisioned("snapshotHandle: h")).advance(20);
    assert.equal(status(run)?.readyToUse, false);
    run.advance(20);
    assert.equal(status(run)?.readyToUse, true);
  });

  test("pre-provisioned: with a missing class the content gets an error, and nothing is deleted", () => {
    const run = ready()
      .apply(preProvisioned("snapshotHandle: h", "\n      volumeSnapshotClassName: gone"))
      .apply(bySnapshotContent)
      .advance(3);
    assert.match(content(run)?.status?.error?.message ?? "", /failed to get snapshot class gone/);
    assert.match(
      run.events("VolumeSnapshotContent//c")[0] ?? "",
      /^Warning SnapshotContentCheckandUpdateFailed /,
    );
    run.delete("VolumeSnapshot", "s").settle();
    assert.equal(content(run), undefined);
    assert.deepEqual(run.calls, []);
  });

  const withSecret = (parameters: string): StorageRun =>
    new StorageRun({ driver: { snapshots: true } })
      .apply(`${snapshotClass()}  parameters: { ${parameters} }`)
      .apply(claim)
      .settle()
      .mark()
      .apply(snapshot())
      .advance(3);
  const prefix = "csi.storage.k8s.io/";

  test("the error for a missing Secret names only the content", () => {
    const run = withSecret(
      `${prefix}snapshotter-secret-name: k, ${prefix}snapshotter-secret-namespace: default`,
    );
    const name = content(run)?.metadata.name;
    assert.equal(
      content(run)?.status?.error?.message,
      `Failed to check and update snapshot content: failed to get input parameters to create snapshot for content ${name}: "cannot get credentials for snapshot content \\"${name}\\""`,
    );
    run.apply("{ kind: Secret, metadata: { name: k } }").settle();
    assert.equal(status(run)?.readyToUse, true);
    run.mark().delete("Secret", "k").delete("VolumeSnapshot", "s").advance(5);
    assert.deepEqual(run.events(`VolumeSnapshotContent//${name}`), [
      "Warning SnapshotDeleteError Failed to get snapshot credentials",
    ]);
    assert.deepEqual(run.calls, []);
  });

  test("pre-provisioned: the Secret for listing has to exist, even without a call to list", () => {
    const listed = (parameters: string): StorageRun =>
      new StorageRun({ driver: { snapshots: true } })
        .apply(`${snapshotClass()}  parameters: { ${parameters} }`)
        .apply(preProvisioned("snapshotHandle: h", "\n      volumeSnapshotClassName: nightly"))
        .apply(bySnapshotContent)
        .advance(3);
    const failure = "Failed to check and update snapshot content: failed to get";
    const [name, namespace] = ["name: k", "namespace: default"].map(
      (field) => `${prefix}snapshotter-list-secret-${field}`,
    );
    const missing = listed(`${name}, ${namespace}`);
    assert.equal(
      content(missing)?.status?.error?.message,
      `${failure} credentials for snapshot content c: error getting secret k in namespace default: secrets "k" not found`,
    );
    missing.apply("{ kind: Secret, metadata: { name: k } }").settle();
    assert.equal(status(missing)?.readyToUse, true);
    assert.equal(
      content(listed(name ?? ""))?.status?.error?.message,
      `${failure} secret reference for snapshot content c: failed to get name and namespace template from params: either name and namespace for SnapshotterList secrets specified, Both must be specified`,
    );
  });

  test("pre-provisioned: an unbound content is removed without an annotation", () => {
    const run = ready().apply(preProvisioned("snapshotHandle: h")).settle();
    run.patch("VolumeSnapshotContent", "c", {
      metadata: {
        finalizers: ["snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"],
      },
    });
    run.delete("VolumeSnapshotContent", "c").settle();
    assert.equal(content(run), undefined);
  });

  test("a class with an empty Secret name or an unknown key creates no snapshot", () => {
    const empty = withSecret(
      `${prefix}snapshotter-secret-name: "", ${prefix}snapshotter-secret-namespace: default`,
    );
    assert.match(status(empty)?.error?.message ?? "", /value of either namespace or name is empty/);
    const unknown = withSecret(`${prefix}foo: x`);
    assert.match(content(unknown)?.status?.error?.message ?? "", /unknown parameter key/);
    assert.equal(
      content(unknown)?.metadata.annotations?.[
        "snapshot.storage.kubernetes.io/volumesnapshot-being-created"
      ],
      "yes",
    );
    const ofGroups = withSecret(
      `${prefix}group-snapshotter-secret-name: x, ${prefix}group-snapshotter-secret-namespace: default`,
    );
    assert.equal(status(ofGroups)?.readyToUse, true);
  });

  test("the error of an earlier attempt stays until the snapshot is ready", () => {
    const run = ready({ snapshotReadyAfterMs: 20_000 });
    run.fault("CreateSnapshot", { code: "Internal", times: 1 }).apply(snapshot()).advance(5);
    assert.match(content(run)?.status?.error?.message ?? "", /Internal/);
    assert.equal(content(run)?.status?.snapshotHandle?.startsWith("snap-"), true);
    run.settle().settle();
    assert.deepEqual([content(run)?.status?.error, status(run)?.error], [undefined, undefined]);
  });
});
