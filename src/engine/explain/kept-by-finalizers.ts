/** An object that is deleted as soon as somebody outside the cluster lets go of it. */
import { type KubeObject, refOf } from "../api/meta.ts";
import { makeVerdict } from "./make-verdict.ts";
import { isGood, type Verdict } from "./verdict.ts";

/** The garbage collector sets them where a deletion asks for it, and takes them away. */
export const collected: ReadonlySet<string> = new Set(["foregroundDeletion", "orphan"]);

/** What is said of an object in deletion as if the cluster took all its finalizers away, unless there are others than those. */
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

/** `finalizers` are those that no component of the cluster takes away. */
export function keptByFinalizers(object: KubeObject, finalizers: readonly string[]): Verdict {
  return makeVerdict(
    object,
    "waits-for-you",
    `is being deleted, but stays until its finalizers are removed: ${finalizers.join(", ")}`,
    { root: { ref: refOf(object), field: "metadata.finalizers" } },
  );
}
