/** Attaches and detaches that the API server refuses, or that get no answer. */
import assert from "node:assert/strict";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import type { Step } from "../../../../src/engine/scenario.ts";
import { attachmentName } from "../../../../src/engine/volume/volume-names.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import type { StorageRun } from "../../../support/storage-run.ts";
import { attached, controllerCalls, pod, start, unique, warnings } from "./disk-fixture.ts";

const attachment = attachmentName("h", "d.csi", "n1");
const attacherDown: Step = { type: "driver", name: "d.csi", controller: "down" };

/** Makes the API server refuse the first creations or deletions of attachments. */
function refusing(verb: "create" | "delete", count: number): (runtime: Runtime) => void {
  return ({ api }) => {
    let left = count;
    const error = { code: 500, reason: "InternalError", message: "no" };
    const create = api.create.bind(api);
    api.create = (draft) => {
      const isHit = verb === "create" && (draft as { kind?: unknown }).kind === "VolumeAttachment";
      return isHit && left-- > 0 ? { ok: false, error } : create(draft);
    };
    const remove = api.delete.bind(api);
    api.delete = (kind, namespace, name, options) =>
      verb === "delete" && kind === "VolumeAttachment" && left-- > 0
        ? { ok: false, error }
        : remove(kind, namespace, name, options);
  };
}

/** The recorded errors of failed detaches from n1. */
function detachFailures(run: StorageRun): readonly (string | undefined)[] {
  const texts = run.simulation.trace.entries.flatMap((e) =>
    e.type === "decision" && e.about === "Node//n1" ? [e.decision.text] : [],
  );
  return [...new Set(texts)];
}

suite("attach-detach controller: refusals", () => {
  test("a refused attachment is reported, and created half a second later", () => {
    const run = start(undefined, refusing("create", 1)).apply(pod("one", "n1")).settle();
    assert.deepEqual(warnings(run, "one"), [
      'AttachVolume.Attach failed for volume "pv" : kubernetes.io/csi: attacher.Attach failed: no',
    ]);
    assert.deepEqual(attached(run, "n1"), [unique]);
  });

  test("while an attachment cannot be deleted, the volume's state is uncertain", () => {
    const run = start(undefined, refusing("delete", 3)).apply(pod("one", "n1")).settle();
    run.delete("Pod", "one").settle();
    assert.deepEqual(detachFailures(run), [`${unique}: no`]);
    assert.deepEqual([run.list("VolumeAttachment"), attached(run, "n1")], [[], []]);
  });

  test("a failed detach is reported in the driver's words", () => {
    const run = start().apply(pod("one", "n1")).settle();
    run.fault("ControllerUnpublishVolume", { code: "Internal", times: 2 });
    run.delete("Pod", "one").settle();
    const error = "rpc error: code = Internal desc = injected Internal";
    assert.deepEqual(detachFailures(run), [`${unique}: ${error}`]);
    assert.deepEqual(run.list("VolumeAttachment"), []);
  });

  test("without an attacher a detach times out after two minutes, and is tried again", () => {
    const run = start().apply(pod("one", "n1")).settle().step(attacherDown);
    run.delete("Pod", "one").advance(100);
    assert.deepEqual(detachFailures(run), []);
    run.advance(40);
    assert.deepEqual(detachFailures(run), [
      `${unique}: timed out waiting for external-attacher of unknown CSI driver to detach volume h`,
    ]);
    run.step({ type: "driver", name: "d.csi", controller: "up" }).settle();
    assert.deepEqual(run.list("VolumeAttachment"), []);
  });

  test("an attachment that is deleted during the attach is recreated after the time-out of two minutes", () => {
    const run = start().step(attacherDown).apply(pod("one", "n1")).advance(5);
    run.patch("VolumeAttachment", attachment, { metadata: { finalizers: null } });
    run.delete("VolumeAttachment", attachment).advance(100);
    assert.deepEqual(run.list("VolumeAttachment"), []);
    run.advance(30);
    assert.equal(run.list("VolumeAttachment").length, 1);
    assert.deepEqual(warnings(run, "one"), [
      'AttachVolume.Attach failed for volume "pv" : timed out waiting for external-attacher of d.csi CSI driver to attach volume h',
    ]);
  });

  test("other changes of an attachment have no effect", () => {
    const run = start().apply(pod("one", "n1")).settle().mark();
    run.patch("VolumeAttachment", attachment, { metadata: { labels: { seen: "yes" } } });
    run.advance(65);
    assert.deepEqual([controllerCalls(run), run.writes("attachdetach-controller")], [[], []]);
  });
});
