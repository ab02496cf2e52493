/** Objects in deletion that stay because no component of the cluster removes their finalizers. */
import { type KubeObject, refOf } from "../api/meta.ts";
import { makeVerdict } from "./make-verdict.ts";
import { isGood, type Verdict } from "./verdict.ts";

/** Finalizers that the API server adds for a deletion's propagation policy, and the garbage collector removes. */
export const collected: ReadonlySet<string> = new Set(["foregroundDeletion", "orphan"]);

/** Returns the verdict, which assumes that all finalizers will be removed; if it is good but some will not, says so instead. */
export function unlessKept(
  object: KubeObject,
  verdict: Verdict,
  isOwn: (finalizer: string) => boolean,
): Verdict {
  const foreign = foreignFinalizers(object, isOwn);
  return isGood(verdict) && foreign.length > 0 ? keptByFinalizers(object, foreign) : verdict;
}

export function foreignFinalizers(
  { metadata: { finalizers = [] } }: KubeObject,
  isOwn: (finalizer: string) => boolean,
): readonly string[] {
  return finalizers.filter((held) => !isOwn(held) && !collected.has(held));
}

/** `finalizers` are those that no component of the cluster removes. */
export function keptByFinalizers(object: KubeObject, finalizers: readonly string[]): Verdict {
  return makeVerdict(
    object,
    "waits-for-you",
    `is being deleted, but stays until its finalizers are removed: ${finalizers.join(", ")}`,
    { root: { ref: refOf(object), field: "metadata.finalizers" } },
  );
}
