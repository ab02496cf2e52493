/** What is repeated every 15 s, what is not, and what is noticed only then. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import type { StorageClass } from "../../../../src/engine/api/types.ts";
import { persistentVolumeBinder } from "../../../../src/engine/controllers/persistent-volume-binder/persistent-volume-binder.ts";
import { bare } from "../../../support/bare-objects.ts";
import { Scene, type SceneOptions } from "../../../support/component-scene.ts";
import { readClaim, readVolume } from "./case-objects.ts";

function scene(objects: readonly KubeObject[], options: SceneOptions = {}): Scene {
  return new Scene([persistentVolumeBinder()], objects, options);
}

function storageClass(name: string, more: Partial<StorageClass> = {}): StorageClass {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
    provisioner: "block.csi.test",
    volumeBindingMode: "Immediate",
    ...more,
  };
}

const noVolume =
  "PersistentVolumeClaim/default/claim1 Normal FailedBinding no persistent volumes available for this claim and no storage class is set";

suite("persistent volume binder: resync", () => {
  test("a claim that no volume fits gets its event again every 15 s", () => {
    const where = scene([readClaim('C#U 1Gi →∅ Pending cls=""', "1")]).run(10_000);
    assert.deepEqual(where.events, [noVolume]);
    assert.deepEqual(where.run(31_000).events, [`×3 ${noVolume}`]);
  });

  test("a volume created later is bound at the next resync, not before", () => {
    const where = scene([readClaim("C#U 1Gi →∅ Pending", "1")]).run(1_000);
    where.runtime.api.restore(readVolume("V 1Gi Avail Retain", "1"));
    assert.equal(
      where.run(13_000).get("PersistentVolumeClaim", "default", "claim1")?.status?.phase,
      "Pending",
    );
    assert.equal(
      where.run(2_000).get("PersistentVolumeClaim", "default", "claim1")?.status?.phase,
      "Bound",
    );
  });

  test("a default class created later is assigned at the next resync", () => {
    const where = scene([readClaim("C#U 1Gi →∅ Pending", "1")]).run(1_000);
    const plain = storageClass("fast");
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    where.runtime.api.restore({ ...plain, metadata: { ...plain.metadata, annotations } });
    assert.equal(
      where.run(13_000).get("PersistentVolumeClaim", "default", "claim1")?.spec.storageClassName,
      undefined,
    );
    assert.equal(
      where.run(2_000).get("PersistentVolumeClaim", "default", "claim1")?.spec.storageClassName,
      "fast",
    );
  });

  test("no resync is scheduled once everything is bound, available or released for good", () => {
    const where = scene([
      readVolume("V-1 1Gi Avail Retain", "1"),
      readVolume("V-2 5Gi Avail Retain", "1"),
      readVolume("V-3 1Gi Bound Retain ref=gone#gone", "1"),
      readVolume("V-4 1Gi Bound Delete ref=gone#gone CSI", "1"),
      readClaim("C#U 1Gi →∅ Pending", "1"),
    ]).run(40_000);
    assert.equal(where.runtime.loop.next, undefined);
  });

  test("a Lost claim is at rest, and recovers when its volume comes back", () => {
    const where = scene([readClaim("C#U 1Gi →V Bound [BBC,BC]", "1")]).run(40_000);
    assert.equal(where.get("PersistentVolumeClaim", "default", "claim1")?.status?.phase, "Lost");
    assert.deepEqual(where.events, [
      "PersistentVolumeClaim/default/claim1 Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    ]);
    assert.equal(where.runtime.loop.next, undefined);
    where.runtime.api.restore(readVolume("V 1Gi Pending Retain ref=C#U", "1"));
    assert.equal(
      where.run(16_000).get("PersistentVolumeClaim", "default", "claim1")?.status?.phase,
      "Bound",
    );
  });

  test("a claim whose volume's claimRef is cleared is bound again at the next resync", () => {
    const where = scene([
      readVolume("V 1Gi Bound Retain ref=C#U [BBC]", "1"),
      readClaim("C#U 1Gi →V Bound [BBC,BC]", "1"),
    ]).run(40_000);
    where.runtime.api.patch("PersistentVolume", "", "volume1", "", (current) => {
      const { claimRef: _, ...spec } = (current as KubeObject<"PersistentVolume">).spec;
      return { ...current, spec } as KubeObject;
    });
    assert.equal(
      where.run(1_000).get("PersistentVolume", "", "volume1")?.status?.phase,
      "Available",
    );
    assert.equal(
      where.run(15_000).get("PersistentVolume", "", "volume1")?.spec.claimRef?.uid,
      "uid1",
    );
  });

  test("a volume is Released as soon as its claim is gone, not at the next resync", () => {
    const where = scene([
      readVolume("V 1Gi Bound Retain ref=C#U [BBC]", "1"),
      readClaim("C#U 1Gi →V Bound [BBC,BC]", "1"),
    ]).run(1_000);
    where.runtime.api.delete("PersistentVolumeClaim", "default", "claim1", {});
    assert.equal(where.run(100).get("PersistentVolume", "", "volume1")?.status?.phase, "Released");
  });

  test("a volume is not released from a claim that is newer than the controller's cache", () => {
    const phases = (...known: readonly KubeObject[]): readonly string[] => {
      const where = scene(known).run(1_000);
      const { api } = where.runtime;
      api.restore(readVolume("V 1Gi Bound Delete ref=C#U [BBC]", "1"));
      where.run(1);
      for (const { metadata } of known)
        api.delete("PersistentVolumeClaim", "default", metadata.name, {});
      api.restore(readClaim("C#U 1Gi →V Bound [BBC,BC]", "1"));
      where.run(1_000);
      return where.runtime.trace.entries.flatMap((entry) =>
        entry.type === "write" && entry.ref === "PersistentVolume//volume1"
          ? ((entry.after as KubeObject<"PersistentVolume"> | undefined)?.status?.phase ?? [])
          : [],
      );
    };
    assert.deepEqual(phases(), ["Bound"]);
    const before = readClaim("C#U 1Gi →∅ Pending", "1");
    const older = { ...before, metadata: { ...before.metadata, uid: "older" } };
    assert.deepEqual(phases(older as KubeObject), ["Bound"]);
  });

  test("the event of a claim that waits for its first consumer names the unscheduled pods", () => {
    const pod = (name: string, spec: object = {}, status: object = {}): KubeObject => {
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "claim1" } }];
      return bare("Pod", name, { spec: { volumes, ...spec }, status });
    };
    const saidWith = (...pods: readonly KubeObject[]): readonly string[] =>
      scene([
        storageClass("late", { volumeBindingMode: "WaitForFirstConsumer" }),
        readClaim("C#U 1Gi →∅ Pending cls=late", "1"),
        ...pods,
      ])
        .run(1_000)
        .events.map((text) => text.replace("PersistentVolumeClaim/default/claim1 Normal ", ""));
    const done = pod("done", {}, { phase: "Succeeded" });
    const placed = pod("placed", { nodeName: "node-a" });
    assert.deepEqual(saidWith(done, placed), [
      "WaitForFirstConsumer waiting for first consumer to be created before binding",
    ]);
    assert.deepEqual(saidWith(done, pod("a"), placed), [
      "WaitForPodScheduled waiting for pod a to be scheduled",
    ]);
    assert.deepEqual(saidWith(pod("a"), pod("b")), [
      "WaitForPodScheduled waiting for pods a,b to be scheduled",
    ]);
  });

  test("changed access modes of a bound volume reach the claim's status at the next resync", () => {
    const where = scene([
      readVolume("V 1Gi Bound Retain ref=C#U [BBC]", "1"),
      readClaim("C#U 1Gi →V Bound [BBC,BC]", "1"),
    ]).run(40_000);
    where.runtime.api.patch("PersistentVolume", "", "volume1", "", (current) => {
      const { spec } = current as KubeObject<"PersistentVolume">;
      return { ...current, spec: { ...spec, accessModes: ["ReadWriteMany"] } } as KubeObject;
    });
    const modes = (): readonly string[] | undefined =>
      where.get("PersistentVolumeClaim", "default", "claim1")?.status?.accessModes;
    assert.deepEqual(where.run(1_000) && modes(), ["ReadWriteOnce", "ReadOnlyMany"]);
    assert.deepEqual(where.run(15_000) && modes(), ["ReadWriteMany"]);
  });

  test("the event about waiting for an external provisioner is repeated at every resync, without back-off", () => {
    const where = scene([
      storageClass("external"),
      readClaim("C#U 1Gi →∅ Pending cls=external", "1"),
    ]);
    const told = (): number => {
      const [event = ""] = where.events.filter((text) => text.includes("ExternalProvisioning"));
      return Number(/^×(\d+)/.exec(event)?.[1] ?? 1);
    };
    where.run(1_000);
    const atFirst = told();
    where.run(45_000);
    assert.equal(told(), atFirst + 3);
  });

  test("a failed sync is retried by itself from 1.36 on; before, at the next event or resync", () => {
    const objects = [readVolume("V 1Gi Avail Retain", "1"), readClaim("C#U 1Gi →∅ Pending", "1")];
    const fault = { conflictOnWrite: { component: "persistentvolume-binder", write: 1 } };
    const phaseAfter = (version: "1.35" | "1.36", ms: number): string | undefined =>
      scene(objects, { version, fault }).run(ms).get("PersistentVolumeClaim", "default", "claim1")
        ?.status?.phase;
    assert.equal(phaseAfter("1.36", 200), "Bound");
    assert.equal(phaseAfter("1.35", 200), "Pending");
    assert.equal(phaseAfter("1.35", 16_000), "Bound");
  });
});
