/** Upstream: pkg/controller/history/controller_history_test.go TestSortControllerRevisions, TestRealHistory_CreateControllerRevision. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  createRevision,
  newRevision,
  removeRevisions,
  sortRevisions,
} from "../../../../src/engine/controllers/workload/controller-revision.ts";
import { bare } from "../../../support/bare-objects.ts";

const set = bare("DaemonSet", "agent", { spec: { template: { spec: { containers: [] } } } });
type Revision = KubeObject<"ControllerRevision">;

suite("revisions", () => {
  test("are sorted by number, then by age, then by name", () => {
    const revision = (name: string, number: number, second = 0) => ({
      ...bare("ControllerRevision", name, {
        metadata: { creationTimestamp: `2026-01-01T00:00:0${second}Z` },
      }),
      revision: number,
    });
    const all = [revision("d", 2), revision("c", 1, 2), revision("b", 1, 1), revision("a", 1, 2)];
    const order = ["b", "a", "c", "d"];
    for (const given of [all, [...all].reverse()])
      assert.deepEqual(
        sortRevisions(given).map(({ metadata }) => metadata.name),
        order,
      );
  });

  test("of a StatefulSet with a long name leave room for the hash, those of a DaemonSet do not", () => {
    const lengthOf = (kind: "StatefulSet" | "DaemonSet"): number | undefined =>
      newRevision(bare(kind, "x".repeat(250)), 1, 0).metadata.name?.lastIndexOf("-");
    assert.deepEqual([lengthOf("StatefulSet"), lengthOf("DaemonSet")], [223, 250]);
  });

  /** Returns name, number and collision count of the revision that results if these exist. */
  function created(collisionCount: number, there: readonly Revision[]): unknown {
    const draft = newRevision(set, 4, collisionCount);
    const task = createRevision(set, draft, collisionCount);
    let step = task.next();
    while (step.done !== true) {
      const effect = step.value;
      assert.ok(effect.type === "create" || effect.type === "get");
      const name = effect.type === "create" ? effect.object.metadata.name : effect.name;
      const known = there.find(({ metadata }) => metadata.name === name);
      const error = { code: 409, reason: "AlreadyExists", message: `${name} already exists` };
      const isRefused = effect.type === "create" && known !== undefined;
      const object = known ?? (effect.type === "create" ? effect.object : undefined);
      step = task.next(isRefused ? { ok: false, error } : { ok: true, object });
    }
    assert.ok(step.value.ok);
    const { revision, collisionCount: collisions } = step.value.object;
    return [revision.metadata.name, revision.revision, collisions];
  }

  test("that exist with the same template are used; another one of that name changes the hash", () => {
    const [first, second] = [newRevision(set, 4, 0), newRevision(set, 4, 1)];
    assert.notEqual(first.metadata.name, second.metadata.name);
    assert.deepEqual(created(0, []), [first.metadata.name, 4, 0]);
    const mine = { ...first, revision: 3 } as Revision;
    assert.deepEqual(created(0, [mine]), [first.metadata.name, 3, 0]);
    const foreign = { ...first, data: { spec: {} } } as Revision;
    assert.deepEqual(created(0, [foreign]), [second.metadata.name, 4, 1]);
  });

  test("are removed one after the other, and one that is already gone causes no error", () => {
    const outcome = (reason: string): unknown => {
      const task = removeRevisions([
        bare("ControllerRevision", "a"),
        bare("ControllerRevision", "b"),
      ]);
      const names: string[] = [];
      let step = task.next();
      while (step.done !== true) {
        assert.ok(step.value.type === "delete" && step.value.kind === "ControllerRevision");
        names.push(step.value.name);
        step = task.next({ ok: false, error: { code: 0, reason, message: reason } });
      }
      return [names, step.value];
    };
    assert.deepEqual(outcome("NotFound"), [["a", "b"], undefined]);
    assert.deepEqual(outcome("Conflict"), [["a"], "Conflict"]);
  });
});
