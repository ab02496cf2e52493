/** Why no node takes a pod, where a rule of its own tells it; pod-stays-pending keeps the rest. */
import type { Verdict } from "../../../engine/explain/verdict.ts";
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import { hasGuessedNodes } from "../outcome-basis.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

const ofPod = "node(s) didn't match Pod's node affinity/selector";
const ofVolume = "node(s) didn't match PersistentVolume's node affinity";
const unbound = "node(s) didn't find available persistent volumes to bind";

/** What the scheduler says of the nodes, without their number. */
function reasonsOf({ message }: Verdict): readonly string[] {
  const [, list = ""] = /^0\/\d+ nodes are available: (.*?)\. /.exec(`${message} `) ?? [];
  return list.split(", ").map((reason) => reason.replace(/^\d+ /, ""));
}

/** Whether the pod, or where its only volume lies or is made, asks for labels alone that no node has. */
export function asksForLabels(verdict: Verdict): boolean {
  if (!isKind(verdict, "Pod")) return false;
  const { headline } = verdict;
  const isOutOfReach = /no node reaches ["v]|may make none on these nodes$/.test(headline);
  return reasonsOf(verdict).every(
    (reason) => reason === ofPod || (isOutOfReach && (reason === ofVolume || reason === unbound)),
  );
}

/** Whether the pod asks for other nodes than those of its volume, and nothing else is in its way. */
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

/** At the field that chooses the nodes. */
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
