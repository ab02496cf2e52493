/**
 * Says in a pod's status why it goes, then deletes it. Upstream: podgc markFailedAndDeletePodWithCondition, tainteviction
 * addConditionAndDeletePod v1.36.
 */
import type { KubeObject, Result } from "../../api/meta.ts";
import { type DeleteOptions, patch, remove, type Task } from "../../runtime/effects.ts";

type Pod = KubeObject<"Pod">;

/** Answers what the API server said last: a pod that could not be marked is not deleted. */
export function* markAndDelete(
  { metadata: { namespace, name } }: Pod,
  mark: (current: Pod) => Pod,
  options: DeleteOptions = {},
): Task<Result<Pod>> {
  const marked = yield* patch("Pod", namespace, name, mark, "status");
  return marked.ok ? yield* remove("Pod", namespace, name, options) : marked;
}
