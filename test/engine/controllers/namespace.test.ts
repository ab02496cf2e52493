/** Namespaces: the order of deletion, and the conditions while something remains. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { namespaceController } from "../../../src/engine/controllers/namespace.ts";
import type { KubernetesVersion, Step } from "../../../src/engine/scenario.ts";
import { bare } from "../../support/bare-objects.ts";
import { check } from "../../support/check.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { StorageRun } from "../../support/storage-run.ts";
import { oneNode } from "../../support/workloads.ts";

const remove: Step = { type: "delete", objects: [{ kind: "Namespace", name: "shop" }] };
const settle: Step = { type: "settle" };

const shop = `
  kind: Namespace
  metadata: {name: shop}
  ---
  kind: PersistentVolumeClaim
  metadata: {name: data, namespace: shop}
  spec: {storageClassName: ""}
  ---
  kind: ConfigMap
  metadata: {name: settings, namespace: shop}
  ---
  kind: Pod
  metadata: {name: web, namespace: shop}`;

function conditions(steps: readonly Step[]): Readonly<Record<string, string>> {
  const played = play(shop, { steps });
  const { status } = played.get("Namespace", "shop") ?? {};
  return Object.fromEntries((status?.conditions ?? []).map((c) => [c.type, c.message ?? ""]));
}

suite("namespace controller", () => {
  test("a namespace is deleted with everything in it, whatever crashes in between", () => {
    check(
      `
      kind: Namespace
      metadata: {name: shop}          #=> gone
      ---
      kind: ConfigMap
      metadata: {name: settings, namespace: shop}          #=> gone
      `,
      { cluster: oneNode, steps: [remove, settle] },
    );
  });

  test("the namespaces of every cluster are never deleted", () => {
    const steps: readonly Step[] = [
      { type: "delete", objects: [{ kind: "Namespace", name: "default" }] },
      settle,
    ];
    const [, refused] = play("kind: Namespace\nmetadata: {name: default}", { steps }).requests;
    assert.equal(
      refused?.message,
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });

  test("the namespaces of every cluster exist and can be changed", () => {
    const steps: readonly Step[] = [
      {
        type: "patch",
        object: { kind: "Namespace", name: "default" },
        patch: { metadata: { labels: { team: "data" } } },
      },
    ];
    const played = play("kind: Namespace\nmetadata: {name: kube-system, labels: {team: ops}}", {
      steps,
    });
    assert.deepEqual(
      played.requests.map(({ verb, ref, status }) => `${verb} ${ref} ${status}`),
      ["patch Namespace//kube-system 200", "patch Namespace//default 200"],
    );
    for (const [name, team] of [
      ["kube-system", "ops"],
      ["default", "data"],
    ] as const)
      assert.equal(played.get("Namespace", name)?.metadata.labels?.["team"], team);
  });

  testWithFaults("pods are deleted first, so that they do not lose what they use", () => {
    const played = play(shop, { steps: [remove, settle] });
    const removed = played.simulation.trace.entries.flatMap((e) =>
      e.type === "write" && e.verb === "delete" ? [e.ref] : [],
    );
    assert.equal(removed[0], "Pod/shop/web");
    assert.equal(removed.at(-1), "Namespace//shop");
    assert.equal(removed.length, 4);
  });

  test("its objects get no more events", () => {
    const set = `
      kind: StatefulSet
      metadata: {name: db, namespace: shop}
      spec:
        selector: {matchLabels: {app: db}}
        template: {metadata: {labels: {app: db}}, spec: {containers: [{name: main, image: db}]}}`;
    const played = play(`${shop}\n---${set}`, {
      cluster: oneNode,
      steps: [settle, remove, settle],
    });
    const { entries } = played.simulation.trace;
    const last = entries.findLast((e) => e.type === "event" && e.about.includes("/shop/"));
    const end = entries.find((e) => e.type === "request" && e.verb === "delete");
    assert.ok(last !== undefined && end !== undefined && last.seq < end.seq);
    assert.equal(played.get("Namespace", "shop"), undefined);
  });

  test("its objects get no events once it is gone either, even if a driver still creates a volume", () => {
    const run = new StorageRun();
    run.step({
      type: "fault",
      fault: { driver: "d.csi", call: "CreateVolume", code: "Unavailable", times: 0 },
    });
    run.apply(`
      kind: Namespace
      metadata: {name: shop}
      ---
      kind: PersistentVolumeClaim
      metadata: {name: data, namespace: shop}
      spec: {storageClassName: fast}`);
    run.step(remove).advance(30);
    assert.equal(run.get("Namespace", "shop", ""), undefined);
    run.mark().advance(60);
    assert.ok(run.calls.includes("CreateVolume Unavailable"));
    assert.deepEqual(run.events("PersistentVolumeClaim/shop/data"), []);
  });

  test("while a finalizer keeps an object, the conditions name both", () => {
    const hold: Step = {
      type: "patch",
      object: { kind: "ConfigMap", namespace: "shop", name: "settings" },
      patch: { metadata: { finalizers: ["example.com/hold"] } },
    };
    const messages = conditions([hold, remove, settle]);
    assert.equal(
      messages["NamespaceContentRemaining"],
      "Some resources are remaining: configmaps. has 1 resource instances",
    );
    assert.equal(
      messages["NamespaceFinalizersRemaining"],
      "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    );
    assert.equal(
      messages["NamespaceDeletionContentFailure"],
      "All content successfully deleted, may be waiting on finalization",
    );
  });

  const seconds = (count: number): Step => ({ type: "advance", ms: count * 1000 });
  const down: Step = { type: "node", name: "node-a", kubelet: "down" };
  const stuck = (second: number, version: KubernetesVersion = "1.36") => {
    const steps = [settle, down, remove, seconds(second)];
    const played = play(shop, { version, cluster: oneNode, steps });
    const { status } = played.get("Namespace", "shop") ?? {};
    const byType = (type: string) => status?.conditions?.find((c) => c.type === type);
    return {
      failure: byType("NamespaceDeletionContentFailure"),
      remaining: byType("NamespaceContentRemaining"),
    };
  };

  test("a pod that outlasts its grace period is reported as a failure", () => {
    assert.equal(stuck(20).failure?.reason, "ContentDeleted");
    const { failure } = stuck(45);
    assert.deepEqual(
      [failure?.status, failure?.reason, failure?.message],
      [
        "True",
        "ContentDeletionFailed",
        "Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: shop for gvr: /v1, Resource=pods",
      ],
    );
  });

  test("until 1.32 the conditions say that pods remain; later, when all else waits for them, they do not", () => {
    assert.deepEqual(
      [stuck(20, "1.32").remaining?.message, stuck(20, "1.33").remaining?.message],
      [
        "Some resources are remaining: pods. has 1 resource instances",
        "All content successfully removed",
      ],
    );
  });

  test("everything else is deleted even if a pod's deletion is refused", () => {
    const pod = bare("Pod", "web", { metadata: { namespace: "shop" }, spec: { containers: [] } });
    const settings = bare("ConfigMap", "settings", { metadata: { namespace: "shop" } });
    const conflictOnWrite = { component: "namespace-controller", write: 1 };
    const scene = new Scene([namespaceController], [leaving, pod, settings], {
      fault: { conflictOnWrite },
    }).run(10_000);
    const deleted = scene.writes.flatMap((line) => / delete (\w+)/.exec(line)?.[1] ?? []);
    assert.deepEqual(deleted, ["ConfigMap", "Pod", "Namespace"]);
  });

  test("a pod whose end no kubelet confirms is checked until it is gone", () => {
    const force: Step = {
      type: "delete",
      objects: [{ kind: "Pod", namespace: "shop", name: "web", grace: 0 }],
    };
    const steps = [settle, down, remove, seconds(120), force, seconds(120)];
    assert.equal(play(shop, { cluster: oneNode, steps }).get("Namespace", "shop"), undefined);
  });

  test("a condition with another number keeps its transition time", () => {
    const hold = (name: string, finalizers: readonly string[]): Step => ({
      type: "patch",
      object: { kind: "ConfigMap", namespace: "shop", name },
      patch: { metadata: { finalizers } },
    });
    const two = `${shop}\n---\nkind: ConfigMap\nmetadata: {name: more, namespace: shop}`;
    const both = ["settings", "more"].map((name) => hold(name, ["example.com/hold"]));
    const remainingAfter = (...steps: readonly Step[]) =>
      play(two, { steps: [...both, remove, settle, ...steps] })
        .get("Namespace", "shop")
        ?.status?.conditions?.find((c) => c.type === "NamespaceContentRemaining");
    const before = remainingAfter();
    const after = remainingAfter(hold("more", []), seconds(60));
    assert.match(before?.message ?? "", /has 2 resource instances$/);
    assert.match(after?.message ?? "", /has 1 resource instances$/);
    assert.equal(after?.lastTransitionTime, before?.lastTransitionTime);
  });

  const leaving = bare("Namespace", "shop", {
    metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    spec: { finalizers: ["kubernetes"] },
  });

  test("a refused deletion is reported and retried", () => {
    const settings = bare("ConfigMap", "settings", { metadata: { namespace: "shop" } });
    const conflictOnWrite = { component: "namespace-controller", write: 1 };
    const scene = new Scene([namespaceController], [leaving, settings], {
      fault: { conflictOnWrite },
    }).run(10_000);
    const told = scene.runtime.trace.entries.flatMap((e) =>
      e.type === "write" && e.after?.kind === "Namespace"
        ? (e.after.status?.conditions ?? []).map(({ message }) => message ?? "")
        : [],
    );
    assert.ok(
      told.some((text) => /^Failed to delete all resource types, 1 remaining: /.test(text)),
    );
    assert.equal(scene.get("Namespace", "", "shop"), undefined);
  });

  test("an ended pod gets no grace period, only time for its finalizers", () => {
    const ended = bare("Pod", "web", {
      metadata: { namespace: "shop", finalizers: ["example.com/hold"] },
      spec: { containers: [], terminationGracePeriodSeconds: 30 },
      status: { phase: "Succeeded" },
    });
    const scene = new Scene([namespaceController], [leaving, ended]).run(10_000);
    scene.runtime.api.patch("Pod", "shop", "web", "", (pod) => {
      const { finalizers: _, ...metadata } = pod.metadata;
      return { ...pod, metadata } as KubeObject;
    });
    assert.equal(scene.run(6_000).get("Namespace", "", "shop"), undefined);
  });
});
