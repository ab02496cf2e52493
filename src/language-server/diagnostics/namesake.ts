/** A pod's claim that does not exist, and one of its name in another namespace, which the pod cannot use. */
import { kindOfRef, nameOfRef, namespaceOfRef } from "../../engine/api/meta.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { listNames } from "./missing-reference.ts";

/** Undefined where every claim of the chain is there, or none has the name. */
export function namesakeText({ facts }: Prediction, { chain }: Verdict): string | undefined {
  const missing = chain.find(
    ({ ref }) =>
      kindOfRef(ref) === "PersistentVolumeClaim" &&
      !facts.objects.has(ref) &&
      !facts.refused.has(ref),
  );
  if (missing === undefined) return undefined;
  const namespaces = facts
    .list("PersistentVolumeClaim")
    .filter(({ metadata }) => metadata.name === nameOfRef(missing.ref))
    .map(({ metadata }) => metadata.namespace ?? "");
  if (namespaces.length === 0) return undefined;
  return elsewhereText(namespaces.sort(), namespaceOfRef(missing.ref));
}

export function elsewhereText(namespaces: readonly string[], own: string): string {
  return `The claim exists in namespace ${listNames(namespaces)}; a Pod can only use claims of its own namespace, ${own}`;
}
