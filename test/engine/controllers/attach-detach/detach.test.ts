/** Detaching, and what the controller does after a restart. */
import assert from "node:assert/strict";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import type { NodeProfile, Step } from "../../../../src/engine/scenario.ts";
import { attachmentName } from "../../../../src/engine/volume/volume-names.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { StorageRun } from "../../../support/storage-run.ts";
import {
  attached,
  controllerCalls,
  nodesOf,
  pod,
  start,
  unique,
  volume,
  warnings,
} from "./disk-fixture.ts";

const controller = "attachdetach-controller";
const down: Step = { type: "node", name: "n1", kubelet: "down" };
const attachment = attachmentName("h", "d.csi", "n1");
const ownAttachment = `
  kind: VolumeAttachment
  metadata: { name: ${attachment} }
  spec: { attacher: d.csi, nodeName: n1, source: { persistentVolumeName: pv } }
`;

function inUse(volumesInUse: readonly string[]): Step {
  const patch = { status: { volumesInUse } };
  return { type: "patch", object: { kind: "Node", name: "n1" }, subresource: "status", patch };
}

const labels: Step = {
  type: "patch",
  object: { kind: "Node", name: "n1" },
  patch: { metadata: { labels: { disk: "fast" } } },
};

/** Crashes the controller after a while; it is back a second later. */
function restartAfter(ms: number): (runtime: Runtime) => void {
  return (runtime) =>
    runtime.loop.after(ms, () => {
      runtime.stop(controller);
      runtime.startAgain(controller, 1000);
    });
}

function lastWriteTo(run: StorageRun, ref: string, actor: string): number {
  const { entries } = run.simulation.trace;
  return entries.findLast((e) => e.type === "write" && e.actor === actor && e.ref === ref)?.at ?? 0;
}

suite("attach-detach controller: detach", () => {
  test("a live node that does not unmount keeps its volume", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("NodeUnpublishVolume", { code: "Internal", times: 0 });
    run.delete("Pod", "one", { grace: 0 }).mark().advance(4200);
    assert.deepEqual(controllerCalls(run), []);
    assert.deepEqual(attached(run, "n1"), [unique]);
  });

  test("nothing is detached before the volume is removed from the node's status", () => {
    const run = start(undefined, ({ api, loop }) => {
      let refusals = 3;
      const patch = api.patch.bind(api);
      const from = loop.now + 60_000;
      api.patch = (kind, namespace, name, subresource, change) => {
        const current = api.store.get(kind, namespace, name);
        const after = current === undefined ? undefined : change(current);
        const isForgotten = after?.kind === "Node" && after.status?.volumesAttached === undefined;
        if (loop.now < from || !isForgotten || name !== "n1" || refusals-- <= 0)
          return patch(kind, namespace, name, subresource, change);
        return { ok: false, error: { code: 500, reason: "InternalError", message: "no" } };
      };
    });
    run.apply(pod("one", "n1")).settle().advance(60).mark().delete("Pod", "one").settle();
    const { entries } = run.simulation.trace;
    const refused = entries.filter((e) => e.type === "refused" && e.actor === controller);
    assert.equal(refused.length, 3);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
    assert.ok((refused.at(-1)?.seq ?? 0) < entries.findLastIndex((e) => e.type === "call"));
  });

  test("an attach that may have worked is undone before the volume goes to another node", () => {
    const run = start().fault("ControllerPublishVolume", {
      code: "DeadlineExceeded",
      after: true,
      times: 0,
    });
    run.apply(pod("one", "n1")).advance(5);
    assert.deepEqual(attached(run, "n1"), []);
    run.delete("Pod", "one").apply(pod("two", "n2")).advance(2);
    run.fault("ControllerPublishVolume", { clear: true }).settle();
    assert.equal(run.calls.includes("ControllerUnpublishVolume OK"), true);
    assert.deepEqual(nodesOf(run, "ControllerPublishVolume"), ["n1", "n2"]);
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[], [unique]]);
  });

  test("after a failed detach the node may have the volume again, and then alone", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("ControllerUnpublishVolume", { code: "Internal", times: 4 });
    // Longer than any back-off, so it has the volume before another node wants it.
    run.delete("Pod", "one").advance(3).mark().apply(pod("again", "n1")).advance(300);
    assert.deepEqual(warnings(run, "again"), [
      'AttachVolume.Attach failed for volume "pv" : volume attachment is being deleted',
    ]);
    assert.deepEqual(attached(run, "n1"), [unique]);
    run.mark().apply(pod("other", "n2")).settle();
    assert.deepEqual(warnings(run, "other"), [
      'Multi-Attach error for volume "pv" Volume is already used by pod(s) again',
    ]);
    assert.deepEqual(controllerCalls(run), []);
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[unique], []]);
  });

  test("while a detach is running the volume is not attached to another node", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("ControllerUnpublishVolume", { delayMs: 10_000 });
    run.delete("Pod", "one").apply(pod("two", "n2")).advance(8);
    assert.deepEqual(nodesOf(run, "ControllerPublishVolume"), ["n1"]);
    run.settle();
    assert.deepEqual(nodesOf(run, "ControllerPublishVolume"), ["n1", "n2"]);
  });

  test("if detaching fails on two nodes, they are tried in turn", () => {
    const run = start().fault("ControllerPublishVolume", { code: "Internal", times: 0 });
    run.fault("ControllerUnpublishVolume", { code: "Internal", times: 0 });
    run.apply(pod("one", "n1")).apply(pod("two", "n2")).advance(60);
    run.delete("Pod", "one").delete("Pod", "two").advance(60);
    assert.deepEqual([...new Set(nodesOf(run, "ControllerUnpublishVolume"))].sort(), ["n1", "n2"]);
  });

  test("a new pod for the volume on a dead node stops the six minutes", () => {
    const run = start().apply(pod("one", "n1")).settle().step(down);
    run.delete("Pod", "one", { grace: 0 }).advance(200).apply(pod("again", "n1")).mark();
    run.advance(300);
    run.delete("Pod", "again", { grace: 0 }).advance(350);
    assert.deepEqual(controllerCalls(run), []);
    run.advance(20);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
  });

  test("after a restart, an attachment without a pod is removed", () => {
    const run = start(undefined, restartAfter(60_000)).apply(ownAttachment).settle();
    assert.equal(run.get("VolumeAttachment", attachment)?.status?.attached, true);
    run.mark().advance(360);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
    assert.deepEqual(run.list("VolumeAttachment"), []);
  });

  test("after a failed attach, if the pod is deleted before the node's next status, the attachment stays until that status", () => {
    const detachedAfter = (
      nodes: readonly NodeProfile[],
      before: readonly Step[] = [],
    ): readonly number[] => {
      const run = new StorageRun({ nodes }).apply(volume()).settle();
      for (const step of before) run.step(step);
      run.fault("ControllerPublishVolume", { code: "Internal", times: 0 });
      run.mark().apply(pod("one", "n1")).advance(0.5);
      run.delete("Pod", "one", { grace: 0 }).advance(600);
      assert.deepEqual(run.list("VolumeAttachment"), []);
      return run.callTimes("ControllerUnpublishVolume");
    };
    // The node sent its last status when it was registered, some 20 s before.
    assert.deepEqual(detachedAfter([{ name: "n1" }]), [279]);
    assert.deepEqual(detachedAfter([{ name: "n1", statusUpdateMs: 40_000 }]), [19]);
    // Changes to the node by others are no status.
    assert.deepEqual(detachedAfter([{ name: "n1" }], [labels]), [279]);
  });

  test("after a restart, an attachment with a pod is left as it is", () => {
    const run = start(undefined, restartAfter(60_000)).apply(pod("one", "n1")).settle();
    run.mark().advance(120);
    assert.deepEqual([controllerCalls(run), run.writes(controller)], [[], []]);
    assert.equal(run.eventCount("Pod/default/one", "SuccessfulAttachVolume"), 0);
  });

  test("a pod that keeps terminating on a dead node keeps its volume there", () => {
    const run = start()
      .apply(pod("one", "n1", "tolerations: [{ operator: Exists }]"))
      .settle();
    run.step(down).step({ type: "delete", objects: [{ kind: "Pod", name: "one", grace: 30 }] });
    run.mark().advance(1200);
    assert.deepEqual(controllerCalls(run), []);
    assert.deepEqual(attached(run, "n1"), [unique]);
  });

  test("a volume that the node's status lists as in use again is not detached", () => {
    const removed = (): StorageRun => start().apply(pod("one", "n1")).settle().delete("Pod", "one");
    const from = removed().simulation.now;
    // Once the volume is removed from the status, volumesInUse is read live before the detach.
    const forgottenAt = lastWriteTo(removed().settle(), "Node//n1", controller);
    const run = removed()
      .mark()
      .step({ type: "advance", ms: forgottenAt - from });
    run
      .step(inUse([unique]))
      .step(down)
      .advance(10);
    assert.deepEqual(controllerCalls(run), []);
    assert.notEqual(run.get("VolumeAttachment", attachment), undefined);
    assert.deepEqual(attached(run, "n1"), []);
    // The kubelet corrects volumesInUse.
    run.step({ type: "node", name: "n1", kubelet: "up" }).settle();
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
  });

  test("the volume of a deleted node is detached six minutes after its pod is gone", () => {
    const run = start().apply(pod("one", "n1")).settle().step(down);
    run.delete("Node", "n1").delete("Pod", "one", { grace: 0 }).mark().advance(350);
    assert.deepEqual(controllerCalls(run), []);
    run.advance(20);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
  });

  test("the volume of a deleted node is detached even if its kubelet runs and has it mounted", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("NodeUnpublishVolume", { code: "Internal", times: 0 });
    run.delete("Node", "n1").delete("Pod", "one", { grace: 0 }).mark().advance(350);
    assert.deepEqual(controllerCalls(run), []);
    run.advance(20);
    assert.deepEqual(controllerCalls(run), ["ControllerUnpublishVolume OK"]);
    assert.notDeepEqual(run.simulation.runtime.machines.get("n1")?.mounts.entries, []);
    run.fault("NodeUnpublishVolume", { clear: true });
    run.step({ type: "node", name: "n1", kubelet: "restart" }).settle();
    assert.deepEqual(run.simulation.runtime.machines.get("n1")?.mounts.entries, []);
  });

  test("a node that was deleted and comes back gets volumesAttached in its status again", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.delete("Node", "n1").step({ type: "node", name: "n1", kubelet: "restart" }).settle();
    assert.deepEqual(attached(run, "n1"), [unique]);
  });

  test("an existing attachment that is done is taken over half a second later", () => {
    const run = start().apply(ownAttachment).settle().mark().apply(pod("one", "n1")).advance(0.8);
    assert.deepEqual([controllerCalls(run), attached(run, "n1")], [[], [unique]]);
    assert.deepEqual(run.writes(controller), ["update Node//n1 status"]);
  });

  test("a volume whose attachment is gone counts as detached without waiting", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.delete("VolumeAttachment", attachment).advance(1).delete("Pod", "one").settle();
    run.mark().apply(pod("two", "n2")).advance(1);
    assert.deepEqual(attached(run, "n2"), [unique]);
  });

  test("a node whose kubelet attaches is left alone", () => {
    const run = start().apply("kind: Node\nmetadata: { name: n3 }").apply(pod("one", "n3"));
    run.advance(60);
    assert.deepEqual(run.list("VolumeAttachment"), []);
  });
});
