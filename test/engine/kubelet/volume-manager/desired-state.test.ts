/** What a kubelet remembers of the volumes that its pods need. */
import assert from "node:assert/strict";
import type { Pod } from "../../../../src/engine/api/types.ts";
import {
  type DesiredPod,
  DesiredState,
} from "../../../../src/engine/kubelet/volume-manager/desired-state.ts";
import { csiPlugin } from "../../../../src/engine/kubelet/volumes/csi.ts";

const uniqueName = "kubernetes.io/csi/block.csi.test^vol";
const traits = { uniqueName, plugin: csiPlugin, isAttachable: true, isDeviceMountable: true };

function desiredPod(uid: string, readOnly: boolean): DesiredPod {
  const pod = { metadata: { name: uid, namespace: "default", uid }, spec: {} } as Pod;
  return { pod, spec: { name: "pv", readOnly }, podVolumeNames: ["data"] };
}

function add(state: DesiredState, uid: string, size: string | undefined): void {
  state.add({ ...traits, size }, desiredPod(uid, size === undefined));
}

/** Returns the size that the volume may grow to. */
function sizeOf(state: DesiredState): string | undefined {
  return state.volumes.get(uniqueName)?.size;
}

suite("kubelet: the volumes that pods need", () => {
  test("a read-only pod does not change the size known from a pod that writes", () => {
    const state = new DesiredState();
    add(state, "writer", "2Gi");
    add(state, "reader", undefined);
    assert.equal(sizeOf(state), "2Gi");
  });

  test("a volume of a read-only pod may grow once a pod writes to it, and to a later size", () => {
    const state = new DesiredState();
    add(state, "reader", undefined);
    assert.equal(sizeOf(state), undefined);
    add(state, "writer", "2Gi");
    add(state, "writer", "3Gi");
    assert.equal(sizeOf(state), "3Gi");
  });

  test("a volume is needed until its last pod is gone", () => {
    const state = new DesiredState();
    add(state, "one", "1Gi");
    add(state, "other", "1Gi");
    state.remove(uniqueName, "one");
    assert.deepEqual([...(state.volumes.get(uniqueName)?.pods.keys() ?? [])], ["other"]);
    assert.deepEqual([state.volumesOf("one"), state.volumesOf("other")], [[], [uniqueName]]);
    state.remove(uniqueName, "other");
    assert.equal(state.volumes.size, 0);
  });
});
