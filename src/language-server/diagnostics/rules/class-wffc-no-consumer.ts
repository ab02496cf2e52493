/** A claim whose class waits for a pod, and no pod uses it. */
import { makeRef, type Ref } from "../../../engine/api/meta.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { referencesOf } from "../../workspace/references.ts";
import { isKind, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";
import { waitsPastScheduler } from "./class-wffc-pod-nodename.ts";

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
function hasRefusedConsumer(claim: Ref, prediction: Prediction): boolean {
  const known = namedByRefused.get(prediction) ?? findNamedByRefused(prediction);
  namedByRefused.set(prediction, known);
  return known.has(claim);
}

// Each claim that waits asks; going through all that is refused for each would cost their product.
const namedByRefused = new WeakMap<Prediction, ReadonlySet<Ref>>();

function findNamedByRefused({ facts, environment }: Prediction): ReadonlySet<Ref> {
  const entries = [...facts.refused].flatMap((ref) => environment.byRef.get(ref)?.at(-1) ?? []);
  return new Set(
    entries
      .flatMap(({ object }) => referencesOf(object))
      .map(({ kind, namespace, name }) => makeRef(kind, namespace, name)),
  );
}
