/** Upstream: expand_controller_test.go TestSyncHandler v1.36. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { volumeExpand } from "../../../src/engine/controllers/volume-expand.ts";
import { bare } from "../../support/bare-objects.ts";
import { Scene } from "../../support/component-scene.ts";

function claim(requested: string, more: object = {}): KubeObject<"PersistentVolumeClaim"> {
  return bare("PersistentVolumeClaim", "data", {
    spec: { volumeName: "pv", resources: { requests: { storage: requested } } },
    status: { phase: "Bound", capacity: { storage: "1Gi" }, ...more },
  });
}

function volume(spec: object, annotations: object = {}): KubeObject<"PersistentVolume"> {
  const claimRef = { namespace: "default", name: "data", uid: "data" };
  return bare("PersistentVolume", "pv", {
    metadata: { annotations },
    spec: { capacity: { storage: "1Gi" }, claimRef, ...spec },
  });
}

const csi = { csi: { driver: "d.csi", volumeHandle: "h" } };
const disk = { awsElasticBlockStore: { volumeID: "vol-1" } };
const about = "PersistentVolumeClaim/default/data Normal ExternalExpanding";

const sceneOf = (...objects: readonly KubeObject[]): Scene =>
  new Scene([volumeExpand], objects).run(1000);
const handedOver = `${about} CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc`;
const resizer = (scene: Scene): string | undefined =>
  scene.get("PersistentVolumeClaim", "default", "data")?.metadata.annotations?.[
    "volume.kubernetes.io/storage-resizer"
  ];

suite("growth of claims", () => {
  test("of a CSI volume waits for an external controller, which an event says", () => {
    const scene = sceneOf(claim("2Gi"), volume(csi));
    assert.deepEqual(scene.events, [
      `${about} waiting for an external controller to expand this PVC`,
    ]);
    assert.equal(resizer(scene), undefined);
  });

  test("of a migrated in-tree volume is handed over to the CSI driver", () => {
    const scene = sceneOf(claim("2Gi"), volume(disk));
    assert.deepEqual(scene.events, [handedOver]);
    assert.equal(resizer(scene), "ebs.csi.aws.com");
  });

  test("of a migrated in-tree volume is handed over again after a conflict, with an event", () => {
    const conflictOnWrite = { component: "volume-expand", write: 1 };
    const objects = [claim("2Gi"), volume(disk)];
    const scene = new Scene([volumeExpand], objects, { fault: { conflictOnWrite } }).run(1000);
    assert.deepEqual(scene.events, [
      `×2 ${handedOver}`,
      'PersistentVolumeClaim/default/data Warning ExternalExpanding error setting resizer annotation to pvc default/data, with error patchPVCStatus failed to patch PVC "data": Operation cannot be fulfilled on persistentvolumeclaims "data": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    assert.equal(resizer(scene), "ebs.csi.aws.com");
  });

  test("gets an event only if the claim is bound and requests more than it has", () => {
    assert.deepEqual(sceneOf(claim("1Gi"), volume(csi)).events, []);
    assert.deepEqual(sceneOf(claim("2Gi", { phase: "Pending" }), volume(csi)).events, []);
    assert.deepEqual(
      sceneOf(claim("2Gi", { capacity: { storage: "2048Mi" } }), volume(csi)).events,
      [],
    );
    const other = { claimRef: { namespace: "default", name: "data", uid: "old" } };
    assert.deepEqual(sceneOf(claim("2Gi"), volume({ ...csi, ...other })).events, []);
    assert.deepEqual(sceneOf(claim("2Gi")).events, []);
  });

  test("gets an event at the start too if the volume has grown but not its file system", () => {
    // NewExpandController's AddFunc enqueues every claim; syncHandler takes those that grow or have the annotation.
    const underWay = { "volume.alpha.kubernetes.io/pre-resize-capacity": "1Gi" };
    const scene = sceneOf(claim("1Gi"), volume(csi, underWay));
    assert.deepEqual(scene.events, [
      `${about} waiting for an external controller to expand this PVC`,
    ]);
  });

  test("gets another event when the claim's status has grown before the node has finished", () => {
    const underWay = { "volume.alpha.kubernetes.io/pre-resize-capacity": "1Gi" };
    const grown = (annotations: object): Scene => {
      const scene = sceneOf(claim("2Gi", { phase: "Pending" }), volume(csi, annotations));
      scene.runtime.api.restore(claim("2Gi", { capacity: { storage: "2Gi" } }));
      return scene.run(1000);
    };
    assert.equal(grown(underWay).events.length, 1);
    assert.equal(grown({}).events.length, 0);
  });
});
