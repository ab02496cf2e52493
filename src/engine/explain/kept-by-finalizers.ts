/** An object that is deleted as soon as somebody outside the cluster lets go of it. */
import { type KubeObject, refOf } from "../api/meta.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { Verdict } from "./verdict.ts";

/** `finalizers` are those that no component of the cluster takes away. */
export function keptByFinalizers(object: KubeObject, finalizers: readonly string[]): Verdict {
  return makeVerdict(
    object,
    "waits-for-you",
    `is being deleted, but stays until its finalizers are removed: ${finalizers.join(", ")}`,
    { root: { ref: refOf(object), field: "metadata.finalizers" } },
  );
}
