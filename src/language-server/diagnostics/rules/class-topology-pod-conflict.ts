/** A pod that may only run where its claim's class cannot make volumes, according to the scheduler's reasons. */
import { makeRef } from "../../../engine/api/meta.ts";
import { effectiveClassName } from "../../../engine/api/storage-class-name.ts";
import { claimNames, podsUsing } from "../../../engine/explain/pods-using.ts";
import type { Verdict } from "../../../engine/explain/verdict.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

export const classTopologyPodConflict: PredictionRule = outcomeRule(
  "class-topology-pod-conflict",
  "error",
  isTopologyConflict,
  undefined,
  () => "No node satisfies both the Pod and the class's allowedTopologies",
);

/** For the verdict on the pod, or on the claim that waits for it. */
export function isTopologyConflict({ ref, reason }: Verdict, prediction: Prediction): boolean {
  const { facts } = prediction.trials;
  const object = facts.objects.get(ref);
  const pods =
    object?.kind === "Pod"
      ? [object]
      : object?.kind === "PersistentVolumeClaim" && reason === "WaitForPodScheduled"
        ? podsUsing(facts, object)
        : [];
  return pods.some((pod) => {
    const place = makeRef("Pod", pod.metadata.namespace, pod.metadata.name);
    const event = facts.lastEvent(place, (e) => e.reason === "FailedScheduling");
    // Some nodes do not suit the pod, all others not the volume that is to be made.
    const isSplit =
      event?.message.includes("didn't match Pod's node affinity/selector") === true &&
      event.message.includes("didn't find available persistent volumes to bind");
    return (
      isSplit && claimNames(pod).some((name) => isLimited(prediction, pod.metadata.namespace, name))
    );
  });
}

function isLimited({ facts }: Prediction, namespace: string | undefined, name: string): boolean {
  const claim = facts.get("PersistentVolumeClaim", namespace, name);
  if (claim === undefined || claim.status?.phase === "Bound") return false;
  const storageClass = facts.get("StorageClass", undefined, effectiveClassName(claim));
  return (storageClass?.allowedTopologies ?? []).length > 0;
}
