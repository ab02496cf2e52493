/** What the controller records about volumes and nodes, and when that changes. */
import assert from "node:assert/strict";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import type { Step } from "../../../../src/engine/scenario.ts";
import type { Decision } from "../../../../src/engine/trace/decision.ts";
import { attachmentName } from "../../../../src/engine/volume/volume-names.ts";
import { testWithFaults } from "../../../support/same-end.ts";
import { StorageRun, twoNodes } from "../../../support/storage-run.ts";
import { attached, controllerCalls, pod, start, unique, volume, warnings } from "./disk-fixture.ts";

const controller = "attachdetach-controller";
const attachment = attachmentName("h", "d.csi", "n1");

/** A volume of another name, its claim, and a pod that mounts it beside the first one or alone. */
const other = (name: string): string =>
  volume()
    .replaceAll(/(name|Name): pv/g, `$1: pv-${name}`)
    .replace("Handle: h", `Handle: h-${name}`)
    .replace("name: data", `name: data-${name}`);

const otherPod = (name: string, node: string): string =>
  pod(`with-${name}`, node).replace("claimName: data", `claimName: data-${name}`);

function restart(runtime: Runtime): void {
  runtime.stop(controller);
  runtime.startAgain(controller, 1000);
}

/** Crashes the controller that long after the cluster is up; it is back a second later. */
function restartAfter(ms: number): (runtime: Runtime) => void {
  return (runtime) => runtime.loop.after(ms, () => restart(runtime));
}

function attachedOf(name: string, value: boolean): Step {
  const patch = { status: { attached: value } };
  return {
    type: "patch",
    object: { kind: "VolumeAttachment", name },
    subresource: "status",
    patch,
  };
}

const attacherDown: Step = { type: "driver", name: "d.csi", controller: "down" };

/** What was recorded about volumes that are not detached. */
function waits(run: StorageRun, reason = "WaitForUnmount"): readonly Decision[] {
  return run.simulation.trace.entries.flatMap((e) =>
    e.type === "decision" && e.decision.reason === reason ? [e.decision] : [],
  );
}

/** Asserts that the volume is detached in the controller's first pass after that moment. */
function assertIsDue(run: StorageRun, due: number | undefined): void {
  const call = run.simulation.trace.entries.find(
    (e) => e.type === "call" && e.call === "ControllerUnpublishVolume",
  );
  assert.ok(due !== undefined && call !== undefined && due <= call.at && call.at < due + 200);
}

suite("attach-detach controller: records", () => {
  testWithFaults("a node's status lists its volumes by name, each removed by itself", () => {
    const run = start().apply(other("c")).apply(other("a")).settle();
    run.apply(otherPod("c", "n1")).apply(pod("one", "n1")).apply(otherPod("a", "n1")).settle();
    const listed = ["", "-a", "-c"].map((end) => ({ name: unique + end, devicePath: "" }));
    assert.deepEqual(run.get("Node", "n1")?.status?.volumesAttached, listed);
    run.delete("Pod", "with-a").settle();
    assert.deepEqual(attached(run, "n1"), [unique, `${unique}-c`]);
  });

  testWithFaults("a volume detached despite a reported error belongs to the new node", () => {
    const run = start().apply(pod("one", "n1")).settle();
    // The driver detaches it, but reports an error.
    run.fault("ControllerUnpublishVolume", { code: "Internal", after: true });
    run.delete("Pod", "one").apply(pod("two", "n2")).settle();
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[], [unique]]);
    assert.deepEqual(
      run.list("VolumeAttachment").map(({ spec }) => spec.nodeName),
      ["n2"],
    );
    run.mark().apply(pod("three", "n1")).advance(10);
    assert.deepEqual(warnings(run, "three"), [
      'Multi-Attach error for volume "pv" Volume is already used by pod(s) two',
    ]);
    assert.deepEqual(controllerCalls(run), []);
    run.delete("Pod", "three");
  });

  test("a pod on a deleted node gets nothing attached until within three minutes of the node's return", () => {
    const run = start().step({ type: "node", name: "n2", kubelet: "down" });
    run.delete("Node", "n2").apply(pod("one", "n2")).advance(10);
    assert.deepEqual(run.list("VolumeAttachment"), []);
    run.apply(`
      kind: Node
      metadata:
        name: n2
        annotations: { volumes.kubernetes.io/controller-managed-attach-detach: "true" }
    `);
    run.advance(70);
    assert.deepEqual(run.list("VolumeAttachment"), []);
    run.advance(20);
    assert.equal(run.list("VolumeAttachment").length, 1);
  });

  testWithFaults("a node that has sent its status sends it again five minutes later", () => {
    const run = start().advance(100);
    run.step({
      type: "patch",
      object: { kind: "Node", name: "n1" },
      subresource: "status",
      patch: { status: { volumesInUse: ["kubernetes.io/csi/d.csi^other"] } },
    });
    // Its kubelet corrects this within ten seconds.
    run.mark().advance(10).fault("ControllerPublishVolume", { code: "Internal", times: 0 });
    run.apply(pod("one", "n1")).advance(0.5);
    run.delete("Pod", "one", { grace: 0 }).advance(600);
    assert.deepEqual(run.callTimes("ControllerUnpublishVolume"), [302]);
  });

  testWithFaults(
    "a volume whose attachment is no longer attached counts as detached after half a minute",
    () => {
      const run = start().apply(pod("one", "n1")).settle().step(attacherDown);
      run.step(attachedOf(attachment, false)).advance(25);
      assert.deepEqual(attached(run, "n1"), [unique]);
      run.advance(10);
      assert.deepEqual(attached(run, "n1"), []);
    },
  );

  testWithFaults(
    "a deleted attachment with a finalizer counts until it is gone, and up to a minute longer",
    () => {
      const run = start().apply(pod("one", "n1")).settle().step(attacherDown);
      run.delete("VolumeAttachment", attachment).advance(120);
      assert.deepEqual(attached(run, "n1"), [unique]);
      run.patch("VolumeAttachment", attachment, { metadata: { finalizers: null } }).advance(60);
      assert.deepEqual(attached(run, "n1"), []);
      assert.equal(run.get("VolumeAttachment", attachment)?.status?.attached, false);
    },
  );

  testWithFaults(
    "after a restart, attachments of missing volumes and of volumes that need no attach are left alone",
    () => {
      const run = new StorageRun({
        nodes: twoNodes,
        driver: { attachRequired: false },
        disturb: restartAfter(60_000),
      });
      run.apply(volume()).apply(`
      kind: VolumeAttachment
      metadata: { name: ${attachment} }
      spec: { attacher: d.csi, nodeName: n1, source: { persistentVolumeName: pv } }
      ---
      kind: VolumeAttachment
      metadata: { name: of-nothing }
      spec: { attacher: e.csi, nodeName: n1, source: { persistentVolumeName: gone } }
    `);
      run.advance(500);
      assert.deepEqual(run.list("VolumeAttachment").length, 2);
      assert.deepEqual(run.writes(controller), []);
    },
  );

  testWithFaults(
    "if one volume of a pod is bound later, both are attached once all pods are listed",
    () => {
      const run = start(undefined, (runtime) => runtime.stop("persistentvolume-binder"));
      run.apply(other("b")).advance(5);
      const bound = (name: string): void => {
        const uid = run.get("PersistentVolumeClaim", name)?.metadata.uid ?? "";
        const claimRef = { kind: "PersistentVolumeClaim", namespace: "default", name, uid };
        run.patch("PersistentVolume", name.replace("data", "pv"), { spec: { claimRef } });
      };
      for (const name of ["data", "data-b"])
        run.step({
          type: "patch",
          object: { kind: "PersistentVolumeClaim", name },
          patch: { status: { phase: "Bound", capacity: { storage: "1Gi" } } },
          subresource: "status",
        });
      bound("data");
      const both = pod("one", "n1").replace(
        "volumes: [",
        "volumes: [{ name: more, persistentVolumeClaim: { claimName: data-b } }, ",
      );
      run.apply(both).advance(5);
      assert.deepEqual(attached(run, "n1"), [unique]);
      bound("data-b");
      run.advance(180);
      assert.deepEqual(attached(run, "n1"), [unique, `${unique}-b`]);
    },
  );

  testWithFaults("after a restart, a running detach causes no Multi-Attach warning", () => {
    const run = start(undefined, restartAfter(60_000)).apply(pod("one", "n1")).advance(70);
    run.fault("ControllerUnpublishVolume", { delayMs: 10_000 });
    run.delete("Pod", "one").advance(5).apply(pod("two", "n2")).settle();
    assert.deepEqual(attached(run, "n2"), [unique]);
    assert.deepEqual(warnings(run, "two"), []);
  });

  testWithFaults("an ended pod gets nothing attached when its claim changes", () => {
    const ended = pod("one", "n1", "restartPolicy: Never").replace(
      "image: app,",
      "image: app, command: [sh, -c, exit 0],",
    );
    const run = start().apply(ended).advance(60).settle().mark();
    run.patch("PersistentVolumeClaim", "data", { metadata: { labels: { seen: "yes" } } });
    run.advance(10);
    assert.deepEqual([attached(run, "n1"), run.writes(controller)], [[], []]);
  });

  testWithFaults(
    "attachments stay if their driver requires no attach for less than one minute",
    () => {
      const run = start().apply(pod("one", "n1")).settle();
      const { now } = run.simulation;
      run.advance((60_000 - (now % 60_000)) / 1000 + 5).mark();
      run.delete("CSIDriver", "d.csi").apply(`
      kind: CSIDriver
      metadata: { name: d.csi }
      spec: { attachRequired: false }
    `);
      run.advance(10).delete("CSIDriver", "d.csi").advance(120);
      assert.deepEqual(attached(run, "n1"), [unique]);
      assert.deepEqual(controllerCalls(run), []);
      run.apply(pod("two", "n2")).advance(5);
      assert.deepEqual(warnings(run, "two"), [
        'Multi-Attach error for volume "pv" Volume is already used by pod(s) one',
      ]);
      run.delete("Pod", "two");
    },
  );

  testWithFaults(
    "a claim with the name of a pod's ephemeral volume that is not the pod's is not attached",
    () => {
      const own = volume().replace("name: data", "name: one-data");
      const run = new StorageRun({ nodes: twoNodes }).apply(own).settle();
      const template =
        "{ spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }";
      const ephemeral = pod("one", "n1").replace(
        "persistentVolumeClaim: { claimName: data }",
        `ephemeral: { volumeClaimTemplate: ${template} }`,
      );
      run.apply(ephemeral).advance(200);
      assert.deepEqual(run.list("VolumeAttachment"), []);
    },
  );
  testWithFaults("why a silent node keeps a volume is recorded, with its detach time", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" }).advance(100).mark();
    run.delete("Pod", "one", { grace: 0 }).advance(400);
    const [noted] = waits(run);
    assert.deepEqual(noted?.because, ["Node//n1"]);
    assert.equal(
      noted?.text,
      "the node is not ready, so the volume counts as mounted there until it is force-detached",
    );
    assertIsDue(run, noted?.due);
  });

  test("why a ready node keeps a volume that it never used is recorded, with the time of its next status", () => {
    const run = new StorageRun({ nodes: [{ name: "n1" }] }).apply(volume()).settle();
    run.fault("ControllerPublishVolume", { code: "Internal", times: 0 });
    run.apply(pod("one", "n1")).advance(0.5);
    run.delete("Pod", "one", { grace: 0 }).advance(400);
    const [noted] = waits(run, "WaitForNodeStatus");
    assert.deepEqual(noted?.because, ["Node//n1"]);
    assert.equal(
      noted?.text,
      "the volume counts as mounted there until the node next reports its status",
    );
    assertIsDue(run, noted?.due);
  });

  testWithFaults("waiting for a ready node that uses the volume is not recorded", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("NodeUnpublishVolume", { code: "Internal", times: 0 });
    run.delete("Pod", "one", { grace: 0 }).advance(60);
    assert.deepEqual(waits(run), []);
    run.fault("NodeUnpublishVolume", { clear: true });
  });

  testWithFaults(
    "a driver's pods are known again after it required no attach for some time",
    () => {
      const run = start().apply(pod("one", "n1")).settle();
      run.delete("CSIDriver", "d.csi").apply(`
      kind: CSIDriver
      metadata: { name: d.csi }
      spec: { attachRequired: false }
    `);
      run.advance(90).delete("CSIDriver", "d.csi").advance(185).apply(pod("two", "n2")).advance(5);
      assert.deepEqual(warnings(run, "two"), [
        'Multi-Attach error for volume "pv" Volume is already used by pod(s) one',
      ]);
      run.delete("Pod", "two");
    },
  );

  test("half a minute after a driver stops requiring attach its volumes are detached, even if their pods stay", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" });
    run.step({
      type: "patch",
      object: { kind: "Node", name: "n1" },
      subresource: "status",
      patch: { status: { volumesInUse: null } },
    });
    run
      .mark()
      .delete("CSIDriver", "d.csi")
      .apply(`
      kind: CSIDriver
      metadata: { name: d.csi }
      spec: { attachRequired: false }
    `);
    run.advance(29);
    assert.deepEqual([attached(run, "n1"), controllerCalls(run)], [[unique], []]);
    run.advance(2);
    assert.deepEqual(
      [attached(run, "n1"), controllerCalls(run)],
      [[], ["ControllerUnpublishVolume OK"]],
    );
  });

  test("a volume that its node does not use is detached at once, even if the node is gone by then", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" });
    run.step({
      type: "patch",
      object: { kind: "Node", name: "n1" },
      subresource: "status",
      patch: { status: { volumesInUse: null } },
    });
    run.delete("Node", "n1").mark().delete("Pod", "one", { grace: 0 }).advance(5);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
  });

  testWithFaults("a volume that is known from the node's status alone is detached", () => {
    let upAt = 0;
    const run = start(undefined, (runtime) => {
      upAt = runtime.loop.now;
      runtime.loop.after(100_000, () => runtime.stop(controller));
      runtime.loop.after(200_000, () => runtime.startAgain(controller, 0));
    });
    run.apply(pod("one", "n1")).settle();
    run.advance((upAt + 110_000 - run.simulation.now) / 1000);
    run.mark().delete("Pod", "one").advance(60);
    assert.deepEqual([attached(run, "n1"), controllerCalls(run)], [[unique], []]);
    run.advance(400);
    assert.deepEqual([attached(run, "n1"), run.list("VolumeAttachment")], [[], []]);
  });

  testWithFaults("a volume whose claim is gone is detached within a minute of its pod", () => {
    const run = start().apply(other("b")).apply(pod("one", "n1")).apply(otherPod("b", "n1"));
    const finalizers = { metadata: { finalizers: null } };
    run.settle();
    run.delete("PersistentVolumeClaim", "data").patch("PersistentVolumeClaim", "data", finalizers);
    run.settle().mark().delete("Pod", "one").advance(1);
    const [noted, ...more] = waits(run, "WaitForPopulator");
    assert.deepEqual(more, []);
    run.advance(24);
    assert.deepEqual(run.get("Node", "n1")?.status?.volumesInUse, [`${unique}-b`]);
    assert.deepEqual([attached(run, "n1"), controllerCalls(run)], [[unique, `${unique}-b`], []]);
    run.advance(15);
    assertIsDue(run, noted?.due);
    assert.deepEqual(attached(run, "n1"), [`${unique}-b`]);
    assert.equal(run.list("VolumeAttachment").length, 1);
  });

  test("the recorded time of that detach stays the same when the ended pod changes", () => {
    const ending = pod("one", "n1", "restartPolicy: Never").replace(
      "image: app,",
      "image: app, command: [sleep, '60'],",
    );
    const run = start().apply(ending).advance(20);
    const finalizers = { metadata: { finalizers: null } };
    run.delete("PersistentVolumeClaim", "data").patch("PersistentVolumeClaim", "data", finalizers);
    run.mark().advance(50);
    assert.equal(run.get("Pod", "one")?.status?.phase, "Succeeded");
    run.patch("Pod", "one", { metadata: { labels: { seen: "yes" } } }).advance(30);
    const [noted, ...more] = waits(run, "WaitForPopulator");
    assertIsDue(run, noted?.due);
    assert.deepEqual(more, []);
  });

  testWithFaults("a volume with a caret in its handle is attached, and never detached", () => {
    const run = new StorageRun({ nodes: twoNodes });
    run.apply(volume().replace("Handle: h", "Handle: h^2")).apply(pod("one", "n1")).settle();
    assert.deepEqual(attached(run, "n1"), [`${unique}^2`]);
    run.mark().delete("Pod", "one").advance(400);
    assert.deepEqual([attached(run, "n1"), controllerCalls(run)], [[], []]);
    assert.equal(run.list("VolumeAttachment").length, 1);
  });

  test("a node is managed by the controller whatever the value of its annotation", () => {
    const annotations = "{ volumes.kubernetes.io/controller-managed-attach-detach: 'false' }";
    const run = start().apply(`kind: Node\nmetadata: { name: n3, annotations: ${annotations} }`);
    run.apply(pod("one", "n3")).advance(20);
    assert.deepEqual(
      run.list("VolumeAttachment").map(({ spec }) => spec.nodeName),
      ["n3"],
    );
  });

  test("volumesAttached of a new node is not believed", () => {
    const managed = "volumes.kubernetes.io/controller-managed-attach-detach";
    const run = start().apply(`
      kind: Node
      metadata: { name: n3, annotations: { ${managed}: "true" } }
      status: { volumesAttached: [{ name: ${unique}, devicePath: "" }] }
    `);
    run.advance(100).apply(pod("one", "n3")).advance(20);
    assert.deepEqual([attached(run, "n3"), run.list("VolumeAttachment").length], [[unique], 1]);
  });
});
