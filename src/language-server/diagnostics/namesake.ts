/** For a claim that does not exist, but does in another namespace, where it is of no use. */
import { kindOfRef, nameOfRef, namespaceOfRef } from "../../engine/api/meta.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { listNames } from "./missing-reference.ts";

/** Undefined if every claim of the chain exists, or none elsewhere has the missing one's name. */
export function namesakeText({ facts }: Prediction, { ref, chain }: Verdict): string | undefined {
  const refs = [ref, ...chain.map((link) => link.ref)];
  const index = refs.findIndex(
    (one) =>
      kindOfRef(one) === "PersistentVolumeClaim" &&
      !facts.objects.has(one) &&
      !facts.refused.has(one),
  );
  const missing = refs[index];
  if (missing === undefined) return undefined;
  const namespaces = facts
    .list("PersistentVolumeClaim")
    .filter(({ metadata }) => metadata.name === nameOfRef(missing))
    .map(({ metadata }) => metadata.namespace ?? "");
  if (namespaces.length === 0) return undefined;
  const isSource = kindOfRef(refs[index - 1] ?? ref) === "VolumeSnapshot";
  const text = isSource ? sourceElsewhereText : claimElsewhereText;
  return text(namespaces.sort(), namespaceOfRef(missing));
}

export function claimElsewhereText(namespaces: readonly string[], own: string): string {
  return `The claim exists in namespace ${listNames(namespaces)}; a Pod can only use claims of its own namespace, “${own}”`;
}

export function sourceElsewhereText(namespaces: readonly string[], own: string): string {
  return `The source exists in namespace ${listNames(namespaces)}; what is made from it must be there too, and is in “${own}”`;
}
