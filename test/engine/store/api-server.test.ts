import assert from "node:assert/strict";
import { mergePatch } from "../../../src/engine/api/json.ts";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import type { DeleteOptions } from "../../../src/engine/runtime/effects.ts";
import { Random } from "../../../src/engine/runtime/random.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { ApiServer, type Change } from "../../../src/engine/store/api-server.ts";
import { asMergePatch } from "../api/answer.ts";

interface Server {
  readonly api: ApiServer;
  readonly changes: Change[];
  readonly clock: { now: number };
}

function server(version: KubernetesVersion = "1.36"): Server {
  const changes: Change[] = [];
  const clock = { now: 0 };
  const api = new ApiServer(
    version,
    new Random(1),
    () => clock.now,
    (change) => changes.push(change),
  );
  return { api, changes, clock };
}

const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "",
    resources: { requests: { storage: "1Gi" } },
  },
};

function created<T extends KubeObject>(
  api: ApiServer,
  manifest: Readonly<Record<string, unknown>>,
): T {
  const answer = api.create(manifest);
  assert.ok(answer.ok);
  return answer.object as T;
}

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "default" },
  spec: { containers: [{ name: "app", image: "nginx" }] },
};

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: pod.spec },
  },
};

const driver = {
  apiVersion: "storage.k8s.io/v1",
  kind: "CSIDriver",
  metadata: { name: "csi.test" },
  spec: {},
};

const snapshotClass = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshotClass",
  metadata: { name: "fast" },
  driver: "d",
  deletionPolicy: "Delete",
};

suite("API server", () => {
  test("gives a new object a UID, a version and a time", () => {
    const { api } = server();
    const { metadata } = created<KubeObject<"PersistentVolumeClaim">>(api, claim);
    assert.match(
      metadata.uid,
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(metadata.resourceVersion, "1");
    assert.equal(metadata.creationTimestamp, "2026-01-01T00:00:00Z");
  });

  test("sets generations of pods and workloads, but not of claims", () => {
    const { api } = server();
    assert.equal(created<KubeObject<"Pod">>(api, pod).metadata.generation, 1);
    assert.equal(
      created<KubeObject<"Pod">>(server("1.32").api, pod).metadata.generation,
      undefined,
    );
    const { metadata: counted } = created<KubeObject<"Deployment">>(server("1.32").api, deployment);
    assert.equal(counted.generation, 1);
    const made = created<KubeObject<"PersistentVolumeClaim">>(api, claim);
    assert.equal(made.metadata.generation, undefined);
    const sent = { ...claim, metadata: { name: "sent", generation: 7 } };
    const { metadata } = created<KubeObject<"PersistentVolumeClaim">>(api, sent);
    assert.equal(metadata.generation, 7);
    assert.ok(api.delete("PersistentVolumeClaim", "default", "sent", {}).ok);
    const left = api.store.get("PersistentVolumeClaim", "default", "sent")?.metadata;
    assert.equal(left?.generation, 8);
    const going = api.delete("PersistentVolumeClaim", "default", made.metadata.name, {});
    assert.equal(going.ok && going.object.metadata.generation, undefined);
  });

  test("refuses a second object of the same name", () => {
    const { api } = server();
    created(api, claim);
    const answer = api.create(claim);
    assert.ok(!answer.ok);
    assert.equal(answer.error.reason, "AlreadyExists");
    assert.equal(answer.error.message, 'persistentvolumeclaims "data" already exists');
  });

  test("refuses an update of an older version", () => {
    const { api } = server();
    const first = created<KubeObject<"PersistentVolumeClaim">>(api, claim);
    const next = { ...first, metadata: { ...first.metadata, labels: { a: "b" } } };
    assert.ok(api.update(next, "").ok);
    const late = api.update(next, "");
    assert.ok(!late.ok);
    assert.equal(late.error.reason, "Conflict");
    assert.match(
      late.error.message,
      /the object has been modified; please apply your changes to the latest version and try again$/,
    );
  });

  test("a status update may change annotations, but not of a VolumeAttachment", () => {
    // persistentvolumeclaimStatusStrategy keeps the spec only; volumeAttachmentStatusStrategy the metadata too, v1.36.
    const { api } = server();
    const annotated = (object: KubeObject) => ({
      ...object,
      metadata: { ...object.metadata, annotations: { note: "x" } },
    });
    const first = created(api, claim);
    assert.ok(api.update(annotated(first), "status").ok);
    const stored = api.store.get("PersistentVolumeClaim", "default", "data");
    assert.deepEqual(stored?.metadata.annotations, { note: "x" });
    const attachment = created(api, {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttachment",
      metadata: { name: "one" },
      spec: { attacher: "d.csi", nodeName: "n1", source: { persistentVolumeName: "pv" } },
    });
    assert.ok(api.replace(attachment, annotated(attachment), asMergePatch, "status").ok);
    const kept = api.store.get("VolumeAttachment", "", "one");
    assert.equal(kept?.metadata.annotations, undefined);
  });

  test("an update does not change the status, and a status update only that", () => {
    const { api } = server();
    const first = created<KubeObject<"PersistentVolumeClaim">>(api, claim);
    const main = api.update(
      { ...first, metadata: { ...first.metadata, labels: { a: "b" } }, status: { phase: "Bound" } },
      "",
    );
    assert.ok(main.ok);
    const second = main.object as KubeObject<"PersistentVolumeClaim">;
    assert.equal(second.status?.phase, "Pending");
    const status = api.update(
      { ...second, spec: { ...second.spec, volumeName: "pv" }, status: { phase: "Bound" } },
      "status",
    );
    assert.ok(status.ok);
    const third = status.object as KubeObject<"PersistentVolumeClaim">;
    assert.equal(third.spec.volumeName, undefined);
    assert.equal(third.status?.phase, "Bound");
  });

  test("a volume's lastPhaseTransitionTime changes with its phase or if a client sets it", () => {
    const { api, clock } = server();
    const volume = created<KubeObject<"PersistentVolume">>(api, {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "v" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/v" },
      },
    });
    const start = volume.status?.lastPhaseTransitionTime;
    const timeWith = (status: object): string | undefined => {
      clock.now += 60_000;
      const current = api.store.get("PersistentVolume", undefined, "v");
      const answer = api.replace(
        current as KubeObject,
        { ...current, status },
        asMergePatch,
        "status",
      );
      assert.ok(answer.ok);
      return (answer.object as KubeObject<"PersistentVolume">).status?.lastPhaseTransitionTime;
    };
    assert.equal(timeWith({ phase: "Pending" }), start);
    const available = timeWith({ phase: "Available", lastPhaseTransitionTime: start });
    assert.notEqual(available, start);
    assert.notEqual(timeWith({ phase: "Bound" }), available);
    const named = "2020-01-01T00:00:00Z";
    assert.equal(timeWith({ phase: "Released", lastPhaseTransitionTime: named }), named);
    assert.equal(timeWith({ phase: "Released" }), named);
  });

  test("a write that changes nothing is no write", () => {
    const { api, changes } = server();
    const first = created<KubeObject<"PersistentVolumeClaim">>(api, claim);
    const answer = api.update({ ...first }, "");
    assert.ok(answer.ok);
    assert.equal(answer.object, first);
    assert.equal(changes.length, 1);
  });

  test("an object with finalizers stays until the last one is removed", () => {
    const { api } = server();
    created(api, claim);
    const deleted = api.delete("PersistentVolumeClaim", "default", "data", {});
    assert.ok(deleted.ok);
    assert.equal(deleted.object.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
    assert.ok(api.store.get("PersistentVolumeClaim", "default", "data") !== undefined);
    const { finalizers: _, ...metadata } = deleted.object.metadata;
    assert.ok(api.update({ ...deleted.object, metadata } as KubeObject, "").ok);
    assert.equal(api.store.get("PersistentVolumeClaim", "default", "data"), undefined);
  });

  test("a pod without a node is deleted at once, a pod on a node has its grace period", () => {
    const { api } = server();
    created(api, pod);
    assert.ok(api.delete("Pod", "default", "web", {}).ok);
    assert.equal(api.store.get("Pod", "default", "web"), undefined);
    const { metadata } = created<KubeObject<"Pod">>(api, pod);
    assert.ok(api.bind("default", "web", metadata.uid, "node-a").ok);
    assert.ok(api.delete("Pod", "default", "web", {}).ok);
    const terminating = api.store.get("Pod", "default", "web");
    assert.equal(terminating?.metadata.deletionGracePeriodSeconds, 30);
    assert.ok(api.delete("Pod", "default", "web", { gracePeriodSeconds: 0 }).ok);
    assert.equal(api.store.get("Pod", "default", "web"), undefined);
  });

  /** Returns the state of a pod on a node after these deletions, ten seconds apart. */
  function deletedPod(...deletions: readonly DeleteOptions[]): readonly unknown[] {
    return deletedPodOf("1.36", ...deletions);
  }

  function deletedPodOf(
    version: KubernetesVersion,
    ...deletions: readonly DeleteOptions[]
  ): readonly unknown[] {
    const { api, clock } = server(version);
    const { metadata } = created<KubeObject<"Pod">>(api, pod);
    assert.ok(api.bind("default", "web", metadata.uid, "node-a").ok);
    for (const options of deletions) {
      assert.ok(api.delete("Pod", "default", "web", options).ok);
      clock.now += 10_000;
    }
    const left = api.store.get("Pod", "default", "web")?.metadata;
    const at = left?.deletionTimestamp?.slice("2026-01-01T00:".length);
    return [at, left?.deletionGracePeriodSeconds, left?.generation, left?.finalizers];
  }

  test("a second deletion can shorten a pod's grace period, counted from the first request", () => {
    assert.deepEqual(deletedPod({}), ["00:30Z", 30, 2, undefined]);
    assert.deepEqual(deletedPod({}, { gracePeriodSeconds: 20 }), ["00:20Z", 20, 2, undefined]);
    assert.deepEqual(deletedPod({}, { gracePeriodSeconds: 60 }), ["00:30Z", 30, 2, undefined]);
  });

  test("a grace period shortened to a time that is over leaves one second; up to 1.32 it ends in the past", () => {
    const late = { gracePeriodSeconds: 5 };
    assert.deepEqual(deletedPodOf("1.33", {}, late), ["00:10Z", 1, 2, undefined]);
    assert.deepEqual(deletedPodOf("1.32", {}, late), ["00:05Z", 5, undefined, undefined]);
  });

  test("a deletion during the grace period adds no finalizer", () => {
    const policy = { propagationPolicy: "Foreground" } as const;
    assert.deepEqual(deletedPod({}, policy), ["00:30Z", 30, 2, undefined]);
    assert.deepEqual(deletedPod({}, { ...policy, gracePeriodSeconds: 30 }).at(-1), undefined);
    assert.deepEqual(deletedPod(policy), ["00:30Z", 30, 2, ["foregroundDeletion"]]);
    const forced = { gracePeriodSeconds: 0 };
    assert.deepEqual(deletedPod({ ...forced, propagationPolicy: "Orphan" }, policy), [
      "00:00Z",
      0,
      2,
      ["foregroundDeletion"],
    ]);
  });

  test("a pod that has ended during its grace period stays, unless it is deleted with none", () => {
    const { api } = server();
    const { metadata } = created<KubeObject<"Pod">>(api, pod);
    assert.ok(api.bind("default", "web", metadata.uid, "node-a").ok);
    assert.ok(api.delete("Pod", "default", "web", {}).ok);
    const failed = (current: KubeObject): KubeObject =>
      ({ ...current, status: { phase: "Failed" } }) as KubeObject;
    assert.ok(api.patch("Pod", "default", "web", "status", failed).ok);
    assert.ok(api.delete("Pod", "default", "web", {}).ok);
    assert.ok(api.store.get("Pod", "default", "web") !== undefined);
    assert.ok(api.delete("Pod", "default", "web", { gracePeriodSeconds: 0 }).ok);
    assert.equal(api.store.get("Pod", "default", "web"), undefined);
  });

  test("a negative grace period is one second", () => {
    assert.deepEqual(deletedPod({ gracePeriodSeconds: -5 }), ["00:01Z", 1, 2, undefined]);
    const { api } = server();
    const hasty = { ...pod, spec: { ...pod.spec, terminationGracePeriodSeconds: -5 } };
    const { metadata } = created<KubeObject<"Pod">>(api, hasty);
    assert.ok(api.bind("default", "web", metadata.uid, "node-a").ok);
    const deleted = api.delete("Pod", "default", "web", {});
    assert.ok(deleted.ok);
    assert.equal(deleted.object.metadata.deletionGracePeriodSeconds, 1);
  });

  test("a pod is bound to a node once", () => {
    const { api } = server();
    const { metadata } = created<KubeObject<"Pod">>(api, pod);
    assert.ok(api.bind("default", "web", metadata.uid, "node-a").ok);
    const again = api.bind("default", "web", metadata.uid, "node-b");
    assert.ok(!again.ok);
    assert.match(again.error.message, /pod web is already assigned to node "node-a"/);
  });

  test("an update of an object that was replaced is refused with both UIDs", () => {
    const { api } = server();
    const first = created<KubeObject<"Pod">>(api, pod);
    assert.ok(api.delete("Pod", "default", "web", {}).ok);
    const second = created<KubeObject<"Pod">>(api, pod);
    const refusal = `Operation cannot be fulfilled on pods "web": StorageError: invalid object, Code: 4, Key: /pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${first.metadata.uid}, UID in object meta: ${second.metadata.uid}`;
    const bound = api.bind("default", "web", first.metadata.uid, "node-a");
    assert.equal(bound.ok ? "" : bound.error.message, refusal);
    const updated = api.update({ ...first, status: { phase: "Failed" } }, "status");
    assert.equal(updated.ok ? "" : updated.error.message, refusal);
  });

  test("a second object of the same name is refused, and the message says if the first is being deleted", () => {
    const { api } = server();
    const refusal = (): string => {
      const answer = api.create(claim);
      return answer.ok ? "" : answer.error.message;
    };
    created(api, claim);
    assert.equal(refusal(), 'persistentvolumeclaims "data" already exists');
    assert.ok(api.delete("PersistentVolumeClaim", "default", "data", {}).ok);
    assert.equal(
      refusal(),
      'object is being deleted: persistentvolumeclaims "data" already exists',
    );
  });

  test("a deletion of an object that was replaced is refused with both UIDs", () => {
    const { api } = server();
    const { metadata } = created<KubeObject<"VolumeSnapshotClass">>(api, snapshotClass);
    const options = { preconditionUid: "earlier" };
    const answer = api.delete("VolumeSnapshotClass", "", "fast", options);
    assert.equal(
      answer.ok ? "" : answer.error.message,
      `Operation cannot be fulfilled on VolumeSnapshotClass.snapshot.storage.k8s.io "fast": the UID in the precondition (earlier) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  });

  test("any change of a custom resource outside metadata and status makes a new generation", () => {
    const { api } = server();
    const first = created<KubeObject<"VolumeSnapshotClass">>(api, snapshotClass);
    const relabelled = api.replace(
      first,
      { ...first, metadata: { ...first.metadata, labels: { a: "b" } } },
      asMergePatch,
    );
    assert.ok(relabelled.ok);
    assert.equal(relabelled.object.metadata.generation, 1);
    const changed = api.replace(
      relabelled.object,
      { ...relabelled.object, driver: "e" },
      asMergePatch,
    );
    assert.ok(changed.ok);
    assert.equal(changed.object.metadata.generation, 2);
  });

  test("a change of a Deployment's annotations makes a new generation, a change of its status or labels does not", () => {
    const { api } = server();
    const first = created<KubeObject<"Deployment">>(api, deployment);
    const annotated = { ...first, metadata: { ...first.metadata, annotations: { a: "b" } } };
    const reported = api.update(annotated, "status");
    assert.ok(reported.ok);
    assert.deepEqual(reported.object.metadata.annotations, { a: "b" });
    assert.equal(reported.object.metadata.generation, 1);
    const changed = (metadata: object): number | undefined => {
      const next = { ...first, metadata: { ...reported.object.metadata, ...metadata } };
      const answer = api.replace(reported.object, next, asMergePatch);
      return answer.ok ? answer.object.metadata.generation : undefined;
    };
    assert.equal(changed({ labels: { a: "b" } }), 1);
    assert.equal(changed({ annotations: { a: "c" } }), 2);
  });

  test("objects without a generation get none by a change, and other kinds' annotations make no new one", () => {
    const generationOf = (manifest: object, change: object, version?: KubernetesVersion) => {
      const { api } = server(version);
      const first = created(api, manifest as Readonly<Record<string, unknown>>);
      const answer = api.replace(first, mergePatch(first, change), asMergePatch);
      assert.ok(answer.ok && answer.object !== first);
      return answer.object.metadata.generation;
    };
    const deadline = { spec: { activeDeadlineSeconds: 9 } };
    assert.equal(generationOf(pod, deadline), 2);
    assert.equal(generationOf(pod, deadline, "1.32"), undefined);
    assert.equal(generationOf(claim, { spec: { volumeName: "pv" } }), undefined);
    const set = { ...deployment, kind: "ReplicaSet" };
    assert.equal(generationOf(set, { metadata: { annotations: { a: "b" } } }), 1);
    assert.equal(generationOf(deployment, { metadata: { annotations: { a: "b" } } }), 2);
    const { spec } = pod;
    const template = {
      apiVersion: "v1",
      kind: "PodTemplate",
      metadata: { name: "web", namespace: "default" },
      template: { spec },
    };
    assert.equal(generationOf(template, { template: { metadata: { labels: { a: "b" } } } }), 2);
    assert.equal(generationOf(template, { metadata: { labels: { a: "b" } } }), 1);
  });

  test("has no endpoint for the status of a kind without status", () => {
    const { api } = server();
    const first = created<KubeObject<"CSIDriver">>(api, driver);
    const answer = api.replace(first, first, asMergePatch, "status");
    assert.equal(
      answer.ok || answer.error.message,
      "the server could not find the requested resource",
    );
  });

  test("a CSIDriver has a generation from its first change on", () => {
    const { api } = server();
    const first = created<KubeObject<"CSIDriver">>(api, driver);
    assert.equal(first.metadata.generation, undefined);
    const next = { ...first, spec: { ...first.spec, storageCapacity: true } };
    const answer = api.replace(first, next, asMergePatch);
    assert.equal(answer.ok && answer.object.metadata.generation, 1);
  });

  test("objects that it returns are frozen", () => {
    const { api } = server();
    const object = created<KubeObject<"PersistentVolumeClaim">>(api, claim);
    assert.ok(Object.isFrozen(object) && Object.isFrozen(object.spec));
    assert.ok(Object.isFrozen(object.spec.accessModes));
  });
});
