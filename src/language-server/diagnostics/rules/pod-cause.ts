/** Causes of pods that no node takes, for rules of their own; pod-stays-pending reports the rest. */
import type { Verdict } from "../../../engine/explain/verdict.ts";
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import { hasGuessedNodes } from "../outcome-basis.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

const ofPod = "node(s) didn't match Pod's node affinity/selector";
const ofVolume = "node(s) didn't match PersistentVolume's node affinity";
const unbound = "node(s) didn't find available persistent volumes to bind";

/** The scheduler's reasons, without the numbers of nodes. */
function reasonsOf({ message }: Verdict): readonly string[] {
  const [, list = ""] = /^0\/\d+ nodes are available: (.*?)\. /.exec(`${message} `) ?? [];
  return list.split(", ").map((reason) => reason.replace(/^\d+ /, ""));
}

/** True if the only reason is that no node has the labels that the pod, or its only volume, requires. */
export function asksForLabels(verdict: Verdict): boolean {
  if (!isKind(verdict, "Pod")) return false;
  const { headline } = verdict;
  const isOutOfReach = /no node reaches ["v]|may make none on these nodes$/.test(headline);
  return reasonsOf(verdict).every(
    (reason) => reason === ofPod || (isOutOfReach && (reason === ofVolume || reason === unbound)),
  );
}

/** True if the only reason is that the pod requires other nodes than those of its volume. */
export function asksForOtherNodes(verdict: Verdict): boolean {
  if (!isKind(verdict, "Pod")) return false;
  const reasons = reasonsOf(verdict);
  return (
    reasons.includes(ofPod) &&
    reasons.includes(ofVolume) &&
    reasons.every((reason) => reason === ofPod || reason === ofVolume)
  );
}

const outcome: PredictionRule = outcomeRule(
  "affinity-pod-conflict",
  "error",
  asksForOtherNodes,
  (_, prediction) => (hasGuessedNodes(prediction) ? "information" : "error"),
);

/** Reported at the field that selects the nodes. */
export const affinityPodConflict: PredictionRule = {
  ...outcome,
  *check(prediction) {
    for (const report of outcome.check(prediction)) {
      const pod = podSpecOf(report.entry.object);
      const field = ["nodeSelector", "affinity"].find((name) => pod?.fields[name] !== undefined);
      yield pod === undefined || field === undefined
        ? report
        : { ...report, path: [...pod.path, field] };
    }
  },
};
