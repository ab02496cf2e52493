/** Garbage collection: background, foreground, orphan, owners that are not there. */
import assert from "node:assert/strict";
import type { DeleteTarget, Step } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { type Played, play } from "../../support/play.ts";
import { oneNode, runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };

const workload = `
  kind: Deployment
  metadata: {name: web}
  spec: {replicas: 2, ${runs("web")}}`;

function remove(more: Partial<DeleteTarget> = {}): Step {
  return { type: "delete", objects: [{ kind: "Deployment", name: "web", ...more }] };
}

/** What was removed, kinds only, in order and each once in a row. */
function order(played: Played): readonly string[] {
  const kinds = played.simulation.trace.entries.flatMap((e) =>
    e.type === "write" && e.verb === "delete" ? [e.ref.split("/")[0] ?? ""] : [],
  );
  return kinds.filter((kind, i) => kind !== kinds[i - 1]);
}

suite("garbage collector", function () {
  this.timeout(20_000);

  test("removes what has lost its owner, whatever crashes in between", () => {
    check(
      `
      kind: ConfigMap
      metadata: {name: child, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: nobody, uid: "0"}]}          #=> gone
      `,
      { cluster: oneNode },
    );
  });

  test("in the background the owner goes first", () => {
    assert.deepEqual(order(play(workload, { steps: [remove(), settle] })), [
      "Deployment",
      "ReplicaSet",
      "Pod",
    ]);
  });

  test("in the foreground the owner waits for its dependents", () => {
    const played = play(workload, { steps: [remove({ propagationPolicy: "Foreground" }), settle] });
    assert.deepEqual(order(played), ["Pod", "ReplicaSet", "Deployment"]);
  });

  test("orphans stay without an owner", () => {
    const played = play(workload, { steps: [remove({ propagationPolicy: "Orphan" }), settle] });
    assert.equal(played.get("Deployment", "web"), undefined);
    const [set] = played.list("ReplicaSet");
    assert.equal(set?.metadata.ownerReferences, undefined);
    assert.equal(played.list("Pod").length, 2);
  });

  test("an object with another owner stays, and forgets the one that is gone", () => {
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

  test("a reference by name alone does not protect: the uid has to be right", () => {
    const played = play(`
      kind: ConfigMap
      metadata: {name: parent}
      ---
      kind: ConfigMap
      metadata: {name: child, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: parent, uid: "0"}]}
    `);
    assert.equal(played.get("ConfigMap", "child"), undefined);
  });
});
