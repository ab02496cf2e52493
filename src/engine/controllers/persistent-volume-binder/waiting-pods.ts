/**
 * Pods that use a claim: those that a claim of a waiting class waits for, and those that hold up a recycler.
 * Upstream: pv_controller.go findPodsByPVCKey, findNonScheduledPodsByPVC v1.36.
 */
import { compareText } from "../../api/go/text-order.ts";
import { type Key, keyOf } from "../../api/meta.ts";
import { podsByClaim } from "../../matching/pod-claims.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import type { Binder } from "./binder.ts";

/** Names of the pods that use the claim, are not finished and have no node; in order of name, which is random upstream. */
export function unscheduledPods(binder: Binder, claim: Key): readonly string[] {
  return binder.pods
    .byIndex(podsByClaim, claim)
    .filter((pod) => !isPodTerminated(pod) && (pod.spec.nodeName ?? "") === "")
    .map((pod) => pod.metadata.name)
    .toSorted(compareText);
}

/** Keys of the pods that use the claim and are not finished. */
export function unfinishedPods(binder: Binder, claim: Key): readonly Key[] {
  return binder.pods
    .byIndex(podsByClaim, claim)
    .filter((pod) => !isPodTerminated(pod))
    .map(keyOf)
    .toSorted(compareText);
}
