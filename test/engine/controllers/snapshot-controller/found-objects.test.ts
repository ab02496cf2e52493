/** How snapshot-controller reacts to snapshots and contents that do not match or are incomplete. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { snapshotController } from "../../../../src/engine/controllers/snapshot-controller/snapshot-controller.ts";
import { bare } from "../../../support/bare-objects.ts";
import { Scene } from "../../../support/component-scene.ts";

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

const finalizer = {
  claim: "snapshot.storage.kubernetes.io/pvc-as-source-protection",
  source: "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
  bound: "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
  content: "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
};
const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };

/** A snapshot of the claim `data` by the class `nightly`. */
const snapshot = (parts: Parts = {}, name = "s"): KubeObject<"VolumeSnapshot"> =>
  bare("VolumeSnapshot", name, {
    ...parts,
    spec: {
      volumeSnapshotClassName: "nightly",
      source: { persistentVolumeClaimName: "data" },
      ...parts.spec,
    },
  });
/** The content of that snapshot. */
const content = (parts: Parts = {}, name = "snapcontent-s"): KubeObject<"VolumeSnapshotContent"> =>
  bare("VolumeSnapshotContent", name, {
    metadata: { finalizers: [finalizer.content], ...parts.metadata },
    spec: {
      driver: "d.csi",
      deletionPolicy: "Delete",
      source: { volumeHandle: "h" },
      volumeSnapshotClassName: "nightly",
      volumeSnapshotRef: { namespace: "default", name: "s", uid: "s" },
      ...parts.spec,
    },
    ...(parts.status !== undefined && { status: parts.status }),
  });
const snapshotClass = (more: object = {}, name = "nightly"): KubeObject<"VolumeSnapshotClass"> =>
  ({
    ...bare("VolumeSnapshotClass", name),
    driver: "d.csi",
    deletionPolicy: "Delete",
    ...more,
  }) as KubeObject<"VolumeSnapshotClass">;
const claim = (parts: Parts = {}): KubeObject<"PersistentVolumeClaim"> =>
  bare("PersistentVolumeClaim", "data", {
    metadata: parts.metadata ?? {},
    spec: { volumeName: "pv", ...parts.spec },
    status: parts.status ?? { phase: "Bound" },
  });
const volume = (spec: object = {}): KubeObject<"PersistentVolume"> =>
  bare("PersistentVolume", "pv", {
    spec: {
      csi: { driver: "d.csi", volumeHandle: "h" },
      claimRef: { namespace: "default", name: "data", uid: "data" },
      ...spec,
    },
  });

function sceneOf(...objects: readonly KubeObject[]): Scene {
  return new Scene([snapshotController], objects).run(100);
}

/** Returns the events about the snapshot, except CreatingSnapshot. */
function told(...objects: readonly KubeObject[]): readonly string[] {
  return sceneOf(...objects).events.flatMap((line) => {
    const [, text] = line.split("VolumeSnapshot/default/s ");
    return text === undefined || text.includes("CreatingSnapshot") ? [] : [text];
  });
}

/** Runs with a conflict at the snapshot controller's nth write. */
function losing(write: number, ...objects: readonly KubeObject[]): Scene {
  const fault = { conflictOnWrite: { component: "snapshot-controller", write } };
  return new Scene([snapshotController], objects, { fault }).run(100);
}

/** Runs after `gone` was deleted from the API server, while the controller's cache still has it. */
function without(gone: KubeObject, ...objects: readonly KubeObject[]): Scene {
  const scene = new Scene([snapshotController], [gone, ...objects]);
  const { namespace = "", name } = gone.metadata;
  scene.runtime.api.delete(gone.kind, namespace, name, {});
  return scene.run(100);
}

/** Returns the snapshot's successive statuses. */
const statuses = (scene: Scene): readonly KubeObject<"VolumeSnapshot">["status"][] =>
  scene.runtime.trace.entries.flatMap((e) =>
    e.type === "write" && e.ref === "VolumeSnapshot/default/s" && e.subresource === "status"
      ? [(e.after as KubeObject<"VolumeSnapshot">).status]
      : [],
  );

const statusOf = (scene: Scene) => scene.get("VolumeSnapshot", "default", "s")?.status;

suite("snapshots with an error", () => {
  test("have neither a claim nor a content as source, or both", () => {
    const text =
      "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified";
    for (const source of [
      {},
      { persistentVolumeClaimName: "data", volumeSnapshotContentName: "c" },
    ]) {
      const scene = sceneOf(snapshot({ spec: { source } }), snapshotClass(), claim(), volume());
      assert.deepEqual(scene.events, [
        `VolumeSnapshot/default/s Warning SnapshotValidationError ${text}`,
      ]);
      assert.deepEqual(statusOf(scene), {
        error: { message: text, time: "2026-01-01T00:00:00Z" },
        readyToUse: false,
      });
    }
  });

  test("have an empty name in their source; that of a content causes neither status nor finalizer", () => {
    const unnamed = {
      volumeSnapshotClassName: undefined,
      source: { persistentVolumeClaimName: "" },
    };
    assert.deepEqual(told(snapshot({ spec: unnamed })), [
      "Warning SetDefaultSnapshotClassFailed Failed to set default snapshot class with error the PVC name is not specified in snapshot default/s",
    ]);
    const scene = sceneOf(
      snapshot({ spec: { source: { volumeSnapshotContentName: "" } } }),
      snapshotClass(),
    );
    assert.deepEqual(
      [...new Set(scene.events.map((line) => line.replace(/^×\d+ /, "")))],
      [
        "VolumeSnapshot/default/s Warning SnapshotFinalizerError Failed to check and update snapshot: empty VolumeSnapshotContentName for snapshot default/s",
      ],
    );
    const found = scene.get("VolumeSnapshot", "default", "s");
    assert.deepEqual([found?.metadata.finalizers, found?.status], [undefined, undefined]);
  });

  test("have a missing class; this error leaves readyToUse open", () => {
    const scene = sceneOf(snapshot(), claim(), volume());
    const error = 'volumesnapshotclass.snapshot.storage.k8s.io "nightly" not found';
    assert.deepEqual(scene.events, [
      `VolumeSnapshot/default/s Warning GetSnapshotClassFailed Failed to get snapshot class with error ${error}`,
    ]);
    assert.equal(statusOf(scene)?.readyToUse, undefined);
  });

  test("get the default class of their volume's driver, but none for a volume without CSI", () => {
    const bySelf = snapshot({ spec: { volumeSnapshotClassName: undefined } });
    const key = "snapshot.storage.kubernetes.io/is-default-class";
    const annotated = (name: string, value: string, driver: string) => ({
      ...snapshotClass({ driver }, name),
      metadata: { ...snapshotClass({}, name).metadata, annotations: { [key]: value } },
    });
    const scene = sceneOf(
      bySelf,
      annotated("other", "true", "x.csi"),
      annotated("off", "false", "d.csi"),
      annotated("mine", "true", "d.csi"),
      claim(),
      volume(),
    );
    assert.equal(scene.get("VolumeSnapshot", "default", "s")?.spec.volumeSnapshotClassName, "mine");
    assert.deepEqual(told(bySelf, claim(), volume({ csi: undefined, hostPath: { path: "/x" } })), [
      "Warning SetDefaultSnapshotClassFailed Failed to set default snapshot class with error snapshotting non-CSI volumes is not supported, snapshot:default/s",
    ]);
  });

  test("have a claim that is missing, not bound, or not the volume's", () => {
    const failed = (...objects: readonly KubeObject[]): string =>
      told(snapshot(), snapshotClass(), ...objects)[0] ?? "";
    const prefix =
      "Warning SnapshotContentCreationFailed Failed to create snapshot content with error ";
    const input = `${prefix}failed to get input parameters to create snapshot s: `;
    const foreign = `${input}"claim in dataSource not bound or invalid"`;
    const ref = { namespace: "default", name: "data", uid: "data" };
    assert.equal(
      failed(volume()),
      `${prefix}snapshot controller failed to update s on API server: cannot get claim from snapshot`,
    );
    assert.equal(
      failed(claim({ status: { phase: "Lost" } }), volume()),
      `${input}"the PVC data is not yet bound to a PV, will not attempt to take a snapshot"`,
    );
    assert.equal(
      failed(claim()),
      `${input}"failed to retrieve PV pv from the API server: \\"persistentvolumes \\\\\\"pv\\\\\\" not found\\""`,
    );
    assert.equal(failed(claim(), volume({ claimRef: { ...ref, uid: "old" } })), foreign);
    assert.equal(failed(claim(), volume({ claimRef: { ...ref, name: "x" } })), foreign);
    assert.equal(failed(claim(), volume({ claimRef: { ...ref, namespace: "x" } })), foreign);
    assert.equal(
      failed(claim(), volume({ csi: undefined, hostPath: { path: "/x" } })),
      `${prefix}cannot find CSI PersistentVolumeSource for volume pv`,
    );
    const gone = claim({ metadata: { ...leaving, finalizers: ["a/b"] } });
    assert.equal(
      failed(gone, volume()),
      `${prefix}snapshot controller failed to update data on API server: cannot add finalizer on claim because it is being deleted`,
    );
  });

  test("do not include those of a volume that names the claim without its UID", () => {
    const claimRef = { namespace: "default", name: "data" };
    assert.deepEqual(told(snapshot(), snapshotClass(), claim(), volume({ claimRef })), []);
  });

  test("report that their content cannot be stored", () => {
    const invalid = snapshotClass({ deletionPolicy: "Keep" });
    const [created, failed] = told(snapshot(), invalid, claim(), volume());
    assert.match(
      created ?? "",
      /^Warning CreateSnapshotContentFailed Error creating volume snapshot content object for snapshot default\/s: VolumeSnapshotContent.* is invalid: .*\.$/,
    );
    assert.match(
      failed ?? "",
      /^Warning SnapshotContentCreationFailed .* snapshot controller failed to update default\/s on API server: /,
    );
  });
});

suite("contents that do not match the snapshot", () => {
  const about = (wrong: KubeObject): readonly string[] =>
    told(snapshot(), snapshotClass(), claim(), volume(), wrong);

  test("a snapshot of a claim cannot have a pre-provisioned content", () => {
    assert.deepEqual(about(content({ spec: { source: { snapshotHandle: "x" } } })), [
      "Warning SnapshotContentMismatch VolumeSnapshotContent snapcontent-s is pre-provisioned while expecting a dynamically provisioned one",
      "Warning SnapshotFinalizerError Failed to check and update snapshot: snapshot default/s expects a dynamically provisioned VolumeSnapshotContent snapcontent-s but gets a pre-provisioned one",
    ]);
    const text = "Snapshot handle should not be set in content default/s for dynamic provisioning";
    assert.deepEqual(
      about(content({ spec: { source: { volumeHandle: "h", snapshotHandle: "x" } } })),
      [
        `Warning SnapshotHandleSet ${text}`,
        `Warning SnapshotFinalizerError Failed to check and update snapshot: ${text}`,
      ],
    );
  });

  test("name, namespace and UID have to be the snapshot's", () => {
    const ref = { namespace: "default", name: "s", uid: "s" };
    const misbound = "VolumeSnapshotContent [snapcontent-s] is bound to a different snapshot";
    for (const other of [{ uid: "old" }, { name: "x" }, { namespace: "x" }]) {
      assert.deepEqual(about(content({ spec: { volumeSnapshotRef: { ...ref, ...other } } })), [
        `Warning SnapshotContentMisbound ${misbound}`,
        `Warning SnapshotFinalizerError Failed to check and update snapshot: ${misbound}`,
      ]);
    }
  });

  test("a pre-provisioned content may lack only the UID", () => {
    const given = snapshot({ spec: { source: { volumeSnapshotContentName: "c" } } });
    const of = (ref: object): readonly string[] =>
      told(
        given,
        snapshotClass(),
        content({ spec: { source: { snapshotHandle: "x" }, volumeSnapshotRef: ref } }, "c"),
      );
    const misbound = "VolumeSnapshotContent [c] is bound to a different snapshot";
    assert.deepEqual(of({ namespace: "default", name: "s" }), []);
    for (const ref of [
      { namespace: "default", name: "x" },
      { namespace: "x", name: "s" },
      { namespace: "default", name: "s", uid: "old" },
    ]) {
      assert.equal(of(ref)[0], `Warning SnapshotContentMisbound ${misbound}`);
    }
    const missing = told(given, snapshotClass());
    assert.deepEqual(missing, ["Warning SnapshotContentMissing VolumeSnapshotContent is missing"]);
  });

  test("a content that names the snapshot gets its UID and class", () => {
    const given = snapshot({ spec: { source: { volumeSnapshotContentName: "c" } } });
    const ref = { namespace: "default", name: "s" };
    const spec = { source: { snapshotHandle: "x" }, volumeSnapshotClassName: undefined };
    const scene = sceneOf(
      given,
      snapshotClass(),
      content({ spec: { ...spec, volumeSnapshotRef: ref } }, "c"),
    );
    const bound = scene.get("VolumeSnapshotContent", "", "c");
    assert.equal(bound?.spec.volumeSnapshotRef.uid, "s");
    assert.equal(bound.spec.volumeSnapshotClassName, "nightly");
  });

  test("a content with both handles or none is invalid", () => {
    for (const source of [{}, { volumeHandle: "h", snapshotHandle: "x" }]) {
      assert.deepEqual(sceneOf(content({ spec: { source } }, "c")).events, [
        "VolumeSnapshotContent//c Warning ContentValidationError Exactly one of VolumeHandle and SnapshotHandle should be specified",
      ]);
    }
  });
});

suite("a snapshot that is ready", () => {
  const ready = {
    metadata: { finalizers: [finalizer.source, finalizer.bound] },
    status: { readyToUse: true, boundVolumeSnapshotContentName: "snapcontent-s" },
  };

  test("is no longer ready when its content is gone or bound to another", () => {
    const without = sceneOf(snapshot(ready), snapshotClass(), claim());
    assert.equal(
      without.events[0],
      "VolumeSnapshot/default/s Warning SnapshotContentMissing VolumeSnapshotContent is missing",
    );
    assert.equal(statusOf(without)?.readyToUse, false);
    const status = { ...ready.status, boundVolumeSnapshotContentName: "c" };
    const foreign = content(
      { spec: { volumeSnapshotRef: { namespace: "x", name: "s", uid: "s" } } },
      "c",
    );
    assert.equal(
      told(snapshot({ ...ready, status }), snapshotClass(), claim(), foreign)[0],
      "Warning SnapshotMisbound VolumeSnapshotContent is not bound to the VolumeSnapshot correctly",
    );
  });

  test("keeps the bound finalizer only if its content is deleted with it", () => {
    const held = (deletionPolicy: string) => {
      const bound = { status: ready.status };
      const scene = sceneOf(
        snapshot(bound),
        snapshotClass(),
        claim(),
        content({ spec: { deletionPolicy } }),
      );
      return scene.get("VolumeSnapshot", "default", "s")?.metadata.finalizers;
    };
    assert.deepEqual(held("Delete"), [finalizer.source, finalizer.bound]);
    assert.deepEqual(held("Retain"), [finalizer.source]);
  });

  test("loses its source finalizer first, and the bound one too if the content is retained", () => {
    const left = (deletionPolicy: string) => {
      const metadata = { ...leaving, finalizers: [finalizer.source, finalizer.bound, "a/b"] };
      const scene = sceneOf(
        snapshot({ ...ready, metadata }),
        snapshotClass(),
        claim(),
        content({ spec: { deletionPolicy } }),
      );
      const kept = scene.get("VolumeSnapshotContent", "", "snapcontent-s")?.metadata;
      return [
        scene.get("VolumeSnapshot", "default", "s")?.metadata.finalizers,
        kept?.deletionTimestamp !== undefined,
        kept?.annotations,
      ];
    };
    const mark = { "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted": "yes" };
    assert.deepEqual(left("Delete"), [[finalizer.bound, "a/b"], true, mark]);
    assert.deepEqual(left("Retain"), [["a/b"], false, mark]);
  });

  test("does not delete a content that is bound to another", () => {
    const metadata = { ...leaving, finalizers: [finalizer.source] };
    const ref = { namespace: "default", name: "s", uid: "other" };
    const scene = sceneOf(
      snapshot({ ...ready, metadata }),
      snapshotClass(),
      claim(),
      content({ spec: { volumeSnapshotRef: ref } }),
    );
    assert.equal(scene.get("VolumeSnapshot", "default", "s"), undefined);
    assert.equal(
      scene.get("VolumeSnapshotContent", "", "snapcontent-s")?.metadata.deletionTimestamp,
      undefined,
    );
  });

  test("keeps its first creation time and size", () => {
    const status = {
      boundVolumeSnapshotContentName: "snapcontent-s",
      creationTime: "2025-01-01T00:00:00Z",
      restoreSize: "1Gi",
    };
    const said = {
      readyToUse: true,
      creationTime: 1_767_225_600_000_000_000,
      restoreSize: 2 ** 31,
    };
    const kept = sceneOf(snapshot({ status }), snapshotClass(), claim(), content({ status: said }));
    assert.deepEqual(statusOf(kept), { ...status, readyToUse: true });
    const first = sceneOf(
      snapshot(),
      snapshotClass(),
      claim(),
      volume(),
      content({ status: said }),
    );
    assert.deepEqual(statusOf(first), {
      boundVolumeSnapshotContentName: "snapcontent-s",
      creationTime: "2026-01-01T00:00:00Z",
      restoreSize: "2Gi",
      readyToUse: true,
    });
    assert.deepEqual(
      told(snapshot(), snapshotClass(), claim(), volume(), content({ status: said })),
      [
        "Normal SnapshotCreated Snapshot default/s was successfully created by the CSI driver.",
        "Normal SnapshotReady Snapshot default/s is ready to use.",
      ],
    );
  });

  test("its claim is protected while another snapshot of it is not ready", () => {
    const finalizersAfter = (other: Parts | undefined) => {
      const objects = [
        snapshot(ready),
        snapshotClass(),
        claim({ metadata: { finalizers: [finalizer.claim, "a/b"] } }),
        content(),
        ...(other === undefined ? [] : [snapshot(other, "later")]),
      ];
      const scene = sceneOf(...objects);
      return scene.get("PersistentVolumeClaim", "default", "data")?.metadata.finalizers;
    };
    assert.deepEqual(finalizersAfter(undefined), ["a/b"]);
    assert.deepEqual(finalizersAfter({}), [finalizer.claim, "a/b"]);
    const elsewhere = { spec: { source: { persistentVolumeClaimName: "x" } } };
    assert.deepEqual(finalizersAfter(elsewhere), ["a/b"]);
  });
});

test("a claim that has the finalizer although its snapshots are ready loses it at the next resync", () => {
  const status = { readyToUse: true, boundVolumeSnapshotContentName: "snapcontent-s" };
  const ready = snapshot({ metadata: { finalizers: [finalizer.source, finalizer.bound] }, status });
  const scene = sceneOf(ready, snapshotClass(), claim(), content());
  const held = claim({ metadata: { finalizers: [finalizer.claim] } });
  scene.runtime.api.restore(held);
  const finalizers = () =>
    scene.get("PersistentVolumeClaim", "default", "data")?.metadata.finalizers;
  scene.run(890_000);
  assert.deepEqual(finalizers(), [finalizer.claim]);
  scene.run(11_000);
  assert.equal(finalizers(), undefined);
});

test("a snapshot whose content now names another gets an event at the next resync", () => {
  const given = snapshot({
    metadata: { finalizers: [finalizer.source, finalizer.bound] },
    spec: { source: { volumeSnapshotContentName: "c" } },
    status: { readyToUse: true, boundVolumeSnapshotContentName: "c" },
  });
  const naming = (name: string) => {
    const volumeSnapshotRef = { namespace: "default", name, uid: "s" };
    return content({ spec: { source: { snapshotHandle: "x" }, volumeSnapshotRef } }, "c");
  };
  const scene = sceneOf(given, snapshotClass(), naming("s"));
  scene.runtime.api.restore(naming("other"));
  scene.run(890_000);
  assert.deepEqual(scene.events, []);
  scene.run(11_000);
  assert.match(
    scene.events[0] ?? "",
    /SnapshotContentMisbound .*is bound to a different snapshot$/,
  );
});

suite("a snapshot that cannot be written", () => {
  const text =
    'Snapshot status update failed, snapshot controller failed to update default/s on API server: Operation cannot be fulfilled on volumesnapshots.snapshot.storage.k8s.io "s": the object has been modified; please apply your changes to the latest version and try again';
  const event = `VolumeSnapshot/default/s Warning SnapshotStatusUpdateFailed ${text}`;
  const error = { message: text, time: "2026-01-01T00:00:00Z" };
  const known = { metadata: { finalizers: [finalizer.source] } };
  const given = {
    ...known,
    spec: { source: { volumeSnapshotContentName: "c" }, volumeSnapshotClassName: "nightly" },
  };
  const givenContent = (ref: object): KubeObject<"VolumeSnapshotContent"> =>
    content({ spec: { source: { snapshotHandle: "x" }, volumeSnapshotRef: ref } }, "c");

  test("is no longer ready if its content existed already", () => {
    const scene = losing(1, snapshot(known), snapshotClass(), claim(), volume(), content());
    assert.ok(scene.events.includes(event), scene.events.join("\n"));
    assert.deepEqual(statuses(scene)[0], { error, readyToUse: false });
  });

  test("may be ready if its content is pre-provisioned or was just created", () => {
    const ref = { namespace: "default", name: "s", uid: "s" };
    const ofGiven = losing(1, snapshot(given), snapshotClass(), givenContent(ref));
    const held = claim({ metadata: { finalizers: [finalizer.claim] } });
    const ofMade = losing(2, snapshot(known), snapshotClass(), held, volume());
    for (const scene of [ofGiven, ofMade]) {
      assert.ok(scene.events.includes(event), scene.events.join("\n"));
      assert.deepEqual(statuses(scene)[0], { error });
    }
  });

  test("gets an event if its content cannot be bound because it is gone", () => {
    const gone = givenContent({ namespace: "default", name: "s" });
    const scene = without(
      { ...gone, metadata: { ...gone.metadata, finalizers: [] } },
      snapshot(given),
      snapshotClass(),
    );
    assert.equal(
      scene.events[0],
      'VolumeSnapshot/default/s Warning SnapshotBindFailed Snapshot failed to bind VolumeSnapshotContent, volumesnapshotcontents.snapshot.storage.k8s.io "c" not found',
    );
  });

  test("if it is gone, fails with an event for the finalizer, but without one for the class", () => {
    const key = "snapshot.storage.kubernetes.io/is-default-class";
    const byDefault = snapshotClass();
    const isDefault = { ...byDefault.metadata, annotations: { [key]: "true" } };
    for (const volumeSnapshotClassName of [undefined, "nightly"]) {
      const scene = without(
        snapshot({ spec: { volumeSnapshotClassName } }),
        { ...byDefault, metadata: isDefault },
        claim(),
        volume(),
      );
      assert.deepEqual(scene.events, [
        'VolumeSnapshot/default/s Warning SnapshotFinalizerError Failed to check and update snapshot: snapshot controller failed to update default/s on API server: volumesnapshots.snapshot.storage.k8s.io "s" not found',
      ]);
    }
  });

  test("gets its first finalizer by an update, which may conflict, and the next by a patch", () => {
    const status = { readyToUse: true, boundVolumeSnapshotContentName: "snapcontent-s" };
    const racing = (finalizers: readonly string[]): readonly string[] => {
      const held = snapshot({ metadata: { finalizers }, status });
      const scene = new Scene([snapshotController], [held, snapshotClass(), content()]);
      const labels = { by: "somebody" };
      scene.runtime.api.restore({ ...held, metadata: { ...held.metadata, labels } });
      return scene.run(100).events;
    };
    assert.deepEqual(racing([]), [
      'VolumeSnapshot/default/s Warning SnapshotFinalizerError Failed to check and update snapshot: snapshot controller failed to update default/s on API server: Operation cannot be fulfilled on volumesnapshots.snapshot.storage.k8s.io "s": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    assert.deepEqual(racing([finalizer.source]), []);
  });

  test("adds the content's finalizer to those that others add at the same time", () => {
    const held = content({ metadata: { finalizers: ["a/b"] } });
    const scene = new Scene([snapshotController], [snapshot(), snapshotClass(), claim(), held]);
    const finalizers = ["a/b", "c/d"];
    scene.runtime.api.restore({ ...held, metadata: { ...held.metadata, finalizers } });
    scene.run(100);
    assert.deepEqual(scene.get("VolumeSnapshotContent", "", "snapcontent-s")?.metadata.finalizers, [
      "a/b",
      "c/d",
      finalizer.content,
    ]);
  });

  test("treats a content that exists already as one that it has just created", () => {
    const held = claim({ metadata: { finalizers: [finalizer.claim] } });
    const scene = new Scene(
      [snapshotController],
      [snapshot(known), snapshotClass(), held, volume()],
    );
    scene.runtime.api.restore(content({ status: { readyToUse: true } }));
    scene.run(100);
    const boundVolumeSnapshotContentName = "snapcontent-s";
    assert.ok(scene.events.some((line) => line.includes("CreatingSnapshot")));
    assert.deepEqual(statuses(scene), [
      { boundVolumeSnapshotContentName, readyToUse: false },
      { boundVolumeSnapshotContentName, readyToUse: true },
    ]);
  });

  test("gets its size once that is known", () => {
    const status = { boundVolumeSnapshotContentName: "snapcontent-s", restoreSize: "0" };
    const said = content({ status: { readyToUse: true, restoreSize: 2 ** 30 } });
    const scene = sceneOf(snapshot({ status }), snapshotClass(), claim(), said);
    assert.equal(statusOf(scene)?.restoreSize, "1Gi");
  });
});

suite("a snapshot releases", () => {
  const bound = {
    readyToUse: true,
    boundVolumeSnapshotContentName: "snapcontent-s",
  };

  test("its claim, after a conflict at the second attempt", () => {
    const finalizers = [finalizer.source, finalizer.bound];
    const scene = losing(
      1,
      snapshot({ metadata: { finalizers }, status: bound }),
      snapshotClass(),
      claim({ metadata: { finalizers: [finalizer.claim, "a/b"] } }),
      content(),
    );
    assert.deepEqual(scene.events, []);
    assert.deepEqual(scene.get("PersistentVolumeClaim", "default", "data")?.metadata.finalizers, [
      "a/b",
    ]);
    assert.equal(scene.writes.length, 1);
  });

  test("its content, with an event if that is already gone but had the annotation", () => {
    const mark = { "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted": "yes" };
    const deleted = snapshot({
      metadata: { ...leaving, finalizers: [finalizer.source, finalizer.bound] },
      status: bound,
    });
    const goneWith = (annotations: object): readonly string[] =>
      without(
        content({ metadata: { finalizers: [], annotations } }),
        deleted,
        snapshotClass(),
        claim(),
      ).events;
    assert.deepEqual(goneWith(mark), [
      "VolumeSnapshot/default/s Warning SnapshotContentObjectDeleteError Failed to delete snapshot content API object",
    ]);
    assert.deepEqual(goneWith({}), []);
  });
});
