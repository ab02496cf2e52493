import { strict as assert } from "node:assert";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { objectStatus } from "../../../src/engine/explain/object-status.ts";

interface Fields {
  readonly spec?: object;
  readonly status?: object;
  readonly isDeleted?: boolean;
}

/** The last two columns of the outcome table. */
function told(kind: string, { spec = {}, status, isDeleted = false }: Fields): string {
  const deletion = isDeleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
  const metadata = { name: "it", namespace: "shop", uid: "1", ...deletion };
  const { phase, target } = objectStatus({
    kind,
    metadata,
    spec,
    status,
  } as unknown as KubeObject);
  return `${phase} | ${target}`;
}

suite("the status of an object in deletion", () => {
  test("takes precedence over its phase", () => {
    const isDeleted = true;
    for (const [kind, phase] of [
      ["PersistentVolumeClaim", "Bound"],
      ["PersistentVolume", "Released"],
    ] as const)
      assert.equal(told(kind, { status: { phase }, isDeleted }), "Terminating | ", kind);
    assert.equal(told("ConfigMap", { isDeleted }), "Terminating | ");
    assert.equal(told("ConfigMap", {}), " | ");
  });
});

suite("the status of an attachment", () => {
  test("says how far it has come, and whether an error holds it up", () => {
    const attachment = (status: object, isDeleted = false): string =>
      told("VolumeAttachment", { spec: { nodeName: "n1" }, status, isDeleted });
    const error = { message: "no" };
    assert.equal(attachment({ attached: false }), "Attaching | n1");
    assert.equal(attachment({ attached: false, attachError: error }), "AttachError | n1");
    assert.equal(attachment({ attached: true }), "Attached | n1");
    assert.equal(attachment({ attached: true }, true), "Detaching | n1");
    assert.equal(attachment({ attached: true, detachError: error }, true), "DetachError | n1");
  });
});

suite("the status of a snapshot", () => {
  const spec = { source: { persistentVolumeClaimName: "data" } };

  test("says whether it is ready to use, and names its source", () => {
    assert.equal(told("VolumeSnapshot", { spec }), "Pending | data");
    const ready = { readyToUse: true, error: { message: "the first try failed" } };
    assert.equal(told("VolumeSnapshot", { spec, status: ready }), "ReadyToUse | data");
    const failed = { readyToUse: false, error: { message: "no such claim" } };
    assert.equal(told("VolumeSnapshot", { spec, status: failed }), "Error | data");
    const deleted = { spec, status: ready, isDeleted: true };
    assert.equal(told("VolumeSnapshot", deleted), "Terminating | data");
  });

  test("links to the claim in its namespace, or to the content that it names", () => {
    const leadsTo = (source: object): string | undefined =>
      objectStatus({
        kind: "VolumeSnapshot",
        metadata: { name: "it", namespace: "shop", uid: "1" },
        spec: { source },
      } as unknown as KubeObject).targetRef;
    assert.equal(leadsTo(spec.source), "PersistentVolumeClaim/shop/data");
    assert.equal(leadsTo({ volumeSnapshotContentName: "c" }), "VolumeSnapshotContent//c");
  });
});

suite("the status of a workload", () => {
  test("says how many pods are ready, and how many have the current template", () => {
    const status = { readyReplicas: 1, updatedReplicas: 2, replicas: 3 };
    const spec = { replicas: 3 };
    assert.equal(told("Deployment", { spec, status }), "1/3 ready | 2");
    assert.equal(told("StatefulSet", { spec, status }), "1/3 ready | 2");
    assert.equal(told("ReplicaSet", { spec, status }), "1/3 ready | 3");
    assert.equal(told("Deployment", { spec }), "0/3 ready | 0");
    assert.equal(told("Deployment", { spec, isDeleted: true }), "Terminating | 0");
    const nodes = { desiredNumberScheduled: 3, numberReady: 2, updatedNumberScheduled: 1 };
    assert.equal(told("DaemonSet", { status: nodes }), "2/3 ready | 1");
  });

  test("of a Job is its state and its completions", () =>
    assert.equal(told("Job", { spec: { completions: 2 } }), "Running | 0/2"));

  test("of a CronJob says how many Jobs run, and its schedule", () => {
    const spec = { schedule: "0 3 * * *" };
    assert.equal(told("CronJob", { spec, status: { active: [{}] } }), "1 active | 0 3 * * *");
    const suspended = { spec: { ...spec, suspend: true } };
    assert.equal(told("CronJob", suspended), "Suspended | 0 3 * * *");
  });
});
