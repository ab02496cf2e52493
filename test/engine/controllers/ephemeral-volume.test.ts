import assert from "node:assert/strict";
import type { PersistentVolumeClaim, Pod } from "../../../src/engine/api/types.ts";
import { ephemeralVolume } from "../../../src/engine/controllers/ephemeral-volume.ts";
import { Scene } from "../../support/component-scene.ts";

const createdAt = "2026-01-01T00:00:00Z";
const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

function pod(more: Partial<Pod["metadata"]> = {}): Pod {
  const volumeClaimTemplate = {
    metadata: { labels: { app: "web" }, annotations: { note: "x" } },
    spec,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "web",
      namespace: "default",
      uid: "uid-web",
      resourceVersion: "1",
      creationTimestamp: createdAt,
      ...more,
    },
    spec: {
      containers: [{ name: "main" }],
      volumes: [
        { name: "scratch", ephemeral: { volumeClaimTemplate } },
        { name: "other", emptyDir: {} },
      ],
    },
  };
}

const foreign: PersistentVolumeClaim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: {
    name: "web-scratch",
    namespace: "default",
    uid: "uid-claim",
    resourceVersion: "1",
    creationTimestamp: createdAt,
  },
  spec,
};

const notOwner =
  "Pod/default/web Warning FailedBinding ephemeral volume scratch: PVC default/web-scratch was not created for pod default/web (pod is not owner)";

suite("ephemeral volumes (J)", () => {
  test("a pod's volume gets a claim that the pod owns, with the template's labels and annotations", () => {
    const scene = new Scene([ephemeralVolume], [pod()]).run(1_000);
    const claim = scene.get("PersistentVolumeClaim", "default", "web-scratch");
    assert.deepEqual(claim?.metadata.labels, { app: "web" });
    assert.deepEqual(claim?.metadata.annotations, { note: "x" });
    assert.deepEqual(claim?.metadata.ownerReferences, [
      {
        apiVersion: "v1",
        kind: "Pod",
        name: "web",
        uid: "uid-web",
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    assert.deepEqual(scene.writes, [
      "ephemeral-volume create PersistentVolumeClaim/default/web-scratch",
    ]);
  });

  test("a crash after the claim's creation leads to no second claim", () => {
    const fault = { crashAfterWrite: { component: "ephemeral-volume", write: 1 } };
    const scene = new Scene([ephemeralVolume], [pod()], { fault }).run(5_000);
    assert.equal(scene.writes.length, 1);
    assert.deepEqual(scene.events, []);
  });

  test("a claim of that name that the pod does not own is never used", () => {
    const scene = new Scene([ephemeralVolume], [pod(), foreign]).run(1);
    assert.deepEqual(scene.events, [notOwner]);
    assert.deepEqual(scene.writes, []);
  });

  test("the claim is created once the foreign one is gone", () => {
    const scene = new Scene([ephemeralVolume], [pod(), foreign]).run(1_000);
    scene.runtime.api.delete("PersistentVolumeClaim", "default", "web-scratch", {});
    scene.run(10_000);
    assert.equal(
      scene.get("PersistentVolumeClaim", "default", "web-scratch")?.metadata.labels?.["app"],
      "web",
    );
  });

  test("a pod that is being deleted gets no claim", () => {
    const leaving = pod({ deletionTimestamp: createdAt });
    assert.deepEqual(new Scene([ephemeralVolume], [leaving]).run(1_000).writes, []);
  });
});
