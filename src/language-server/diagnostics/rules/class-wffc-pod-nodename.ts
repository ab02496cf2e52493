/** A pod with nodeName: it bypasses the scheduler, which would choose the node that its claim waits for. */
import { makeRef, refOf } from "../../../engine/api/meta.ts";
import { claimNames, podsUsing } from "../../../engine/explain/pods-using.ts";
import type { Verdict } from "../../../engine/explain/verdict.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { printRef } from "../../prediction/print-ref.ts";
import { sourceOf } from "../../prediction/source-of.ts";
import { valueAt } from "../../yaml/manifest.ts";
import { outcomeBasis } from "../outcome-basis.ts";
import type { ObjectReport, PredictionRule } from "../rule.ts";

export const classWffcPodNodename: PredictionRule = {
  id: "class-wffc-pod-nodename",
  severity: "error",
  scope: "prediction",
  *check(prediction) {
    const told = new Set<string>();
    for (const verdict of prediction.verdicts) {
      for (const { ref, report } of podsPastScheduler(verdict, prediction)) {
        const place = `${report.entry.file.uri} ${report.entry.documentIndex} ${ref}`;
        if (told.has(place)) continue;
        told.add(place);
        yield report;
      }
    }
  },
};

/** True if the claim waits for a consumer that has bypassed the scheduler. */
export function waitsPastScheduler(verdict: Verdict, prediction: Prediction): boolean {
  return podsPastScheduler(verdict, prediction).length > 0;
}

/** True if the pod uses such a claim. */
export function usesClaimPastScheduler({ ref }: Verdict, prediction: Prediction): boolean {
  const pod = prediction.trials.facts.objects.get(ref);
  if (pod?.kind !== "Pod") return false;
  return claimNames(pod).some((name) => {
    const claim = makeRef("PersistentVolumeClaim", pod.metadata.namespace, name);
    const verdict = prediction.verdictOf.get(claim);
    return verdict !== undefined && waitsPastScheduler(verdict, prediction);
  });
}

function podsPastScheduler(
  verdict: Verdict,
  prediction: Prediction,
): readonly { readonly ref: string; readonly report: ObjectReport }[] {
  const { ref, reason } = verdict;
  const claim = prediction.trials.facts.objects.get(ref);
  if (claim?.kind !== "PersistentVolumeClaim" || reason !== "WaitForFirstConsumer") return [];
  const basis = outcomeBasis(verdict, prediction);
  return podsUsing(prediction.trials.facts, claim).flatMap((pod) => {
    const source = sourceOf(prediction, refOf(pod), "spec.nodeName");
    // Without a written nodeName, the scheduler has set it, such as for a CronJob's pod that was tried beside the waiting
    // claim.
    if (source === undefined || valueAt(source.entry.object.value, source.path) === undefined)
      return [];
    const message = `The scheduler is bypassed, so no node is selected for ${printRef(ref)}; Pod and claim wait forever. Use nodeSelector kubernetes.io/hostname`;
    return [{ ref: refOf(pod), report: { ...source, message, ...basis } }];
  });
}
