/** The pod that empties a volume. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import type { PersistentVolume } from "../../../../src/engine/api/types.ts";
import { persistentVolumeBinder } from "../../../../src/engine/controllers/persistent-volume-binder/persistent-volume-binder.ts";
import { event } from "../../../../src/engine/runtime/effects.ts";
import { Scene, type SceneOptions } from "../../../support/component-scene.ts";
import { StorageRun } from "../../../support/storage-run.ts";
import { readVolume } from "./case-objects.ts";

function withSource(source: Partial<PersistentVolume["spec"]>, size = "5Gi"): PersistentVolume {
  const volume = readVolume(`pv ${size} Bound Recycle ref=gone#gone [BBC]`, "1");
  const { gcePersistentDisk: _, ...spec } = volume.spec;
  return { ...volume, spec: { ...spec, ...source } };
}

const hostPath = withSource({ hostPath: { path: "/srv/a" } });

const withName: KubeObject<"Pod"> = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "recycler-for-pv",
    namespace: "default",
    uid: "taken",
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
  spec: { containers: [{ name: "main", image: "busybox" }] },
};

function scene(volume: PersistentVolume, options: SceneOptions = {}): Scene {
  return new Scene([persistentVolumeBinder()], [volume], options).run(1_000);
}

function recycler(where: Scene): KubeObject<"Pod"> | undefined {
  return where.get("Pod", "default", "recycler-for-pv");
}

function end(where: Scene, status: KubeObject<"Pod">["status"]): void {
  where.runtime.api.patch(
    "Pod",
    "default",
    "recycler-for-pv",
    "status",
    (pod) => ({ ...pod, status }) as KubeObject,
  );
  where.run(1_000);
}

function volumeStatus(where: Scene): KubeObject<"PersistentVolume">["status"] {
  return where.get("PersistentVolume", "", "pv")?.status;
}

suite("recycling", () => {
  test("a host path gets a pod with that path, and half a minute per GiB", () => {
    const { spec } = recycler(scene(hostPath)) ?? {};
    assert.equal(spec?.volumes?.[0]?.hostPath?.path, "/srv/a");
    assert.equal(spec?.activeDeadlineSeconds, 150);
  });

  test("an NFS export gets at least five minutes", () => {
    const { spec } =
      recycler(scene(withSource({ nfs: { server: "nas", path: "/exports" } }))) ?? {};
    assert.equal(spec?.volumes?.[0]?.nfs?.path, "/exports");
    assert.equal(spec?.activeDeadlineSeconds, 300);
  });

  test("the pod's success makes the volume Available and deletes the pod", () => {
    const where = scene(hostPath);
    end(where, { phase: "Succeeded" });
    assert.equal(volumeStatus(where)?.phase, "Available");
    assert.equal(where.get("PersistentVolume", "", "pv")?.spec.claimRef, undefined);
    assert.equal(recycler(where), undefined);
    assert.deepEqual(where.events, ["PersistentVolume//pv Normal VolumeRecycled Volume recycled"]);
  });

  test("the pod's failure marks the volume Failed with the pod's message, and is retried", () => {
    const where = scene(hostPath);
    end(where, { phase: "Failed", message: "no space" });
    assert.equal(
      volumeStatus(where)?.message,
      "Recycle failed: failed to recycle volume: no space",
    );
    where.run(15_000);
    end(where, { phase: "Succeeded" });
    assert.equal(volumeStatus(where)?.phase, "Available");
  });

  test("a failure without a message is reported as unknown", () => {
    const where = scene(hostPath);
    end(where, { phase: "Failed" });
    const unknown =
      "Recycle failed: failed to recycle volume: pod failed, pod.Status.Message unknown";
    assert.equal(volumeStatus(where)?.message, unknown);
  });

  test("deletion of the pod counts as a failure", () => {
    const where = scene(hostPath);
    where.runtime.api.delete("Pod", "default", "recycler-for-pv", {});
    where.run(1_000);
    assert.equal(
      volumeStatus(where)?.message,
      "Recycle failed: failed to recycle volume: recycler pod was deleted",
    );
  });

  test("the pod's events are repeated on the volume", () => {
    const where = scene(hostPath);
    const about = "Pod/default/recycler-for-pv";
    where.runtime.start({
      name: "scheduler",
      source: "default-scheduler",
      start: ({ go }) => go(event(about, "Warning", "FailedScheduling", "no nodes")),
    });
    where.run(1_000);
    assert.ok(
      where.events.includes("PersistentVolume//pv Warning RecyclerPod Recycler pod: no nodes"),
    );
  });

  test("another pod with the recycler's name is deleted, and its events are repeated on the volume during the next attempt", () => {
    const where = new Scene([persistentVolumeBinder()], [withName, hostPath]);
    const about = "Pod/default/recycler-for-pv";
    where.runtime.start({
      name: "scheduler",
      source: "default-scheduler",
      start: ({ go }) => go(event(about, "Warning", "FailedScheduling", "no nodes")),
    });
    where.run(1_000);
    assert.notEqual(recycler(where)?.metadata.uid, withName.metadata.uid);
    assert.deepEqual(where.events.slice(1), [
      "PersistentVolume//pv Warning VolumeFailedRecycle Recycle failed: old recycler pod found, will retry later",
      "PersistentVolume//pv Warning RecyclerPod Recycler pod: no nodes",
    ]);
  });

  test("after a restart the controller deletes the former recycler pod", () => {
    const where = scene(hostPath, {
      fault: { crashAfterWrite: { component: "persistentvolume-binder", write: 2 } },
    });
    const old = recycler(where);
    where.run(5_000);
    assert.equal(
      volumeStatus(where)?.message,
      "Recycle failed: old recycler pod found, will retry later",
    );
    where.run(15_000);
    assert.notEqual(recycler(where)?.metadata.uid, old?.metadata.uid);
    end(where, { phase: "Succeeded" });
    assert.equal(volumeStatus(where)?.phase, "Available");
  });

  test("in a whole cluster the pod runs, succeeds and is deleted", () => {
    const run = new StorageRun()
      .apply(`
        kind: PersistentVolume
        metadata: { name: pv }
        spec:
          capacity: { storage: 1Gi }
          accessModes: [ReadWriteMany]
          persistentVolumeReclaimPolicy: Recycle
          nfs: { server: nas, path: /exports }
      `)
      .apply(`
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { storageClassName: "", accessModes: [ReadWriteMany] }
      `)
      .settle()
      .delete("PersistentVolumeClaim", "data")
      .advance(60);
    assert.equal(run.get("PersistentVolume", "pv")?.status?.phase, "Available");
    assert.equal(run.get("Pod", "recycler-for-pv"), undefined);
    assert.deepEqual(run.events("PersistentVolume//pv").slice(-1), [
      "Normal VolumeRecycled Volume recycled",
    ]);
  });

  test("a host path outside /tmp cannot be deleted, one inside can", () => {
    const deletable = (path: string): PersistentVolume => {
      const volume = withSource({ hostPath: { path } });
      return { ...volume, spec: { ...volume.spec, persistentVolumeReclaimPolicy: "Delete" } };
    };
    assert.equal(
      volumeStatus(scene(deletable("/srv/a")))?.message,
      "host_path deleter only supports /tmp/.+ but received provided /srv/a",
    );
    assert.equal(scene(deletable("/tmp/a")).get("PersistentVolume", "", "pv"), undefined);
  });
});
