/** Upstream: pvc_protection_controller_test.go v1.36. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import type { PersistentVolumeClaim, Pod } from "../../../src/engine/api/types.ts";
import { pvcProtection } from "../../../src/engine/controllers/pvc-protection.ts";
import { finalizer } from "../../../src/engine/matching/annotations.ts";
import { Scene, type SceneOptions } from "../../support/component-scene.ts";

const createdAt = "2026-01-01T00:00:00Z";
const meta = (name: string): Pod["metadata"] => ({
  name,
  namespace: "default",
  uid: `uid-${name}`,
  resourceVersion: "1",
  creationTimestamp: createdAt,
});

function claim(
  name: string,
  state: { finalizer: boolean; deleted: boolean },
): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...meta(name),
      // The other finalizer keeps the object, so that the test can look at it.
      finalizers: [...(state.finalizer ? [finalizer.claimProtection] : []), "example.com/keep"],
      ...(state.deleted && { deletionTimestamp: createdAt }),
    },
    spec: {},
  };
}

const deleted = claim("data", { finalizer: true, deleted: true });

function pod(
  name: string,
  more: { volumes?: Pod["spec"]["volumes"]; nodeName?: string; phase?: string } = {},
): Pod {
  const {
    volumes = [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
    nodeName,
    phase = "Running",
  } = more;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: meta(name),
    spec: { containers: [{ name: "main" }], volumes, ...(nodeName !== undefined && { nodeName }) },
    status: { phase },
  };
}

function scene(objects: readonly KubeObject[], options: SceneOptions = {}): Scene {
  return new Scene([pvcProtection], objects, options).run(5_000);
}

function isProtected(where: Scene, name = "data"): boolean {
  const { metadata } = where.get("PersistentVolumeClaim", "default", name) ?? deleted;
  return metadata.finalizers?.includes(finalizer.claimProtection) === true;
}

const ephemeral = [{ name: "v", ephemeral: { volumeClaimTemplate: { spec: {} } } }];

function claimOfPod(owner: string): PersistentVolumeClaim {
  const bare = claim("web-v", { finalizer: true, deleted: true });
  const reference = { apiVersion: "v1", kind: "Pod", name: "web", uid: owner, controller: true };
  return { ...bare, metadata: { ...bare.metadata, ownerReferences: [reference] } };
}

suite("claim protection", () => {
  test("a claim without the finalizer gets it", () => {
    const bare = claim("data", { finalizer: false, deleted: false });
    assert.ok(isProtected(scene([bare])));
  });

  test("adding it is retried after a conflict", () => {
    const bare = claim("data", { finalizer: false, deleted: false });
    const fault = { conflictOnWrite: { component: "pvc-protection", write: 1 } };
    assert.ok(isProtected(scene([bare], { fault })));
  });

  test("a claim that has it and is not deleted is not changed", () => {
    assert.deepEqual(scene([claim("data", { finalizer: true, deleted: false })]).writes, []);
  });

  test("a deleted claim that no pod uses loses it, whichever write fails", () => {
    const others = pod("other", { volumes: [{ name: "v", emptyDir: {} }], nodeName: "node-a" });
    for (const at of [0, 1]) {
      const write = { component: "pvc-protection", write: at };
      for (const fault of [{ crashAfterWrite: write }, { conflictOnWrite: write }]) {
        assert.ok(!isProtected(scene([deleted, others], { fault })));
      }
    }
  });

  test("a pod on a node keeps the claim, even once it has finished", () => {
    const where = scene([deleted, pod("web", { nodeName: "node-a" })]);
    assert.ok(isProtected(where));
    where.runtime.api.patch(
      "Pod",
      "default",
      "web",
      "status",
      (p) => ({ ...p, status: { phase: "Succeeded" } }) as Pod,
    );
    assert.ok(isProtected(where.run(5_000)));
  });

  test("a pod that the controller's cache has not seen yet keeps the claim", () => {
    const where = new Scene(
      [pvcProtection],
      [claim("data", { finalizer: true, deleted: false })],
    ).run(100);
    where.runtime.api.delete("PersistentVolumeClaim", "default", "data", {});
    where.runtime.api.store.put(pod("web", { nodeName: "node-a" }));
    assert.ok(isProtected(where.run(5_000)));
  });

  test("one failing claim does not hold up the others of its namespace", () => {
    const claims = ["a", "b", "c"].map((name) => claim(name, { finalizer: true, deleted: true }));
    const fault = { conflictOnWrite: { component: "pvc-protection", write: 2 } };
    const where = scene(claims, { fault });
    assert.deepEqual(
      ["a", "b", "c"].map((name) => isProtected(where, name)),
      [false, false, false],
    );
  });

  test("a pod without a node does not keep the claim", () => {
    assert.ok(!isProtected(scene([deleted, pod("web", { phase: "Pending" })])));
  });

  test("the claim is released when its last pod is deleted", () => {
    const where = scene([
      deleted,
      pod("web", { nodeName: "node-a" }),
      pod("copy", { nodeName: "node-a" }),
    ]);
    const removePod = (name: string): void => {
      where.runtime.api.delete("Pod", "default", name, { gracePeriodSeconds: 0 });
      where.run(5_000);
    };
    removePod("web");
    assert.ok(isProtected(where));
    removePod("copy");
    assert.ok(!isProtected(where));
  });

  test("an ephemeral volume keeps only the claim that was created for its pod", () => {
    const web = pod("web", { volumes: ephemeral, nodeName: "node-a" });
    assert.ok(isProtected(scene([claimOfPod("uid-web"), web]), "web-v"));
    assert.ok(!isProtected(scene([claimOfPod("uid-of-an-earlier-web"), web]), "web-v"));
  });

  test("an ephemeral volume does not keep it after its pod's grace period", () => {
    const web = pod("web", { volumes: ephemeral, nodeName: "node-a" });
    const metadata = {
      ...web.metadata,
      deletionTimestamp: createdAt,
      deletionGracePeriodSeconds: 0,
    };
    assert.ok(!isProtected(scene([claimOfPod("uid-web"), { ...web, metadata }]), "web-v"));
  });
});
