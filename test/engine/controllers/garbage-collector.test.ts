/** Garbage collection: background, foreground, orphan, missing owners. */
import assert from "node:assert/strict";
import { garbageCollector } from "../../../src/engine/controllers/garbage-collector/garbage-collector.ts";
import type { DeleteTarget, Step } from "../../../src/engine/scenario.ts";
import { bare, controllerIn } from "../../support/bare-objects.ts";
import { check } from "../../support/check.ts";
import { Scene } from "../../support/component-scene.ts";
import { type Played, play } from "../../support/play.ts";
import { exhaust } from "../../support/replay.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { oneNode, runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };

const workload = `
  kind: Deployment
  metadata: {name: web}
  spec: {replicas: 2, ${runs("web")}}`;

function remove(more: Partial<DeleteTarget> = {}): Step {
  return { type: "delete", objects: [{ kind: "Deployment", name: "web", ...more }] };
}

/** The kinds of the deleted objects, in order; equal ones in a row only once. */
function order(played: Played): readonly string[] {
  const kinds = played.simulation.trace.entries.flatMap((e) =>
    e.type === "write" && e.verb === "delete" ? [e.ref.split("/")[0] ?? ""] : [],
  );
  return kinds.filter((kind, i) => kind !== kinds[i - 1]);
}

suite("garbage collector", () => {
  test("deletes objects without an owner, whatever crashes in between", () => {
    check(
      `
      kind: ConfigMap
      metadata: {name: child, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: nobody, uid: "0"}]}          #=> gone
      `,
      { cluster: oneNode },
    );
  });

  test("with Background the owner is deleted first", () => {
    assert.deepEqual(order(play(workload, { steps: [remove(), settle] })), [
      "Deployment",
      "ReplicaSet",
      "Pod",
    ]);
  });

  testWithFaults("with Foreground the owner waits for its dependents", () => {
    const played = play(workload, { steps: [remove({ propagationPolicy: "Foreground" }), settle] });
    assert.deepEqual(order(played), ["Pod", "ReplicaSet", "Deployment"]);
  });

  testWithFaults("with Orphan the dependents stay, without an owner", () => {
    const played = play(workload, { steps: [remove({ propagationPolicy: "Orphan" }), settle] });
    assert.equal(played.get("Deployment", "web"), undefined);
    const [set] = played.list("ReplicaSet");
    assert.equal(set?.metadata.ownerReferences, undefined);
    assert.equal(played.list("Pod").length, 2);
  });

  test("an object with another owner stays, and loses the reference to the one that is gone", () => {
    const played = play(`
      kind: ConfigMap
      metadata: {name: parent}
      ---
      kind: ConfigMap
      metadata: {name: child}
    `);
    const parent = played.get("ConfigMap", "parent");
    assert.ok(parent !== undefined);
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "parent", uid: parent.metadata.uid };
    const again = played.simulation;
    const patch: Step = {
      type: "patch",
      object: { kind: "ConfigMap", name: "child" },
      patch: { metadata: { ownerReferences: [owner, { ...owner, name: "nobody", uid: "0" }] } },
    };
    for (const step of [patch, settle]) for (const _ of again.step(step));
    const owners = played.get("ConfigMap", "child")?.metadata.ownerReferences;
    assert.deepEqual(
      owners?.map((o) => o.name),
      ["parent"],
    );
  });

  test("an owner with the right name but another uid does not protect", () => {
    const played = play(`
      kind: ConfigMap
      metadata: {name: parent}
      ---
      kind: ConfigMap
      metadata: {name: child, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: parent, uid: "0"}]}
    `);
    assert.equal(played.get("ConfigMap", "child"), undefined);
  });

  test("an owner's apiVersion may be written with an empty group", () => {
    const played = play(`
      kind: ConfigMap
      metadata: {name: child, ownerReferences: [{apiVersion: /v1, kind: ConfigMap, name: parent, uid: "0"}]}
    `);
    assert.equal(played.get("ConfigMap", "child"), undefined);
  });

  const inForeground = {
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers: ["foregroundDeletion"],
  };
  const blocked = (owner: ReturnType<typeof bare>): object => ({
    ...controllerIn(owner),
    blockOwnerDeletion: true,
  });

  test("two objects that wait for each other in the foreground do not wait forever", () => {
    const [one, two] = [bare("ConfigMap", "one"), bare("ConfigMap", "two")];
    const both = [
      { ...one, metadata: { ...one.metadata, ...inForeground, ownerReferences: [blocked(two)] } },
      { ...two, metadata: { ...two.metadata, ownerReferences: [blocked(one)] } },
    ] as unknown as readonly (typeof one)[];
    const scene = new Scene([garbageCollector], both).run(1000);
    assert.deepEqual(scene.runtime.api.store.list("ConfigMap"), []);
  });

  test("with Foreground only dependents that block their owner are waited for", () => {
    const owner = bare("ConfigMap", "owner", { metadata: inForeground });
    const free = bare("ConfigMap", "free", {
      metadata: { ownerReferences: [controllerIn(owner)], finalizers: ["a/b"] },
    });
    const held = bare("ConfigMap", "held", {
      metadata: { ownerReferences: [blocked(owner)], finalizers: ["a/b"] },
    });
    const names = (...objects: readonly (typeof owner)[]): readonly string[] =>
      new Scene([garbageCollector], objects)
        .run(1000)
        .runtime.api.store.list("ConfigMap")
        .map(({ metadata }) => metadata.name)
        .toSorted();
    assert.deepEqual(names(owner, free), ["free"]);
    assert.deepEqual(names(owner, free, held), ["free", "held", "owner"]);
  });

  test("to end a circular wait, only references that block their owner are changed", () => {
    const held = { ...inForeground, finalizers: ["foregroundDeletion", "a/b"] };
    const [one, two] = ["one", "two"].map((name) => bare("ConfigMap", name, { metadata: held }));
    assert.ok(one !== undefined && two !== undefined);
    const other = { ...controllerIn(two), controller: false };
    const middle = bare("ConfigMap", "middle", {
      metadata: { ownerReferences: [blocked(one), other], finalizers: ["a/b"] },
    });
    const last = bare("ConfigMap", "last", {
      metadata: { ...held, ownerReferences: [blocked(middle)] },
    });
    const scene = new Scene([garbageCollector], [one, two, middle, last]).run(1000);
    assert.deepEqual(scene.get("ConfigMap", "default", "middle")?.metadata.ownerReferences, [
      { ...blocked(one), blockOwnerDeletion: false },
      other,
    ]);
  });

  test("an owner of an unknown kind keeps its dependents, along with their other owners", () => {
    const foreign = { apiVersion: "example.com/v1", kind: "Thing", name: "x", uid: "x" };
    const gone = { ...controllerIn(bare("ConfigMap", "gone")), controller: false };
    const owned = bare("ConfigMap", "owned", {
      metadata: {
        ownerReferences: [foreign, gone],
      },
    });
    const scene = new Scene([garbageCollector], [owned]).run(1000);
    const { ownerReferences } = scene.get("ConfigMap", "default", "owned")?.metadata ?? {};
    assert.deepEqual(ownerReferences, [foreign, gone]);
  });

  test("an object whose owner is in another namespace gets an event, and counts as without it", () => {
    const settled = play(`
      kind: Namespace
      metadata: {name: other}
      ---
      kind: ConfigMap
      metadata: {name: parent, namespace: other}
      ---
      kind: ConfigMap
      metadata: {name: child}
      ---
      kind: PersistentVolume
      metadata: {name: disk}
    `);
    const { simulation } = settled;
    const uid = simulation.runtime.api.store.get("ConfigMap", "other", "parent")?.metadata.uid;
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "parent", uid };
    for (const [kind, name] of [
      ["ConfigMap", "child"],
      ["PersistentVolume", "disk"],
    ] as const) {
      const patch = { metadata: { ownerReferences: [owner] } } as never;
      exhaust(simulation.step({ type: "patch", object: { kind, name }, patch }));
    }
    exhaust(simulation.step(settle));
    const named = (namespace: string): string =>
      `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: parent, uid: ${uid}] does not exist in namespace "${namespace}"`;
    assert.deepEqual(settled.events("OwnerRefInvalidNamespace"), [named("default"), named("")]);
    assert.equal(settled.get("ConfigMap", "child"), undefined);
    assert.ok(settled.get("PersistentVolume", "disk"), "where it would have to be is not known");
  });

  test("the dependents of an object without an owner are orphaned if requested", () => {
    const middle = bare("ConfigMap", "middle", {
      metadata: {
        ownerReferences: [controllerIn(bare("ConfigMap", "gone"))],
        finalizers: ["orphan"],
      },
    });
    const last = bare("ConfigMap", "last", {
      metadata: { ownerReferences: [controllerIn(middle)] },
    });
    const scene = new Scene([garbageCollector], [middle, last]).run(1000);
    assert.equal(scene.get("ConfigMap", "default", "middle"), undefined);
    const left = scene.get("ConfigMap", "default", "last");
    assert.ok(left !== undefined);
    assert.equal(left.metadata.ownerReferences, undefined);
  });
});
