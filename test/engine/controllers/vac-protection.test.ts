/** Upstream: vac_protection_controller_test.go v1.36. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { vacProtection } from "../../../src/engine/controllers/vac-protection.ts";
import { finalizer } from "../../../src/engine/matching/annotations.ts";
import { Scene } from "../../support/component-scene.ts";

const stamp = { uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
const own = finalizer.attributesClassProtection;

function attributesClass(more: Partial<KubeObject["metadata"]>): KubeObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    metadata: { name: "gold", ...stamp, ...more },
    driverName: "block.csi.test",
  };
}

const deleted = attributesClass({ finalizers: [own], deletionTimestamp: stamp.creationTimestamp });

function claim(more: Partial<KubeObject<"PersistentVolumeClaim">>): KubeObject {
  const metadata = { name: "data", namespace: "default", ...stamp };
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec: {}, ...more };
}

const volume: KubeObject = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "pv", ...stamp },
  spec: { volumeAttributesClassName: "gold" },
};

function isThere(objects: readonly KubeObject[]): boolean {
  const scene = new Scene([vacProtection], objects).run(1_000);
  return scene.get("VolumeAttributesClass", "", "gold") !== undefined;
}

suite("attributes class protection", () => {
  test("a class without the finalizer gets it, also after a conflict", () => {
    const fault = { conflictOnWrite: { component: "vac-protection", write: 1 } };
    const scene = new Scene([vacProtection], [attributesClass({})], { fault }).run(1_000);
    assert.deepEqual(scene.get("VolumeAttributesClass", "", "gold")?.metadata.finalizers, [own]);
  });

  test("a deleted class without users is removed", () => assert.ok(!isThere([deleted])));

  test("a deleted class stays while a volume uses it", () => assert.ok(isThere([deleted, volume])));

  test("a deleted class stays while a claim requests it, has it or is being changed to it", () => {
    const status = { targetVolumeAttributesClassName: "gold", status: "InProgress" };
    assert.ok(isThere([deleted, claim({ spec: { volumeAttributesClassName: "gold" } })]));
    assert.ok(isThere([deleted, claim({ status: { currentVolumeAttributesClassName: "gold" } })]));
    assert.ok(isThere([deleted, claim({ status: { modifyVolumeStatus: status } })]));
  });

  test("a deleted class is removed when its last claim changes to another", () => {
    const scene = new Scene(
      [vacProtection],
      [deleted, claim({ spec: { volumeAttributesClassName: "gold" } })],
    ).run(1_000);
    const other = { volumeAttributesClassName: "silver" };
    const change = (current: KubeObject): KubeObject => ({ ...current, spec: other }) as KubeObject;
    scene.runtime.api.patch("PersistentVolumeClaim", "default", "data", "", change);
    scene.run(1_000);
    assert.equal(scene.get("VolumeAttributesClass", "", "gold"), undefined);
  });
});
