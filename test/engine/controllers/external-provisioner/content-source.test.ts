/** Clones, restored snapshots, populators. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  claimSource,
  snapshotSource,
} from "../../../../src/engine/controllers/external-provisioner/content-source.ts";
import type { Checked } from "../../../../src/engine/csi/catalogue/sidecar-parameters.ts";
import type { VolumeContentSource } from "../../../../src/engine/csi/messages.ts";
import type { ComponentContext } from "../../../../src/engine/runtime/component.ts";
import type { Task } from "../../../../src/engine/runtime/effects.ts";
import { answered } from "../../../support/answered.ts";
import { bare } from "../../../support/bare-objects.ts";
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

suite("volumes with a data source", () => {
  test("a clone may be larger than its source, which is protected until the clone is Bound", () => {
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

  test("a clone may not be smaller", () => {
    const run = new StorageRun({ driver: capable }).apply(source()).settle();
    assert.equal(
      failure(run.apply(copy("1Gi")).settle()),
      `${ofSource}error, new PVC request must be greater than or equal in size to the specified PVC data source, requested 1073741824 but source is 5368709120`,
    );
  });

  test("a volume of another driver cannot be cloned", () => {
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

  test("a Block volume cannot be cloned into a Filesystem one", () => {
    const run = new StorageRun({ driver: capable }).apply(source(", volumeMode: Block")).settle();
    assert.equal(
      failure(run.apply(copy("5Gi")).settle()),
      `${ofSource}the source PVC and destination PVCs must have the same volume mode for cloning.  Source is Block, but new PVC requested Filesystem`,
    );
  });

  test("a driver without CLONE_VOLUME clones nothing", () => {
    const run = new StorageRun().apply(source()).settle().apply(copy("5Gi")).settle();
    assert.equal(
      failure(run),
      "CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported",
    );
  });

  test("a deleted source stays until its last clone is Bound, and keeps other finalizers", () => {
    const keep = "example.com/keep";
    const kept = source().replace("name: src", `name: src, finalizers: [${keep}]`);
    const run = new StorageRun({ driver: capable }).apply(kept).settle();
    run.fault("CreateVolume", { delayMs: 5000 }).apply(copy("5Gi")).advance(1);
    run.delete("PersistentVolumeClaim", "src").advance(1);
    const finalizers = () => run.get("PersistentVolumeClaim", "src")?.metadata.finalizers;
    assert.deepEqual(finalizers(), [keep, "provisioner.storage.kubernetes.io/cloning-protection"]);
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
    assert.deepEqual(finalizers(), [keep]);
    run.mayEndOtherwise("a repeated attempt fails because the source is being deleted", {
      "PersistentVolume pvc-<uid PersistentVolumeClaim/default/copy>": "gone",
      "PersistentVolumeClaim copy": "Pending",
    });
  });

  test("a driver without snapshots restores none", () => {
    const run = new StorageRun().apply(snapshotClass).apply(source()).settle().apply(snapshot);
    assert.equal(
      failure(run.apply(restored("5Gi")).settle()),
      "CSI driver does not support snapshot restore: controller CREATE_DELETE_SNAPSHOT capability is not reported",
    );
  });

  test("a VolumeSnapshot of another API group is refused, and not left to a populator", () => {
    const other = restored("5Gi").replace("dataSource:", "dataSourceRef:");
    const run = new StorageRun({ driver: capable });
    run.apply(other.replace("snapshot.storage.k8s.io", "example.com")).settle();
    assert.equal(
      failure(run),
      "the PVC source does not belong to the right APIGroup. Expected snapshot.storage.k8s.io, Got example.com",
    );
  });

  test("a claim of another API group is cloned like one of Kubernetes: the provisioner checks only the kind", () => {
    const other = copy("5Gi").replace("dataSource: { ", "dataSourceRef: { apiGroup: example.com, ");
    const run = new StorageRun({ driver: capable }).apply(source()).settle().apply(other);
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
    assert.equal(
      run
        .get("PersistentVolumeClaim", "src")
        ?.metadata.finalizers?.includes("provisioner.storage.kubernetes.io/cloning-protection"),
      true,
    );
  });

  test("a snapshot has a finalizer while it is restored, and up to five minutes longer if the claim is deleted", () => {
    const held = "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";
    const run = new StorageRun({ driver: capable }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).settle().fault("CreateVolume", { code: "Internal", times: 0 });
    run.apply(restored("5Gi")).advance(400);
    const isHeld = () => run.get("VolumeSnapshot", "s")?.metadata.finalizers?.includes(held);
    assert.equal(isHeld(), true);
    run.delete("PersistentVolumeClaim", "copy").advance(1);
    assert.equal(isHeld(), true);
    run.advance(300);
    assert.equal(isHeld(), false);
  });

  test("an old provisioner neither adds the restore finalizer to a snapshot nor removes it", () => {
    const held = "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";
    const driver = { ...capable, sidecars: { isProvisionerBeforeV6: true } };
    const run = new StorageRun({ driver }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).settle().fault("CreateVolume", { code: "Internal", times: 1 });
    run.apply(restored("5Gi")).advance(0.5);
    const finalizers = (): readonly string[] =>
      run.get("VolumeSnapshot", "s")?.metadata.finalizers ?? [];
    assert.equal(finalizers().includes(held), false);
    run.patch("VolumeSnapshot", "s", { metadata: { finalizers: [...finalizers(), held] } });
    run.advance(600);
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
    assert.equal(finalizers().includes(held), true);
  });

  test("a starting provisioner removes stale restore finalizers, and does so again every five minutes", () => {
    const held = "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";
    const run = new StorageRun({ driver: capable }).apply(snapshotClass).apply(source()).settle();
    const isHeld = () => run.get("VolumeSnapshot", "s")?.metadata.finalizers?.includes(held);
    const plugin = (controller: "up" | "down"): StorageRun =>
      run.step({ type: "driver", name: "d.csi", controller });
    run.apply(snapshot).settle().fault("CreateVolume", { code: "Internal", times: 0 });
    run.apply(restored("5Gi")).advance(10);
    plugin("down").advance(30);
    run.delete("PersistentVolumeClaim", "copy").advance(1);
    assert.equal(isHeld(), true);
    plugin("up").advance(5);
    assert.equal(isHeld(), false);
    run.apply(restored("5Gi")).advance(100);
    run.delete("PersistentVolumeClaim", "copy").advance(180);
    assert.equal(isHeld(), true);
    run.advance(20);
    assert.equal(isHeld(), false);
  });

  test("a snapshot that is not ready is waited for", () => {
    const driver = { ...capable, snapshotReadyAfterMs: 5_000 };
    const run = new StorageRun({ driver }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).advance(1).apply(restored("5Gi")).advance(0.5);
    assert.equal(failure(run), `${ofSnapshot}snapshot s is not Ready`);
    run.settle();
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
  });

  test("a restored volume may not be smaller than its snapshot", () => {
    const run = new StorageRun({ driver: capable }).apply(snapshotClass).apply(source()).settle();
    run.apply(snapshot).settle().apply(restored("1Gi")).settle();
    assert.equal(
      failure(run),
      `${ofSnapshot}requested volume size 1073741824 is less than the size 5368709120 for the source snapshot s`,
    );
  });

  test("a restored volume keeps its mode unless the content allows a change", () => {
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

  test("a dataSource of an unknown kind is dropped, and the volume is empty", () => {
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

  test("a dataSourceRef of an unknown kind is left to a populator", () => {
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

suite("sources that cannot be used", () => {
  const storageClass = { ...bare("StorageClass", "fast"), provisioner: "d.csi" };
  const bytes = "1Gi";
  const claimOf = (spec: object = {}): KubeObject<"PersistentVolumeClaim"> =>
    bare("PersistentVolumeClaim", "copy", {
      spec: { storageClassName: "fast", resources: { requests: { storage: bytes } }, ...spec },
    });

  const outcome = (
    task: Task<Checked<VolumeContentSource>>,
    objects: readonly KubeObject[],
  ): unknown => {
    const checked = answered(task, objects);
    return checked.ok ? checked.value : checked.error;
  };

  suite("a claim", () => {
    const of = (
      parts: { spec?: object; status?: object; metadata?: object } = {},
      volume: { spec?: object; status?: object } = {},
      claim: object = {},
    ): unknown => {
      const given = bare("PersistentVolumeClaim", "src", {
        metadata: parts.metadata ?? {},
        spec: { ...claimOf().spec, volumeName: "pv", ...parts.spec },
        status: parts.status ?? { phase: "Bound" },
      });
      const pv = bare("PersistentVolume", "pv", {
        spec: {
          csi: { driver: "d.csi", volumeHandle: "h" },
          claimRef: { namespace: "default", name: "src", uid: "src" },
          ...volume.spec,
        },
        status: volume.status ?? { phase: "Bound" },
      });
      const context = {
        informer: () => ({ get: (key: string) => (key === "default/src" ? given : undefined) }),
      };
      return outcome(
        claimSource(context as unknown as ComponentContext, claimOf(claim), storageClass, "src"),
        [pv],
      );
    };
    const unusable = "claim in dataSource not bound or invalid";
    const cases: readonly [string, unknown, unknown][] = [
      ["that is bound is taken", of(), { volume: { volume_id: "h" } }],
      [
        "that is not bound",
        of({ status: { phase: "Pending" } }),
        "the PVC DataSource src must have a status of Bound.  Got {Pending [] map[] [] map[] map[] <nil> nil}",
      ],
      [
        "in deletion",
        of({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }),
        "the PVC DataSource src is currently being deleted",
      ],
      [
        "without a class",
        of({ spec: { storageClassName: undefined } }),
        "the source PVC (src) storageclass cannot be empty",
      ],
      [
        "for one without a class",
        of({}, {}, { storageClassName: undefined }),
        "the requested PVC (copy) storageclass cannot be empty",
      ],
      [
        "without a volume",
        of({ spec: { volumeName: "" } }),
        "volume name is empty in source PVC src",
      ],
      ["whose volume is gone", of({ spec: { volumeName: "other" } }), unusable],
      ["whose volume is another driver's", of({}, { spec: { csi: { driver: "x" } } }), unusable],
      [
        "whose volume is of an earlier one",
        of({}, { spec: { claimRef: { namespace: "default", name: "src", uid: "old" } } }),
        unusable,
      ],
      [
        "whose volume is of another namespace's",
        of({}, { spec: { claimRef: { namespace: "x", name: "src", uid: "src" } } }),
        unusable,
      ],
      [
        "whose volume is of another name's",
        of({}, { spec: { claimRef: { namespace: "default", name: "x", uid: "src" } } }),
        unusable,
      ],
      ["whose volume is not bound", of({}, { status: { phase: "Released" } }), unusable],
    ];
    for (const [title, found, wanted] of cases) test(title, () => assert.deepEqual(found, wanted));
  });

  suite("a snapshot", () => {
    const key = "snapshot.storage.kubernetes.io/allow-volume-mode-change";
    const of = (
      given: { metadata?: object; status?: object } = {},
      held: { metadata?: object; spec?: object; status?: object } = {},
      claim: object = {},
      isBeforeV6 = false,
    ): unknown => {
      const snapshotOf = bare("VolumeSnapshot", "s", {
        metadata: given.metadata ?? {},
        status: { boundVolumeSnapshotContentName: "c", readyToUse: true, ...given.status },
      });
      const content = bare("VolumeSnapshotContent", "c", {
        metadata: held.metadata ?? {},
        spec: {
          driver: "d.csi",
          volumeSnapshotRef: { namespace: "default", name: "s", uid: "s" },
          sourceVolumeMode: "Filesystem",
          ...held.spec,
        },
        status: { snapshotHandle: "h", ...held.status },
      });
      return outcome(snapshotSource(claimOf(claim), storageClass, "s", isBeforeV6), [
        snapshotOf,
        content,
      ]);
    };
    const ref = (more: object) => ({
      spec: { volumeSnapshotRef: { namespace: "default", name: "s", uid: "s", ...more } },
    });
    const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    const finalizers = ["provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection"];
    const taken = { snapshot: { snapshot_id: "h" } };
    const foreign = "snapshotcontent c for snapshot s is bound to a different snapshot";
    const old = (given: object, held: object = {}): unknown => of(given, held, {}, true);
    const mode = (value: string): unknown =>
      of({}, { metadata: { annotations: { [key]: value } } }, { volumeMode: "Block" });
    const refusal =
      "requested volume default/copy modifies the mode of the source volume but does not have permission to do so.";
    const cases: readonly [string, unknown, unknown][] = [
      ["that is ready is taken", of(), taken],
      ["in deletion", of({ metadata: leaving }), "snapshot s is being deleted"],
      [
        "in deletion that is kept for a restoration is taken",
        of({ metadata: { ...leaving, finalizers } }),
        taken,
      ],
      [
        "without a content",
        of({ status: { boundVolumeSnapshotContentName: undefined } }),
        "snapshot s not bound",
      ],
      [
        "whose content is gone",
        of({ status: { boundVolumeSnapshotContentName: "x" } }),
        "error getting snapshotcontent x for snapshot s",
      ],
      ["whose content is of an earlier one", of({}, ref({ uid: "old" })), foreign],
      ["whose content is of another name's", of({}, ref({ name: "x" })), foreign],
      ["whose content is of another namespace's", of({}, ref({ namespace: "x" })), foreign],
      [
        "of another driver",
        of({}, { spec: { driver: "x" } }),
        "snapshotcontent c for snapshot s is not handled by CSI driver of StorageClass fast",
      ],
      ["that is ready is taken by old provisioners", old({}), taken],
      [
        "in deletion, to old provisioners, whoever holds it",
        old({ metadata: { ...leaving, finalizers } }),
        "snapshot s is currently being deleted",
      ],
      [
        "whose content is gone, to old provisioners",
        old({ status: { boundVolumeSnapshotContentName: "x" } }),
        "snapshot s not bound",
      ],
      [
        "whose content is another's, to old provisioners",
        old({}, ref({ uid: "old" })),
        "snapshot s not bound",
      ],
      [
        "of another driver, to old provisioners",
        old({}, { spec: { driver: "x" } }),
        "snapshot s not bound",
      ],
      ["that is not ready", of({ status: { readyToUse: false } }), "snapshot s is not Ready"],
      [
        "without a handle",
        of({}, { status: { snapshotHandle: undefined } }),
        "snapshot handle s is not available",
      ],
      ["as large as the claim is taken", of({ status: { restoreSize: bytes } }), taken],
      [
        "larger than the claim",
        of({ status: { restoreSize: "2Gi" } }),
        "requested volume size 1073741824 is less than the size 2147483648 for the source snapshot s",
      ],
      ["of the same mode is taken", of({}, {}, { volumeMode: "Filesystem" }), taken],
      [
        "of an unknown mode is taken",
        of({}, { spec: { sourceVolumeMode: undefined } }, { volumeMode: "Block" }),
        taken,
      ],
      ["of another mode, which is allowed, is taken", mode("T"), taken],
      [
        "of another mode, which is forbidden",
        mode("0"),
        `${refusal} ${key} is set to false on snapshotcontent c`,
      ],
      [
        "of another mode, about which nothing readable is said",
        mode("yes"),
        `${refusal} failed to convert ${key} annotation value to boolean with error: strconv.ParseBool: parsing "yes": invalid syntax`,
      ],
    ];
    for (const [title, found, wanted] of cases) test(title, () => assert.deepEqual(found, wanted));
  });
});
