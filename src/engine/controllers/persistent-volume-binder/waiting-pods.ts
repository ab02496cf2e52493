/**
 * Pods that use a claim: unscheduled ones, which a WaitForFirstConsumer claim waits for, and unfinished ones, which delay
 * recycling.
 * Upstream: pv_controller.go findPodsByPVCKey, findNonScheduledPodsByPVC v1.36.
 */
import { compareText } from "../../api/go/text-order.ts";
import { type Key, keyOf } from "../../api/meta.ts";
import { podsByClaim } from "../../matching/pod-claims.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import type { Binder } from "./binder.ts";

/** Names of unfinished pods that use the claim and have no node, sorted (the order is random upstream). */
export function unscheduledPods(binder: Binder, claim: Key): readonly string[] {
  return binder.pods
    .byIndex(podsByClaim, claim)
    .filter((pod) => !isPodTerminated(pod) && (pod.spec.nodeName ?? "") === "")
    .map((pod) => pod.metadata.name)
    .toSorted(compareText);
}

/** Keys of unfinished pods that use the claim, sorted. */
export function unfinishedPods(binder: Binder, claim: Key): readonly Key[] {
  return binder.pods
    .byIndex(podsByClaim, claim)
    .filter((pod) => !isPodTerminated(pod))
    .map(keyOf)
    .toSorted(compareText);
}
