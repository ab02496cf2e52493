/** Attach and detach by the sidecar, case by case as in external-attacher csi_handler_test.go and trivial_handler_test.go. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { attacherFinalizer } from "../../../../src/engine/controllers/external-attacher/attachment-sync.ts";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import { check } from "../../../support/check.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { oneNode, StorageRun } from "../../../support/storage-run.ts";

const volume = (more = ""): string => `
  kind: PersistentVolume
  metadata: { name: pv }
  spec: { csi: { driver: d.csi, volumeHandle: h${more} } }
`;
const attachment = (more = "node: n1"): string => {
  const node = more.replace("node: ", "");
  return `
  kind: VolumeAttachment
  metadata: { name: va }
  spec: { attacher: d.csi, nodeName: ${node}, source: { persistentVolumeName: pv } }
`;
};
const attachmentWith = (source: object): KubeObject =>
  ({
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    metadata: { name: "va", uid: "va" },
    spec: { attacher: "d.csi", nodeName: "n1", source },
    status: { attached: false },
  }) as unknown as KubeObject;
const finalizer = "external-attacher/d-csi";
const error = (run: StorageRun): string | undefined =>
  run.get("VolumeAttachment", "va")?.status?.attachError?.message;

suite("external attacher", () => {
  test("an attach adds a finalizer to the volume, finalizer and node id to the attachment, calls the driver, then writes the status", () => {
    const run = new StorageRun().apply(volume()).settle().mark().apply(attachment()).settle();
    assert.deepEqual(run.writes("external-attacher d.csi"), [
      "update PersistentVolume//pv",
      "update VolumeAttachment//va",
      "update VolumeAttachment//va status",
    ]);
    const found = run.get("VolumeAttachment", "va");
    assert.deepEqual(found?.metadata.finalizers, [finalizer]);
    assert.deepEqual(found?.metadata.annotations, { "csi.alpha.kubernetes.io/node-id": "n1" });
    assert.deepEqual(found?.status, {
      attached: true,
      attachmentMetadata: { devicePath: "/dev/csi/h" },
    });
    assert.deepEqual(run.requests("ControllerPublishVolume")[0], {
      volume_id: "h",
      node_id: "n1",
      volume_capability: { mount: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } },
    });
  });

  test("a conflict on, or a crash after, any write leads to the same end", () => {
    check(
      `
      kind: PersistentVolume
      metadata: { name: pv }
      spec: { csi: { driver: d.csi, volumeHandle: h } }
      ---
      kind: VolumeAttachment
      metadata: { name: va }   #=> attached
      spec: { attacher: d.csi, nodeName: n1, source: { persistentVolumeName: pv } }
    `,
      { cluster: { drivers: [driverProfile({ name: "d.csi" })], nodes: oneNode } },
    );
  });

  test("an attached attachment is left alone", () => {
    const run = new StorageRun().apply(volume()).apply(attachment()).settle().mark();
    run.patch("VolumeAttachment", "va", { metadata: { labels: { touched: "yes" } } }).settle();
    assert.deepEqual(run.calls, []);
  });

  test("a volume that is being deleted is not attached any more", () => {
    const run = new StorageRun().apply(
      volume().replace("name: pv", "name: pv, finalizers: [example.com/keep]"),
    );
    run.delete("PersistentVolume", "pv").apply(attachment()).advance(1);
    assert.equal(error(run), 'PersistentVolume "pv" is marked for deletion');
    assert.deepEqual(run.calls, []);
    run.mayEndOtherwise("The attacher asks its cache, which may not know of the deletion yet.", {
      "VolumeAttachment va": "attached",
    });
  });

  test("a missing Secret is reported before any finalizer is set", () => {
    const secret = ", controllerPublishSecretRef: { namespace: default, name: s }";
    const run = new StorageRun().apply(volume(secret)).apply(attachment()).advance(1);
    assert.equal(error(run), 'failed to load secret "default/s": secrets "s" not found');
    assert.equal(run.get("VolumeAttachment", "va")?.metadata.finalizers, undefined);
  });

  test("a driver's error is stored with its code, and retried at once and after 1, 4 and 8 s", () => {
    const run = new StorageRun().apply(volume()).settle();
    run.fault("ControllerPublishVolume", {
      code: "ResourceExhausted",
      message: "full",
      times: 5,
    });
    run.mark().apply(attachment()).advance(10);
    assert.equal(error(run), "rpc error: code = ResourceExhausted desc = full");
    assert.equal(run.get("VolumeAttachment", "va")?.status?.attachError?.errorCode, 8);
    run.advance(30);
    assert.deepEqual(run.callTimes("ControllerPublishVolume"), [0, 0, 1, 5, 13, 29]);
    assert.equal(run.get("VolumeAttachment", "va")?.status?.attached, true);
    assert.equal(error(run), undefined);
  });

  test("before 1.35 an attach error has no code", () => {
    const run = new StorageRun({ version: "1.34" }).apply(volume());
    run.fault("ControllerPublishVolume", { code: "ResourceExhausted", times: 0 });
    run.apply(attachment()).advance(1);
    assert.equal(run.get("VolumeAttachment", "va")?.status?.attachError?.errorCode, undefined);
  });

  test("a call that takes longer than 15 s ends with DeadlineExceeded", () => {
    const run = new StorageRun().fault("ControllerPublishVolume", { delayMs: 20_000 });
    run.apply(volume()).apply(attachment()).advance(15.5);
    assert.match(error(run) ?? "", /Aborted|DeadlineExceeded/);
    run.settle();
    assert.equal(run.get("VolumeAttachment", "va")?.status?.attached, true);
  });

  test("a node without CSINode cannot be attached to", () => {
    const run = new StorageRun().apply(volume()).apply(attachment("node: n9")).advance(1);
    assert.equal(error(run), 'csinode.storage.k8s.io "n9" not found');
  });

  test("a node where the driver is not registered cannot be attached to", () => {
    const run = new StorageRun().apply(volume());
    run.step({ type: "driver", name: "d.csi", node: "down", nodeName: "n1" });
    run.apply(attachment()).advance(1);
    assert.equal(error(run), "CSINode n1 does not contain driver d.csi");
    run.mayEndOtherwise("a restarted kubelet registers the driver", {
      "VolumeAttachment va": "attached",
    });
  });

  test("an attachment must name either a PersistentVolume or an inline volume", () => {
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], csi: { driver: "d.csi" } };
    const errorOf = (source: object): string | undefined => {
      const disturb = ({ api }: Runtime): void => {
        api.restore(attachmentWith(source));
      };
      return error(new StorageRun({ disturb }).apply(volume()).advance(5));
    };
    const specified = "InlineCSIVolumeSource and PersistentVolumeName specified in VA source";
    assert.equal(errorOf({ persistentVolumeName: "pv", inlineVolumeSpec }), `both ${specified}`);
    assert.equal(errorOf({}), `neither ${specified.replace("and", "nor")}`);
  });

  test("attachments of other drivers are ignored", () => {
    const other = attachment().replace("attacher: d.csi", "attacher: e.csi");
    const run = new StorageRun().apply(volume()).apply(other).settle();
    assert.deepEqual(run.writes("external-attacher d.csi"), []);
  });

  test("a detach calls the driver, then removes the finalizer", () => {
    const run = new StorageRun().apply(volume()).apply(attachment()).settle().mark();
    run.delete("VolumeAttachment", "va").settle();
    assert.deepEqual(run.calls, ["ControllerUnpublishVolume OK"]);
    assert.deepEqual(run.requests("ControllerUnpublishVolume"), [
      { volume_id: "h", node_id: "n1" },
    ]);
    assert.equal(run.get("VolumeAttachment", "va"), undefined);
    assert.deepEqual(run.get("PersistentVolume", "pv")?.metadata.finalizers, [
      "kubernetes.io/pv-protection",
      finalizer,
    ]);
  });

  test("an attachment with another finalizer is detached only once", () => {
    const kept = attachment().replace("name: va", "name: va, finalizers: [example.com/keep]");
    const run = new StorageRun().apply(volume()).apply(kept).settle().mark();
    run.delete("VolumeAttachment", "va").settle();
    run.patch("VolumeAttachment", "va", { metadata: { labels: { touched: "yes" } } }).settle();
    assert.deepEqual(run.calls, ["ControllerUnpublishVolume OK"]);
    assert.deepEqual(run.get("VolumeAttachment", "va")?.status, { attached: false });
    run.mayEndOtherwise("an attacher that crashes before it has written the status never does", {
      "VolumeAttachment va": "deleted, still attached",
    });
  });

  test("an attachment with another finalizer keeps its attachError", () => {
    const kept = attachment().replace("name: va", "name: va, finalizers: [example.com/keep]");
    const run = new StorageRun().apply(volume()).settle();
    run.fault("ControllerPublishVolume", { code: "Internal", message: "no path", times: 1 });
    run.fault("ControllerUnpublishVolume", { code: "Internal", message: "busy", times: 1 });
    run.apply(kept).delete("VolumeAttachment", "va").advance(10);
    const { attached, attachError, detachError } = run.get("VolumeAttachment", "va")?.status ?? {};
    assert.deepEqual(
      [attached, attachError?.message, detachError],
      [false, "rpc error: code = Internal desc = no path", undefined],
    );
  });

  test("a detach needs the Secret too", () => {
    const secret = ", controllerPublishSecretRef: { namespace: default, name: s }";
    const key = "{ kind: Secret, metadata: { name: s } }";
    const run = new StorageRun().apply(key).apply(volume(secret)).apply(attachment()).settle();
    run.delete("Secret", "s").mark().delete("VolumeAttachment", "va").advance(0.5);
    const status = run.get("VolumeAttachment", "va")?.status;
    const missing = 'failed to load secret "default/s": secrets "s" not found';
    assert.equal(status?.detachError?.message, missing);
    assert.deepEqual(run.calls, []);
  });

  test("the node's id is the one in its CSINode, and replaces a former one in the annotation", () => {
    const id = "csi.alpha.kubernetes.io/node-id";
    const older = attachment("node: n2").replace(
      "name: va",
      `name: va, finalizers: [${finalizer}], annotations: { ${id}: old }`,
    );
    const run = new StorageRun().apply(volume()).apply(`
      kind: CSINode
      metadata: { name: n2 }
      spec: { drivers: [{ name: e.csi, nodeID: theirs }, { name: d.csi, nodeID: n1 }] }
    `);
    run.apply(older).settle();
    assert.equal(run.requests("ControllerPublishVolume")[0]?.["node_id"], "n1");
    assert.equal(run.get("VolumeAttachment", "va")?.metadata.annotations?.[id], "n1");
  });

  test("a failed detach keeps the finalizer and is retried", () => {
    const run = new StorageRun().apply(volume()).apply(attachment()).settle();
    run.fault("ControllerUnpublishVolume", { code: "Internal", message: "no", times: 2 });
    run.delete("VolumeAttachment", "va").advance(0.5);
    const detached = run.get("VolumeAttachment", "va")?.status?.detachError?.message;
    assert.equal(detached, "rpc error: code = Internal desc = no");
    run.settle();
    assert.equal(run.get("VolumeAttachment", "va"), undefined);
  });

  test("a detach that could not be recorded is repeated", () => {
    const run = new StorageRun({
      disturb: ({ api }) => {
        let refusals = 1;
        const patch = api.patch.bind(api);
        api.patch = (kind, namespace, name, subresource, change) => {
          const current = api.store.get(kind, namespace, name);
          const isDetached =
            kind === "VolumeAttachment" &&
            subresource === "" &&
            current?.metadata.deletionTimestamp !== undefined;
          if (!isDetached || refusals-- <= 0)
            return patch(kind, namespace, name, subresource, change);
          const message = "volumeattachments.storage.k8s.io is forbidden";
          return { ok: false, error: { code: 403, reason: "Forbidden", message } };
        };
      },
    });
    run.apply(volume()).apply(attachment()).settle().mark();
    run.delete("VolumeAttachment", "va").advance(0.5);
    assert.equal(
      run.get("VolumeAttachment", "va")?.status?.detachError?.message,
      "could not mark as detached: volumeattachments.storage.k8s.io is forbidden",
    );
    run.settle();
    assert.equal(run.callTimes("ControllerUnpublishVolume").length, 2);
    assert.equal(run.get("VolumeAttachment", "va"), undefined);
  });

  test("a deleted node is detached from by the id in the annotation", () => {
    const run = new StorageRun().apply(volume()).apply(attachment()).settle();
    run.step({ type: "driver", name: "d.csi", node: "down", nodeName: "n1" }).mark();
    run.delete("VolumeAttachment", "va").settle();
    assert.deepEqual(run.calls, ["ControllerUnpublishVolume OK"]);
  });

  test("a volume that is being deleted waits for its last attachment", () => {
    const run = new StorageRun().apply(volume()).apply(attachment()).settle();
    run.delete("PersistentVolume", "pv").settle();
    assert.deepEqual(run.get("PersistentVolume", "pv")?.metadata.finalizers, [finalizer]);
    run.delete("VolumeAttachment", "va").settle();
    assert.equal(run.get("PersistentVolume", "pv"), undefined);
  });

  suite("a volume with an in-tree source", () => {
    /** The volume's finalizers after the deletion of its attachment, which was attached. */
    const afterDetach = (annotations = "{}"): readonly string[] | undefined => {
      const { simulation } = check(
        `
        kind: PersistentVolume
        metadata: { name: pv, annotations: ${annotations} }   #=> Available
        spec: { storageClassName: "", awsElasticBlockStore: { volumeID: vol-1 } }
        ---
        kind: VolumeAttachment
        metadata: { name: va }   #=> gone
        spec: { attacher: ebs.csi.aws.com, nodeName: n1, source: { persistentVolumeName: pv } }
      `,
        {
          cluster: { drivers: [driverProfile({ name: "ebs.csi.aws.com" })], nodes: oneNode },
          steps: [
            { type: "delete", objects: [{ kind: "VolumeAttachment", name: "va" }] },
            { type: "settle" },
          ],
        },
      );
      assert.ok(simulation.trace.entries.some((e) => e.type === "call" && e.call.includes("Unpu")));
      return simulation.runtime.api.store.get("PersistentVolume", undefined, "pv")?.metadata
        .finalizers;
    };
    const protection = "kubernetes.io/pv-protection";

    test("without the migrated-to annotation loses the finalizer with its last attachment", () => {
      assert.deepEqual(afterDetach(), [protection]);
    });

    test("that the in-tree plugin provisioned keeps the finalizer, as others do", () => {
      const made = "{ pv.kubernetes.io/provisioned-by: kubernetes.io/aws-ebs }";
      assert.deepEqual(afterDetach(made), [protection, "external-attacher/ebs-csi-aws-com"]);
    });
  });

  test("attachments of a driver that cannot attach are marked attached without finalizer or call", () => {
    const run = new StorageRun({ driver: { attachRequired: false } });
    run.apply(volume()).apply(attachment()).settle();
    assert.equal(run.get("VolumeAttachment", "va")?.status?.attached, true);
    assert.equal(run.get("VolumeAttachment", "va")?.metadata.finalizers, undefined);
    assert.deepEqual(run.calls, []);
  });

  test("readonly is not passed to a driver without PUBLISH_READONLY", () => {
    const run = new StorageRun().apply(volume(", readOnly: true")).apply(attachment()).settle();
    assert.equal(run.requests("ControllerPublishVolume")[0]?.["readonly"], undefined);
  });

  test("readonly is passed for read-only volumes to a driver with PUBLISH_READONLY", () => {
    const asked = (more: string): unknown =>
      new StorageRun({ driver: { publishReadonly: true } })
        .apply(volume(more))
        .apply(attachment())
        .settle()
        .requests("ControllerPublishVolume")[0]?.["readonly"];
    assert.deepEqual([asked(", readOnly: true"), asked("")], [true, undefined]);
  });

  test("a volume without a CSI source is neither attached nor detached", () => {
    const text = "pv spec contained non-csi source that was not migrated";
    const nfs = `
      kind: PersistentVolume
      metadata: { name: pv }
      spec: { nfs: { server: nas, path: / } }
    `;
    const run = new StorageRun().apply(nfs).apply(attachment()).advance(1);
    assert.equal(error(run), text);
    const held = attachment().replace("name: va", `name: va, finalizers: [${finalizer}]`);
    const detached = new StorageRun().apply(nfs).apply(held).delete("VolumeAttachment", "va");
    const status = detached.advance(1).get("VolumeAttachment", "va")?.status;
    assert.equal(status?.detachError?.message, text);
  });

  test("without its volume an attachment cannot be detached", () => {
    const run = new StorageRun().apply(volume()).apply(attachment()).settle();
    run.delete("PersistentVolume", "pv").advance(1);
    run.patch("PersistentVolume", "pv", { metadata: { finalizers: null } }).advance(1);
    run.delete("VolumeAttachment", "va").advance(1);
    assert.equal(
      run.get("VolumeAttachment", "va")?.status?.detachError?.message,
      'persistentvolume "pv" not found',
    );
    assert.deepEqual(run.calls, ["ControllerPublishVolume OK"]);
    run.mayEndOtherwise("an attacher that does not know of the deletion yet calls the driver", {
      "VolumeAttachment va": "gone",
    });
  });

  test("finalizers are named after the driver", () => {
    assert.equal(attacherFinalizer("ebs.csi.aws.com"), "external-attacher/ebs-csi-aws-com");
    assert.equal(attacherFinalizer("odd."), "external-attacher/odd-X");
  });
});
