/**
 * Creates and deletes an owner's pods, with an event on the owner for each, and keeps the expectations. Upstream:
 * pkg/controller/controller_utils.go RealPodControl v1.36, and the loops around it that the ReplicaSet, DaemonSet and Job
 * controllers have in common.
 */
import {
  type ApiError,
  type Draft,
  type Kind,
  type KubeObject,
  keyOf,
  refOf,
} from "../../api/meta.ts";
import { create, event, isNotFound, remove, type Task } from "../../runtime/effects.ts";
import { Expectations } from "./expectations.ts";
import { isNamespaceTerminating } from "./namespace-terminating.ts";
import { type BatchEnd, slowStart } from "./slow-start.ts";

type Pod = KubeObject<"Pod">;
type Owner = KubeObject<Kind>;

export interface Deletions {
  /** Terminating now, or gone already. */
  readonly deleted: readonly Pod[];
  readonly error: ApiError | undefined;
}

export class PodControl {
  readonly expectations: Expectations = new Expectations();

  *createPods(owner: Owner, count: number, draft: (index: number) => Draft<"Pod">): Task<BatchEnd> {
    const key = keyOf(owner);
    if (count > 0) this.expectations.expectCreations(key, count);
    const end = yield* slowStart(count, (index) => createPod(owner, draft(index)));
    // Pods that were not created will never be seen; the next sync creates them.
    for (let skipped = count - end.successes; skipped > 0; skipped--) {
      this.expectations.creationObserved(key);
    }
    return end;
  }

  *deletePods(owner: Owner, pods: readonly Pod[]): Task<Deletions> {
    const key = keyOf(owner);
    const uids = pods.map((pod) => pod.metadata.uid);
    if (pods.length > 0) this.expectations.expectDeletions(key, uids);
    const deleted: Pod[] = [];
    let error: ApiError | undefined;
    for (const pod of pods) {
      const { namespace, name, uid } = pod.metadata;
      const removed = yield* remove("Pod", namespace, name);
      if (removed.ok) {
        deleted.push(pod);
        yield* event(refOf(owner), "Normal", "SuccessfulDelete", `Deleted pod: ${name}`);
        continue;
      }
      this.expectations.deletionObserved(key, uid);
      if (isNotFound(removed.error)) {
        deleted.push(pod);
        continue;
      }
      const text = `Error deleting: ${removed.error.message}`;
      yield* event(refOf(owner), "Warning", "FailedDelete", text);
      const message = `unable to delete pods: ${removed.error.message}`;
      error ??= { ...removed.error, message };
    }
    return { deleted, error };
  }
}

function* createPod(owner: Owner, draft: Draft<"Pod">): Task<ApiError | undefined> {
  const created = yield* create<"Pod">(draft);
  if (created.ok) {
    const text = `Created pod: ${created.object.metadata.name}`;
    yield* event(refOf(owner), "Normal", "SuccessfulCreate", text);
    return undefined;
  }
  if (isNamespaceTerminating(created.error)) return undefined;
  const text = `Error creating: ${created.error.message}`;
  yield* event(refOf(owner), "Warning", "FailedCreate", text);
  return created.error;
}
