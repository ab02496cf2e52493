/** Which volumes are attached where, and when, with the cases of attachdetach reconciler_test.go and csi_attacher_test.go. */
import assert from "node:assert/strict";
import { multiAttachMessage } from "../../../../src/engine/controllers/attach-detach/multi-attach.ts";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import { sha256 } from "../../../../src/engine/volume/sha256.ts";
import { check } from "../../../support/check.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { oneNode, StorageRun, twoNodes } from "../../../support/storage-run.ts";
import { attached, controllerCalls, pod, start, unique, volume, warnings } from "./disk-fixture.ts";

suite("attach-detach controller", () => {
  test("without pods nothing is attached", () => {
    assert.deepEqual(start().calls, []);
  });

  test("a pod's volume is attached once, by an attachment named after handle, driver and node", () => {
    const run = start().mark().apply(pod("one", "n1")).settle();
    assert.deepEqual(attached(run, "n1"), [unique]);
    const [attachment] = run.list("VolumeAttachment");
    assert.equal(
      attachment?.metadata.name,
      "csi-3cba8e93112ff81c264ddf0afbbaa199583dd9da96f3ea6686bdf944115dcbbb",
    );
    assert.ok(
      run
        .events("Pod/default/one")
        .includes('Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "pv" '),
    );
  });

  test("a conflict on, or a crash after, any write leads to the same end", () => {
    check(
      `
      kind: PersistentVolume
      metadata: { name: pv }
      spec: { storageClassName: "", csi: { driver: d.csi, volumeHandle: h } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", volumeName: pv }
      ---
      kind: Pod
      metadata: { name: one }   #=> Running n1
      spec:
        nodeName: n1
        containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `,
      { cluster: { drivers: [driverProfile({ name: "d.csi" })], nodes: oneNode } },
    );
  });

  test("if a volume cannot be attached, the nodes that want it are tried in turn", () => {
    const run = start().fault("ControllerPublishVolume", { code: "Internal", times: 0 });
    run.apply(pod("one", "n1")).apply(pod("two", "n2")).advance(60);
    const counts = ["one", "two"].map((name) =>
      run.eventCount(`Pod/default/${name}`, "FailedAttachVolume"),
    );
    assert.deepEqual(counts, [4, 3]);
  });

  test("the volume is removed from the node's status before it is detached", () => {
    const run = start().apply(pod("one", "n1")).settle().mark();
    run.delete("Pod", "one").settle();
    const entries = run.simulation.trace.entries;
    const statusAt = entries.findLastIndex(
      (e) => e.type === "write" && e.actor === "attachdetach-controller" && e.ref === "Node//n1",
    );
    const deletedAt = entries.findLastIndex(
      (e) => e.type === "write" && e.verb === "delete" && e.ref.startsWith("VolumeAttachment/"),
    );
    assert.ok(statusAt < deletedAt);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
    assert.deepEqual(attached(run, "n1"), []);
  });

  test("a mounted volume is detached from a dead node six minutes after its pod is gone, from a live node never", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" });
    run.delete("Pod", "one", { grace: 0 }).mark().advance(350);
    assert.deepEqual(controllerCalls(run), []);
    run.advance(20);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
  });

  test("the out-of-service taint detaches at once", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" });
    const taints = [{ key: "node.kubernetes.io/out-of-service", effect: "NoExecute" }];
    run.patch("Node", "n1", { spec: { taints } });
    run.delete("Pod", "one", { grace: 0 }).mark().advance(2);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
  });

  test("a ReadWriteMany volume is attached to each node without a warning", () => {
    const run = start("ReadWriteMany").apply(pod("one", "n1")).apply(pod("two", "n2")).settle();
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[unique], [unique]]);
    assert.deepEqual([...warnings(run, "one"), ...warnings(run, "two")], []);
  });

  test("one of two nodes gets the volume; the other's pod gets one warning, and the volume later", () => {
    const run = start().apply(pod("one", "n1")).settle().apply(pod("two", "n2")).advance(600);
    assert.deepEqual(warnings(run, "two"), [
      'Multi-Attach error for volume "pv" Volume is already used by pod(s) one',
    ]);
    assert.equal(run.eventCount("Pod/default/two", "FailedAttachVolume"), 1);
    run.delete("Pod", "one").settle();
    assert.equal(run.get("Pod", "two")?.status?.phase, "Running");
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[], [unique]]);
  });

  test("later pods on a node with a Multi-Attach warning get none, until no pod there wants the volume any more", () => {
    const run = start().apply(pod("one", "n1")).settle().apply(pod("two", "n2")).advance(5);
    run.apply(pod("three", "n2")).advance(5).delete("Pod", "two").advance(600);
    assert.deepEqual([warnings(run, "two").length, warnings(run, "three").length], [1, 0]);
    run.delete("Pod", "three").advance(5).apply(pod("four", "n2")).advance(5);
    assert.equal(warnings(run, "four").length, 1);
  });

  test("a ReadWriteOncePod volume is attached to one node only, like a ReadWriteOnce one", () => {
    const run = start("ReadWriteOncePod").apply(pod("one", "n1")).settle();
    run.apply(pod("two", "n2")).advance(10);
    assert.equal(warnings(run, "two").length, 1);
  });

  test("an attach error is reported in the driver's words, and the attach retried with growing pauses", () => {
    const run = start().fault("ControllerPublishVolume", { code: "Internal", times: 3 });
    run.apply(pod("one", "n1")).settle();
    assert.deepEqual(warnings(run, "one"), [
      'AttachVolume.Attach failed for volume "pv" : rpc error: code = Internal desc = injected Internal',
    ]);
    assert.deepEqual(attached(run, "n1"), [unique]);
  });

  test("after a failed detach another node may try; only the driver protects the data", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("ControllerUnpublishVolume", { code: "Internal", times: 0 });
    run.delete("Pod", "one").apply(pod("two", "n2")).settle();
    assert.deepEqual(attached(run, "n1"), []);
    assert.ok(
      warnings(run, "two").some((line) => line.endsWith("volume h is already published to n1")),
    );
    run.fault("ControllerUnpublishVolume", { clear: true }).advance(300);
    assert.deepEqual(attached(run, "n2"), [unique]);
  });

  test("a Multi-Attach error names pods of the same namespace and counts the others", () => {
    const of = (namespace: string, name: string) => ({ uid: name, ref: "", namespace, name });
    const me = of("default", "me");
    const say = (...others: ReturnType<typeof of>[]): string =>
      multiAttachMessage("pv", me, others).replace(
        'Multi-Attach error for volume "pv" Volume is already ',
        "",
      );
    assert.equal(say(), "exclusively attached to one node and can't be attached to another");
    assert.equal(say(of("default", "b"), of("default", "a")), "used by pod(s) a, b");
    assert.equal(say(of("other", "a")), "used by 1 pod(s) in different namespaces");
    assert.equal(
      say(of("default", "a"), of("other", "b")),
      "used by pod(s) a and 1 pod(s) in different namespaces",
    );
  });

  test("an attachment that is deleted under a running pod is back within a minute", () => {
    const run = start().apply(pod("one", "n1")).settle();
    const name = run.list("VolumeAttachment")[0]?.metadata.name ?? "";
    run.delete("VolumeAttachment", name).advance(5);
    assert.equal(run.list("VolumeAttachment").length, 0);
    run.advance(70);
    assert.equal(run.list("VolumeAttachment")[0]?.status?.attached, true);
  });

  test("the volume of an ended pod is detached", () => {
    const ended = pod("one", "n1", "restartPolicy: Never").replace(
      "image: app,",
      "image: app, command: [sh, -c, exit 0],",
    );
    const run = start().apply(ended).advance(60).settle();
    assert.equal(run.get("Pod", "one")?.status?.phase, "Succeeded");
    assert.deepEqual(attached(run, "n1"), []);
  });

  test("once a claim is bound, its pod's volume is attached", () => {
    const run = new StorageRun({ nodes: twoNodes });
    const [, claim = ""] = volume().split("---");
    run.apply(claim).apply(pod("one", "n1")).advance(5);
    assert.deepEqual(run.calls, []);
    run
      .apply(volume().split("---")[0] ?? "")
      .advance(60)
      .settle();
    assert.deepEqual(attached(run, "n1"), [unique]);
  });

  test("the volume of a recreated claim is attached for the running pod, in addition to the former one", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.delete("PersistentVolumeClaim", "data");
    run.patch("PersistentVolumeClaim", "data", { metadata: { finalizers: null } }).settle();
    const other = volume()
      .replaceAll(/(name|Name): pv/g, "$1: pv-b")
      .replace("Handle: h", "Handle: h-b");
    run.apply(other).settle();
    assert.deepEqual(attached(run, "n1"), [unique, `${unique}-b`]);
    const folder = "/var/lib/kubelet";
    run.mayEndOtherwise("a restarted kubelet unmounts the volume that the claim no longer has", {
      "in use on n1": `${unique}-b`,
      [`${folder}/plugins/kubernetes.io/csi/d.csi/${sha256("h")}/globalmount on n1`]: "gone",
      [`${folder}/pods/<uid Pod/default/one>/volumes/kubernetes.io~csi/pv/mount on n1`]: "gone",
    });
  });

  test("a driver that requires no attach gets no attachment", () => {
    const run = new StorageRun({ nodes: twoNodes, driver: { attachRequired: false } });
    run.apply(volume()).apply(pod("one", "n1")).settle();
    assert.deepEqual(run.list("VolumeAttachment"), []);
    assert.equal(run.get("Pod", "one")?.status?.phase, "Running");
  });

  test("once a driver requires attach, its volume is attached when its pod changes", () => {
    const run = new StorageRun({ nodes: twoNodes, driver: { attachRequired: false } });
    const two = pod("one", "n1").replace(
      "volumes: [",
      "volumes: [{ name: disk, awsElasticBlockStore: { volumeID: vol-1 } }, ",
    );
    run.apply(volume()).apply(two).settle().delete("CSIDriver", "d.csi").settle();
    const drivers = (): readonly unknown[] =>
      run.list("VolumeAttachment").map(({ spec }) => spec.attacher);
    assert.deepEqual(drivers(), ["ebs.csi.aws.com"]);
    const object = { kind: "Pod", namespace: "default", name: "one" } as const;
    run.step({
      type: "patch",
      object,
      patch: { status: { message: "new" } },
      subresource: "status",
    });
    run.advance(1);
    run.mayEndOtherwise("a restarted kubelet assumes that the driver requires attach", {
      "in use on n1": unique,
    });
    assert.deepEqual(drivers().toSorted(), ["d.csi", "ebs.csi.aws.com"]);
  });

  test("once a driver requires attach, its volume is attached when all pods are listed, within three minutes", () => {
    const run = new StorageRun({ nodes: twoNodes, driver: { attachRequired: false } });
    run.apply(volume()).apply(pod("one", "n1")).settle().delete("CSIDriver", "d.csi").settle();
    assert.deepEqual(run.list("VolumeAttachment"), []);
    run.advance(180);
    assert.deepEqual(attached(run, "n1"), [unique]);
    run.mayEndOtherwise("a restarted kubelet assumes that the driver requires attach", {
      "in use on n1": unique,
    });
  });

  test("an inline in-tree disk is attached by an attachment with an inlineVolumeSpec", () => {
    const disk = "awsElasticBlockStore: { volumeID: vol-1, fsType: ext4 }";
    const run = start().apply(
      pod("one", "n1").replace("persistentVolumeClaim: { claimName: data }", disk),
    );
    run.settle();
    const { attacher, source } = run.list("VolumeAttachment")[0]?.spec ?? {};
    assert.equal(attacher, "ebs.csi.aws.com");
    assert.deepEqual(source?.inlineVolumeSpec, {
      accessModes: ["ReadWriteOnce"],
      csi: {
        driver: "ebs.csi.aws.com",
        volumeHandle: "vol-1",
        fsType: "ext4",
        volumeAttributes: { partition: "0" },
      },
    });
  });

  test("without an attacher the attach times out after two minutes, even if other attachments change", () => {
    const run = start();
    run.step({ type: "driver", name: "d.csi", controller: "down" });
    run.apply(pod("one", "n1")).apply(`
      kind: VolumeAttachment
      metadata: { name: other }
      spec: { attacher: e.csi, nodeName: n1, source: { persistentVolumeName: pv } }
    `);
    run.step({
      type: "patch",
      object: { kind: "VolumeAttachment", name: "other" },
      subresource: "status",
      patch: { status: { attached: true } },
    });
    run.advance(125);
    assert.deepEqual(warnings(run, "one"), [
      'AttachVolume.Attach failed for volume "pv" : timed out waiting for external-attacher of d.csi CSI driver to attach volume h',
    ]);
  });

  test("once the driver requires no attach, a pod that waits for one starts, and no attachment is left", () => {
    const run = start();
    run.step({ type: "driver", name: "d.csi", controller: "down" });
    run.delete("CSIDriver", "d.csi").apply(pod("one", "n1")).advance(10);
    assert.equal(run.get("Pod", "one")?.status?.phase, "Pending");
    run.apply(`
      kind: CSIDriver
      metadata: { name: d.csi }
      spec: { attachRequired: false }
    `);
    run.advance(5);
    assert.equal(run.get("Pod", "one")?.status?.phase, "Running");
    assert.deepEqual(attached(run, "n1"), []);
    run.advance(200).step({ type: "driver", name: "d.csi", controller: "up" });
    run.advance(300);
    assert.deepEqual(run.list("VolumeAttachment"), []);
    assert.equal(run.get("Pod", "one")?.status?.phase, "Running");
    const name = "csi-3cba8e93112ff81c264ddf0afbbaa199583dd9da96f3ea6686bdf944115dcbbb";
    run.mayEndOtherwise(
      "a restarted controller takes over no attachment of a driver that requires none",
      {
        [`VolumeAttachment ${name}`]: "attached",
      },
    );
  });

  test("if the driver stops requiring attach during an attach, nothing is left; until 1.35, the attachment", () => {
    const ended = (version: "1.35" | "1.36"): StorageRun => {
      const run = new StorageRun({ nodes: twoNodes, version }).apply(volume()).settle();
      run.fault("ControllerPublishVolume", { delayMs: 5_000 });
      run.delete("CSIDriver", "d.csi").apply(pod("one", "n1")).advance(1);
      run.apply(`
        kind: CSIDriver
        metadata: { name: d.csi }
        spec: { attachRequired: false }
      `);
      run.advance(90);
      assert.equal(run.get("Pod", "one")?.status?.phase, "Running");
      return run;
    };
    const old = ended("1.35");
    assert.deepEqual(warnings(old, "one"), [
      'AttachVolume.MarkVolumeAsAttached failed for volume "pv" : failed to get AttachablePlugin from volumeSpec for volume "pv" err=plugin do not support attachment',
      'AttachVolume.FindAttachablePluginBySpec failed for volume "pv" ',
    ]);
    const [left] = old.list("VolumeAttachment");
    assert.ok(left !== undefined);
    old.mayEndOtherwise("an attach that failed before is uncertain, and therefore detached", {
      [`VolumeAttachment ${left.metadata.name}`]: "gone",
    });
    const present = ended("1.36");
    assert.deepEqual(warnings(present, "one"), []);
    assert.deepEqual(present.list("VolumeAttachment"), []);
    present.mayEndOtherwise(
      "a restarted controller takes over no attachment of a driver that requires none",
      { [`VolumeAttachment ${left.metadata.name}`]: "attached" },
    );
  });
});
