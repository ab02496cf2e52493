/**
 * Objects that are missing because the API server refused them, or because the import left them out. The cause is then the
 * missing object, not the objects that refer to it.
 */
import {
  isNamespaced,
  kindFor,
  kindOfRef,
  makeRef,
  nameOfRef,
  namespaceOfRef,
  type Ref,
} from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { WriteEntry } from "../trace/entry.ts";
import { onceOf, type RunFacts } from "./run-facts.ts";
import { type Fix, isGood, type Verdict } from "./verdict.ts";

/** Returns the verdict, with the refused object as its root if a refused object is what is missing. */
export function blamingRefused(facts: RunFacts, verdict: Verdict): Verdict {
  if (facts.refused.size === 0 || isGood(verdict)) return verdict;
  const missed = [...verdict.chain.map((link) => link.ref), ...notFound(verdict)].find(
    (one) => facts.refused.has(one) && !facts.objects.has(one),
  );
  const volume = missed === undefined ? refusedVolume(facts, verdict) : undefined;
  const ref = missed ?? volume;
  if (ref === undefined) return verdict;
  const others = verdict.chain.filter((link) => link.ref !== ref);
  const why = volume === undefined ? "" : `; ${titleOf(volume)} is refused`;
  return {
    ...verdict,
    headline: verdict.headline + why,
    root: { ref },
    chain: [...others, { ref, text: refusedText }],
    fixes: [refusedFix(ref)],
  };
}

/** A refused volume of the class that the verdict's root is or names: it would be matched before another is provisioned. */
function refusedVolume(facts: RunFacts, { root, reason }: Verdict): Ref | undefined {
  if (root === undefined || reason === "WaitForFirstConsumer") return undefined;
  const object = facts.objects.get(root.ref);
  if (object?.kind === "StorageClass") return refusedVolumes(facts).get(object.metadata.name);
  if (object?.kind !== "PersistentVolumeClaim" || object.spec.volumeName !== undefined)
    return undefined;
  return refusedVolumes(facts).get(effectiveClassName(object));
}

/** The first refused volume of each class, by the name of the class. */
const refusedVolumes = onceOf((facts): ReadonlyMap<string, Ref> => {
  const volumes = new Map<string, Ref>();
  for (const { ref, volumeClass } of facts.refused.values())
    if (volumeClass !== undefined && !volumes.has(volumeClass)) volumes.set(volumeClass, ref);
  return volumes;
});

/** Says in a few words why an object is not there. */
export function absenceText(facts: RunFacts, ref: Ref): string {
  if (facts.refused.has(ref)) return refusedText;
  return whyLeftOut(facts, ref) === undefined ? "does not exist" : "is left out of the import";
}

/** As `absenceText`, with more detail: for a headline. */
export function missingText(facts: RunFacts, ref: Ref): string {
  const leftOut = whyLeftOut(facts, ref);
  if (leftOut !== undefined) return `is left out of the import: ${leftOut}`;
  const deletion = facts.deletion(ref);
  if (deletion !== undefined) return `was deleted${whyDeleted(deletion)}, and is gone`;
  return `does not exist${facts.refused.has(ref) ? ": the API server refuses it" : ""}`;
}

function whyDeleted({ actor, before }: WriteEntry): string {
  if (actor === "garbage-collector-controller")
    return " by the garbage collector, because none of its owners existed";
  if (before?.kind !== "PersistentVolume" || before.status?.phase !== "Released") return "";
  return before.spec.persistentVolumeReclaimPolicy === "Delete"
    ? " with its storage, because it was Released and its policy is Delete"
    : "";
}

/** Why the import left out an object that the cluster has; undefined for all other objects. */
export function whyLeftOut(facts: RunFacts, ref: Ref): string | undefined {
  const decision = facts.objects.has(ref) ? undefined : facts.lastDecision(ref, "cluster");
  return decision?.reason === "LeftOut" ? decision.text : undefined;
}

export const refusedText = "is refused by the API server";

export function refusedFix(ref: Ref): Fix {
  return { text: `change ${titleOf(ref)} as its refusal says`, at: { ref } };
}

/** `Pod "web"`. */
export function titleOf(ref: Ref): string {
  return `${kindOfRef(ref)} "${nameOfRef(ref)}"`;
}

/** The objects that the verdict's message calls "not found". Upstream: apierrors.NewNotFound. */
function notFound({ ref, message = "" }: Verdict): readonly Ref[] {
  const namespace = namespaceOfRef(ref);
  return [...message.matchAll(/(?<![\w.])([a-z]+)(?:\.[a-z0-9.]+)? "([^"/]+)" not found/g)].flatMap(
    ([, resource = "", name = ""]) => {
      const kind = kindFor(resource);
      if (kind === undefined) return [];
      return [makeRef(kind, isNamespaced(kind) ? namespace : undefined, name)];
    },
  );
}
