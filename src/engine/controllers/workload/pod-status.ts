/**
 * What controllers read from a pod's status. Upstream: pkg/api/v1/pod/util.go and pkg/controller/controller_utils.go v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { instantOf } from "../../api/timestamp.ts";
import { podCondition } from "../../matching/pod-condition.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { Instant } from "../../trace/instant.ts";

type Pod = KubeObject<"Pod">;

/** True if the pod has neither ended nor is terminating. */
export function isPodActive(pod: Pod): boolean {
  return !isPodEnded(pod) && !isTerminating(pod);
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** True if the pod is terminating and has not ended. Upstream: IsPodTerminating. */
export function isCountedTerminating(pod: Pod): boolean {
  return isTerminating(pod) && !isPodEnded(pod);
}

/** Returns when a ready pod will have been ready for `minReadySeconds`; undefined if it is not ready. */
function podAvailableAt(pod: Pod, minReadySeconds: number): Instant | undefined {
  const ready = podCondition(pod, "Ready");
  if (ready?.status !== "True") return undefined;
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  return ready.lastTransitionTime === undefined
    ? undefined
    : instantOf(ready.lastTransitionTime) + minReadySeconds * 1000;
}

export function isPodAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  const at = podAvailableAt(pod, minReadySeconds);
  return at !== undefined && at <= now;
}

/** Returns the delay until the next ready pod becomes available; undefined if none is waiting for that. */
export function nextAvailableInMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: Instant,
): number | undefined {
  if (minReadySeconds === 0) return undefined;
  let next: number | undefined;
  for (const pod of pods) {
    const at = podAvailableAt(pod, minReadySeconds);
    if (at !== undefined && at > now && (next === undefined || at - now < next)) next = at - now;
  }
  return next;
}
