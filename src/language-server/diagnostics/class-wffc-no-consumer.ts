/** A claim whose class waits for a pod, and no pod uses it. */
import { makeRef, type Ref } from "../../engine/api/meta.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { referencesOf } from "../workspace/references.ts";
import { waitsPastScheduler } from "./class-wffc-pod-nodename.ts";
import { isKind, outcomeRule } from "./predicted-outcome.ts";
import type { PredictionRule } from "./rule.ts";

export const classWffcNoConsumer: PredictionRule = outcomeRule(
  "class-wffc-no-consumer",
  "information",
  (verdict, prediction) =>
    isKind(verdict, "PersistentVolumeClaim") &&
    verdict.reason === "WaitForFirstConsumer" &&
    !waitsPastScheduler(verdict, prediction) &&
    !hasRefusedConsumer(verdict.ref, prediction),
);

/** Who uses the claim is there, and refused: that is what has to be mended. */
function hasRefusedConsumer(claim: Ref, { facts, environment }: Prediction): boolean {
  for (const ref of facts.refused) {
    const entry = environment.byRef.get(ref)?.at(-1);
    if (entry === undefined) continue;
    for (const { kind, namespace, name } of referencesOf(entry.object))
      if (makeRef(kind, namespace, name) === claim) return true;
  }
  return false;
}
