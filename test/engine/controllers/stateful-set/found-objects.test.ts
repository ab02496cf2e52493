/** How the StatefulSet controller reacts to existing pods and claims. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { statefulSetController } from "../../../../src/engine/controllers/stateful-set/stateful-set.ts";
import type { KubernetesVersion } from "../../../../src/engine/scenario.ts";
import { bare, controllerIn } from "../../../support/bare-objects.ts";
import { Scene } from "../../../support/component-scene.ts";

const labels = { app: "web" };
const hash = (set: KubeObject<"StatefulSet">): string =>
  new Scene([statefulSetController], [set]).run(100).runtime.api.store.list("ControllerRevision")[0]
    ?.metadata.name ?? "";

function web(spec: object = {}, template: object = {}): KubeObject<"StatefulSet"> {
  return bare("StatefulSet", "web", {
    metadata: { generation: 1 },
    spec: {
      replicas: 2,
      serviceName: "web",
      selector: { matchLabels: labels },
      podManagementPolicy: "OrderedReady",
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "app" }], ...template },
      },
      ...spec,
    },
  });
}

const templateOwner = { apiVersion: "example.com/v1", kind: "Database", name: "db", uid: "db" };
const withClaims = {
  volumeClaimTemplates: [
    {
      metadata: {
        name: "data",
        labels: { tier: "gold" },
        annotations: { note: "x" },
        finalizers: ["example.com/keep"],
        ownerReferences: [templateOwner],
      },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
  ],
};

type State = "ready" | "starting" | "pending" | "failed" | "leaving" | "fresh";

/** A pod of the set with its identity; `fresh` has been ready since the run began. */
function pod(ordinal: number, state: State, more: { metadata?: object; spec?: object } = {}) {
  const name = `web-${ordinal}`;
  const isReady = state === "ready" || state === "fresh" || state === "leaving";
  const phase = { pending: "Pending", failed: "Failed" }[state as string] ?? "Running";
  return bare("Pod", name, {
    metadata: {
      labels: {
        ...labels,
        "statefulset.kubernetes.io/pod-name": name,
        "apps.kubernetes.io/pod-index": String(ordinal),
        "controller-revision-hash": hash(web()),
      },
      ownerReferences: [controllerIn(web())],
      ...(state === "leaving" && {
        deletionTimestamp: "2026-01-01T00:00:00Z",
        finalizers: ["a/b"],
      }),
      ...more.metadata,
    },
    spec: { nodeName: "a", containers: [], ...more.spec },
    status: {
      phase,
      ...(isReady && {
        conditions: [
          {
            type: "Ready",
            status: "True",
            lastTransitionTime: state === "fresh" ? "2026-01-01T00:00:00Z" : "2025-01-01T00:00:00Z",
          },
        ],
      }),
    },
  });
}

const sceneOf = (...objects: readonly KubeObject[]): Scene =>
  new Scene([statefulSetController], objects).run(500);
const told = (scene: Scene): readonly string[] =>
  scene.events.map((line) => line.replace("StatefulSet/default/web ", "").replace(/^(×\d+ )/, ""));
const created = (name: string): string =>
  `Normal SuccessfulCreate Create Pod ${name} in StatefulSet web successful`;
const deleted = (name: string): string =>
  `Normal SuccessfulDelete Delete Pod ${name} in StatefulSet web successful`;

suite("pods of a StatefulSet, in order", () => {
  test("the next is created when the previous one has been ready for minReadySeconds", () => {
    assert.deepEqual(told(sceneOf(web(), pod(0, "ready"))), [created("web-1")]);
    assert.deepEqual(told(sceneOf(web(), pod(0, "starting"))), []);
    const careful = web({ minReadySeconds: 5 });
    const scene = sceneOf(careful, pod(0, "fresh"));
    assert.deepEqual(told(scene), []);
    assert.deepEqual(told(scene.run(5000)), [created("web-1")]);
  });

  test("a pod counts as available after minReadySeconds; up to 1.34 that is checked every minReadySeconds", () => {
    const ready = { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:03Z" };
    const counted = (version: KubernetesVersion) => {
      const found = [web({ replicas: 1, minReadySeconds: 5 }), pod(0, "starting")];
      const scene = new Scene([statefulSetController], found, { version }).run(2990);
      const status = { phase: "Running", conditions: [ready] } as const;
      scene.runtime.api.restore({ ...pod(0, "ready"), status });
      return [4500, 1000, 2000].map(
        (ms) => scene.run(ms).get("StatefulSet", "default", "web")?.status?.availableReplicas,
      );
    };
    assert.deepEqual(counted("1.35"), [0, 1, 1]);
    assert.deepEqual(counted("1.34"), [0, 0, 1]);
  });

  test("a pod that has ended is deleted, and recreated once it is gone", () => {
    const scene = sceneOf(web({ replicas: 1 }), pod(0, "failed"));
    assert.deepEqual(told(scene), [deleted("web-0"), created("web-0")]);
    const held = pod(0, "failed", {
      metadata: { ...pod(0, "leaving").metadata },
    });
    assert.deepEqual(told(sceneOf(web({ replicas: 1 }), held)), []);
  });

  test("a set in foreground deletion neither creates nor deletes pods", () => {
    const set = web();
    const leaving = {
      ...set,
      metadata: {
        ...set.metadata,
        deletionTimestamp: "2026-01-01T00:00:00Z",
        finalizers: ["foregroundDeletion"],
      },
    };
    const scene = sceneOf(leaving, pod(0, "ready"), pod(5, "ready"));
    assert.deepEqual(told(scene), []);
    assert.equal(scene.get("StatefulSet", "default", "web")?.status?.replicas, 2);
  });

  test("conditions written by others are kept until a count changes", () => {
    const conditions = [{ type: "Checked", status: "True" }];
    const scene = sceneOf(web({ replicas: 1 }), pod(0, "ready"));
    const found = (): KubeObject<"StatefulSet"> | undefined =>
      scene.get("StatefulSet", "default", "web");
    const set = found() ?? web();
    const status = { replicas: 0, ...set.status, conditions };
    scene.runtime.api.restore({ ...set, status });
    scene.run(500);
    assert.deepEqual(found()?.status?.conditions, conditions);
    scene.runtime.api.restore({ ...(found() ?? web()), spec: web().spec });
    scene.run(500);
    assert.deepEqual(found()?.status?.conditions, undefined);
  });

  test("nothing is created or deleted while a pod is terminating, except in parallel", () => {
    assert.deepEqual(told(sceneOf(web(), pod(0, "leaving"))), []);
    assert.deepEqual(told(sceneOf(web({ podManagementPolicy: "Parallel" }), pod(0, "leaving"))), [
      created("web-1"),
    ]);
  });

  test("scaling down deletes the highest ordinal first, but waits if a lower one to be deleted is not ready", () => {
    const one = web({ replicas: 1 });
    assert.deepEqual(told(sceneOf(one, pod(0, "ready"), pod(1, "leaving"), pod(2, "leaving"))), []);
    const all = [pod(0, "ready"), pod(1, "ready"), pod(2, "ready")];
    assert.equal(told(sceneOf(one, ...all))[0], deleted("web-2"));
    assert.deepEqual(
      told(sceneOf(one, pod(0, "ready"), pod(1, "starting"), pod(2, "starting"))),
      [],
    );
    assert.equal(
      told(sceneOf(one, pod(0, "ready"), pod(1, "ready"), pod(2, "starting")))[0],
      deleted("web-2"),
    );
    const found = [one, pod(0, "ready"), pod(1, "ready"), pod(2, "starting")];
    const old = new Scene([statefulSetController], found, { version: "1.33" }).run(500);
    assert.equal(told(old)[0]?.toLowerCase(), deleted("web-2").toLowerCase());
  });

  test("scaling down does not wait for minReadySeconds; up to 1.33 it does", () => {
    const first = (version: KubernetesVersion, ms: number) => {
      const found = [web({ minReadySeconds: 5 }), pod(0, "ready"), pod(1, "fresh")];
      const scene = new Scene([statefulSetController], found, { version }).run(100);
      scene.runtime.api.restore(web({ minReadySeconds: 5, replicas: 1 }));
      return told(scene.run(ms))[0]?.toLowerCase();
    };
    const goes = deleted("web-1").toLowerCase();
    assert.equal(first("1.34", 500), goes);
    assert.equal(first("1.33", 4800), undefined);
    assert.equal(first("1.33", 5500), goes);
  });

  test("a pod that becomes ready is checked after minReadySeconds even if enough others are available", () => {
    const first = (version: KubernetesVersion, ms: number) => {
      const found = [pod(0, "ready"), pod(1, "starting"), pod(2, "ready")];
      const scene = new Scene([statefulSetController], [web({ minReadySeconds: 5 }), ...found], {
        version,
      }).run(100);
      scene.runtime.api.restore(pod(1, "fresh"));
      return told(scene.run(ms))[0]?.toLowerCase();
    };
    const goes = deleted("web-2").toLowerCase();
    assert.equal(first("1.34", 5900), undefined);
    assert.equal(first("1.34", 6100), goes);
    assert.equal(first("1.35", 5100), goes);
  });

  test("a pod given to another controller is not counted, and deleted when that one releases it", () => {
    const given = (ownerReferences: readonly object[]) =>
      pod(1, "ready", { metadata: { ownerReferences } });
    const toOther = given([controllerIn(bare("StatefulSet", "other"))]);
    const two = sceneOf(web(), pod(0, "ready"), pod(1, "ready"));
    two.runtime.api.restore(toOther);
    assert.equal(two.run(500).get("StatefulSet", "default", "web")?.status?.replicas, 1);
    const one = sceneOf(web({ replicas: 1 }), pod(0, "ready"), toOther);
    one.runtime.api.restore(given([]));
    assert.deepEqual(told(one.run(500)), [deleted("web-1")]);
  });

  test("a pod whose name does not fit the set is released", () => {
    const stranger = bare("Pod", "other-0", {
      metadata: { labels, ownerReferences: [controllerIn(web())] },
      spec: { containers: [] },
      status: {},
    });
    const scene = sceneOf(web({ replicas: 0 }), stranger);
    assert.equal(scene.get("Pod", "default", "other-0")?.metadata.ownerReferences, undefined);
  });
});

suite("a StatefulSet corrects", () => {
  test("labels of a pod's identity", () => {
    const bareLabels = { ...labels, "controller-revision-hash": hash(web()) };
    const scene = sceneOf(
      web({ replicas: 1 }),
      pod(0, "ready", { metadata: { labels: bareLabels } }),
    );
    assert.deepEqual(told(scene), [
      "Normal SuccessfulUpdate Update Pod web-0 in StatefulSet web successful",
    ]);
    assert.deepEqual(scene.get("Pod", "default", "web-0")?.metadata.labels, {
      ...bareLabels,
      "statefulset.kubernetes.io/pod-name": "web-0",
      "apps.kubernetes.io/pod-index": "0",
    });
  });

  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data-web-0" } }];
  const claimed = web({ replicas: 1, ...withClaims });

  test("missing claims of a waiting pod", () => {
    const scene = sceneOf(claimed, pod(0, "pending", { spec: { volumes } }));
    assert.deepEqual(told(scene), [
      "Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success",
    ]);
    const { metadata } = scene.get("PersistentVolumeClaim", "default", "data-web-0") ?? {};
    assert.deepEqual(metadata?.labels, { tier: "gold", app: "web" });
    assert.deepEqual(metadata?.annotations, { note: "x" });
    // stateful_set_utils.go getPersistentVolumeClaims copies the whole template, v1.36.
    assert.ok(metadata?.finalizers?.includes("example.com/keep"));
    assert.deepEqual(metadata.ownerReferences, [templateOwner]);
  });

  test("owners of claims, unless another controller owns them", () => {
    const policy = { whenDeleted: "Delete", whenScaled: "Retain" };
    const set = web({ replicas: 1, ...withClaims, persistentVolumeClaimRetentionPolicy: policy });
    const claimWith = (ownerReferences: readonly object[]) =>
      bare("PersistentVolumeClaim", "data-web-0", {
        metadata: { ownerReferences },
        spec: {},
        status: { phase: "Bound" },
      });
    const ready = pod(0, "ready", { spec: { volumes } });
    const owners = (scene: Scene) =>
      scene
        .get("PersistentVolumeClaim", "default", "data-web-0")
        ?.metadata.ownerReferences?.map(({ uid }) => uid);
    assert.deepEqual(owners(sceneOf(set, ready, claimWith([]))), ["web"]);
    const other = { apiVersion: "x/v1", kind: "X", name: "x", uid: "x", controller: true };
    const scene = sceneOf(set, ready, claimWith([controllerIn(set), other]));
    assert.deepEqual(owners(scene), ["x"]);
    assert.equal(
      told(scene)[0],
      "Warning ConflictingController PersistentVolumeClaim data-web-0 has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim",
    );
  });

  test("nothing while a new pod's claims are being deleted", () => {
    const leaving = (name: string) =>
      bare("PersistentVolumeClaim", name, {
        metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] },
        spec: {},
      });
    assert.deepEqual(told(sceneOf(claimed, leaving("data-web-0"))), [
      "Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: pvc data-web-0 is being deleted",
    ]);
    const [template] = withClaims.volumeClaimTemplates;
    const logs = { ...template, metadata: { name: "logs" } };
    const two = web({ replicas: 1, volumeClaimTemplates: [template, logs] });
    assert.deepEqual(told(sceneOf(two, leaving("data-web-0"), leaving("logs-web-0"))), [
      "Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: [pvc data-web-0 is being deleted, pvc logs-web-0 is being deleted]",
    ]);
  });

  test("nothing while a claim belongs to an earlier pod of the name", () => {
    const policy = { whenDeleted: "Retain", whenScaled: "Delete" };
    const former = { apiVersion: "v1", kind: "Pod", name: "web-0", uid: "old", controller: true };
    const claim = bare("PersistentVolumeClaim", "data-web-0", {
      metadata: { ownerReferences: [former] },
      spec: {},
    });
    const scaled = web({
      replicas: 1,
      ...withClaims,
      persistentVolumeClaimRetentionPolicy: policy,
    });
    assert.deepEqual(told(sceneOf(scaled, claim)), []);
    assert.deepEqual(told(sceneOf(claimed, claim)), [created("web-0")]);
  });

  test("again when an orphan pod is created or gets other labels, but not when it ends or is deleted", () => {
    const former = { apiVersion: "v1", kind: "Pod", name: "web-0", uid: "old", controller: true };
    const claim = bare("PersistentVolumeClaim", "data-web-0", {
      metadata: { ownerReferences: [former] },
      spec: {},
    });
    const stranger = (of: object, phase = "Running") =>
      bare("Pod", "other-0", {
        metadata: { labels: of },
        spec: { containers: [] },
        status: { phase },
      });
    const scaled = web({
      replicas: 1,
      ...withClaims,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" },
    });
    const after = (change: (api: Scene["runtime"]["api"]) => void): readonly string[] => {
      const scene = sceneOf(scaled, claim, stranger(labels));
      scene.runtime.api.delete("PersistentVolumeClaim", "default", "data-web-0", {});
      change(scene.runtime.api);
      return told(scene.run(500)).slice(-1);
    };
    const other = { ...labels, tier: "gold" };
    assert.deepEqual(
      after((api) => api.restore(stranger(labels, "Failed"))),
      [],
    );
    assert.deepEqual(
      after((api) => api.delete("Pod", "default", "other-0", {})),
      [],
    );
    assert.deepEqual(
      after((api) => api.restore(stranger(other))),
      [created("web-0")],
    );
  });
});

suite("revisions of a StatefulSet", () => {
  const statusWith = (more: object) => ({
    ...web().status,
    replicas: 2,
    collisionCount: 0,
    ...more,
  });
  const hostNetwork = { hostNetwork: true };

  test("a pod below the partition is recreated with the old revision, one above with the new", () => {
    const [before, after] = [hash(web()), hash(web({}, hostNetwork))];
    const revised = (spec: object, status: object, lost: 0 | 1) => {
      const first = new Scene([statefulSetController], [web(spec)]).run(100);
      const revision = first.runtime.api.store.list("ControllerRevision");
      const now = { ...web(spec, hostNetwork), status: statusWith(status) };
      const kept = pod(1 - lost, "ready");
      const scene = sceneOf(now as KubeObject<"StatefulSet">, ...revision, kept);
      return scene.get("Pod", "default", `web-${lost}`)?.metadata.labels?.[
        "controller-revision-hash"
      ];
    };
    const status = { currentRevision: before, updateRevision: after, currentReplicas: 1 };
    const partition = {
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
    };
    assert.equal(revised(partition, status, 0), before);
    assert.equal(revised(partition, status, 1), after);
    const byCount = { updateStrategy: { type: "RollingUpdate" } };
    assert.equal(revised(byCount, status, 0), before);
    assert.equal(revised(byCount, status, 1), after);
    assert.equal(revised({ updateStrategy: { type: "OnDelete" } }, status, 0), after);
  });

  test("the newest unused revisions are kept up to the limit", () => {
    const revision = (name: string, number: number) => ({
      ...bare("ControllerRevision", name, {
        metadata: { labels, ownerReferences: [controllerIn(web())] },
      }),
      revision: number,
      data: { spec: { template: { name } } },
    });
    const left = (limit: number | undefined) =>
      sceneOf(
        web({ replicas: 0, ...(limit !== undefined && { revisionHistoryLimit: limit }) }),
        revision("b", 2) as KubeObject,
        revision("a", 3) as KubeObject,
        revision("c", 1) as KubeObject,
      )
        .runtime.api.store.list("ControllerRevision")
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.length === 1)
        .sort();
    assert.deepEqual(left(2), ["a", "b"]);
    assert.deepEqual(left(0), []);
    assert.deepEqual(left(undefined), ["a", "b", "c"]);
  });
});
