/** An object that the assumed or imported cluster has from the start; usually a class. */
import { type Kind, makeRef, type Ref } from "../../../engine/api/meta.ts";
import type { ClusterProfile, Manifest } from "../../../engine/scenario.ts";
import { textAt } from "../manifest-fields.ts";

/** Undefined if there is no object of that name. */
export function assumedManifest(
  { manifests, state = [] }: ClusterProfile,
  ref: Ref,
): Manifest | undefined {
  return byRef(manifests).get(ref) ?? byRef(state).get(ref);
}

function byRef(manifests: readonly Manifest[]): ReadonlyMap<Ref, Manifest> {
  const known = indexes.get(manifests);
  if (known !== undefined) return known;
  const made = new Map<Ref, Manifest>();
  for (const manifest of manifests) {
    const [namespace, name = ""] = ["namespace", "name"].map((f) =>
      textAt(manifest, "metadata", f),
    );
    const ref = makeRef(manifest["kind"] as Kind, namespace, name);
    if (!made.has(ref)) made.set(ref, manifest);
  }
  indexes.set(manifests, made);
  return made;
}

// An import has thousands of objects, and each claim looks up its class.
const indexes = new WeakMap<readonly Manifest[], ReadonlyMap<Ref, Manifest>>();
