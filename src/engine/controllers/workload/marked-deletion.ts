/**
 * Records in a pod's status why it is deleted, then deletes it. Upstream: podgc markFailedAndDeletePodWithCondition,
 * tainteviction addConditionAndDeletePod v1.36.
 */
import type { KubeObject, Result } from "../../api/meta.ts";
import { type DeleteOptions, patch, remove, type Task } from "../../runtime/effects.ts";

type Pod = KubeObject<"Pod">;

/** Returns the API server's last answer: a pod that could not be marked is not deleted. */
export function* markAndDelete(
  { metadata: { namespace, name } }: Pod,
  mark: (current: Pod) => Pod,
  options: DeleteOptions = {},
): Task<Result<Pod>> {
  const marked = yield* patch("Pod", namespace, name, mark, "status");
  return marked.ok ? yield* remove("Pod", namespace, name, options) : marked;
}
