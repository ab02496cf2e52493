/** Upstream: pkg/controller/controller_ref_manager_test.go TestClaimPods. */
import assert from "node:assert/strict";
import type { ApiError, KubeObject } from "../../../../src/engine/api/meta.ts";
import { claimChildren } from "../../../../src/engine/controllers/workload/claim-children.ts";
import { bare, controllerIn } from "../../../support/bare-objects.ts";

const owner = bare("Job", "once");
const finalizer = "example.com/tracked";
type Pod = KubeObject<"Pod">;

const pod = (name: string, metadata: object = {}): Pod =>
  bare("Pod", name, { metadata: { labels: { app: "once" }, ...metadata } });
const owned = { ownerReferences: [controllerIn(owner)] };
const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };

interface Answers {
  /** The owner in the API server; null if it is gone. */
  readonly live?: KubeObject<"Job"> | null;
  /** The error with which each patch is refused. */
  readonly refusal?: ApiError;
  readonly owner?: KubeObject<"Job">;
}

/** Returns the children, owners and finalizers of each patched pod, and the error. */
function claimed(pods: readonly Pod[], answers: Answers = {}): readonly unknown[] {
  const task = claimChildren<"Pod">(pods, {
    owner: answers.owner ?? owner,
    matches: ({ metadata }) => metadata.labels?.["app"] === "once",
    finalizer,
  });
  const patched: string[] = [];
  let step = task.next();
  while (step.done !== true) {
    const effect = step.value;
    if (effect.type === "get") {
      const error = { code: 404, reason: "NotFound", message: "no such job" };
      const { live = owner } = answers;
      step = task.next(live === null ? { ok: false, error } : { ok: true, object: live });
    } else {
      assert.ok(effect.type === "patch");
      const before = pods.find(({ metadata }) => metadata.name === effect.name);
      assert.ok(before !== undefined);
      const { metadata } = effect.change(before);
      const owners = metadata.ownerReferences?.map(({ name }) => name).join() ?? "nobody";
      patched.push(`${metadata.name}: ${owners}, ${metadata.finalizers?.join() ?? ""}`);
      const { refusal } = answers;
      const object = { ...before, metadata };
      step = task.next(
        refusal === undefined ? { ok: true, object } : { ok: false, error: refusal },
      );
    }
  }
  const { children, error } = step.value;
  return [children.map(({ metadata }) => metadata.name), patched, error?.message];
}

suite("children of a workload", () => {
  const other = { app: "other" };

  test("are those that it controls, and orphans with its labels", () => {
    const foreign = pod("foreign", { ownerReferences: [controllerIn(bare("Job", "else"))] });
    const all = [pod("mine", owned), foreign, pod("orphan"), pod("stranger", { labels: other })];
    assert.deepEqual(claimed(all), [["mine", "orphan"], [`orphan: once, ${finalizer}`], undefined]);
  });

  test("are released when they lose the labels, and keep other finalizers", () => {
    const lost = pod("lost", { ...owned, labels: other, finalizers: ["a/b", finalizer] });
    assert.deepEqual(claimed([lost]), [[], ["lost: nobody, a/b"], undefined]);
    const gone = { ...owner, metadata: { ...owner.metadata, ...leaving } };
    assert.deepEqual(claimed([lost], { owner: gone }), [[], [], undefined]);
  });

  test("are adopted with the finalizer, even if they have it already", () => {
    const tracked = pod("tracked", { finalizers: [finalizer, "a/b"] });
    assert.deepEqual(claimed([tracked])[1], [`tracked: once, ${finalizer},a/b`]);
  });

  test("are not adopted if they or the owner are being deleted, or the owner was replaced", () => {
    const gone = { ...owner, metadata: { ...owner.metadata, ...leaving } };
    assert.deepEqual(claimed([pod("p", leaving)]), [[], [], undefined]);
    assert.deepEqual(claimed([pod("p")], { owner: gone }), [[], [], undefined]);
    for (const live of [gone, { ...owner, metadata: { ...owner.metadata, uid: "new" } }]) {
      const [children, patched, error] = claimed([pod("p"), pod("q"), pod("mine", owned)], {
        live,
      });
      assert.deepEqual([children, patched], [["mine"], []]);
      assert.match(String(error), /Operation cannot be fulfilled/);
    }
    assert.deepEqual(claimed([pod("p")], { live: null })[2], "no such job");
  });

  test("that are gone cause no error, others that cannot be changed do", () => {
    const refused = (reason: string): readonly unknown[] =>
      claimed([pod("orphan"), pod("lost", { ...owned, labels: other })], {
        refusal: { code: 0, reason, message: reason },
      });
    assert.deepEqual([refused("NotFound")[0], refused("NotFound")[2]], [[], undefined]);
    assert.equal(refused("Forbidden")[2], "Forbidden");
  });
});
