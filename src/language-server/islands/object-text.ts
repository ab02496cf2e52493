/** An object's content and name as texts: equal objects have equal texts, wherever they are. */
import type { ClusterProfile } from "../../engine/scenario.ts";
import type { ManifestObject } from "../yaml/manifest.ts";

/** Also works for kinds without a ref. */
export function nameOf({ ref, apiVersion, kind, namespace, name }: ManifestObject): string {
  return ref ?? `${apiVersion} ${kind}/${namespace}/${name}`;
}

/** Does not depend on how the object is formatted. */
export function textOf(thing: ManifestObject | ClusterProfile): string {
  const known = texts.get(thing);
  if (known !== undefined) return known;
  // Of a cluster only the installed manifests are needed here; its machines and drivers are compared by name.
  const text = JSON.stringify("value" in thing ? [thing.path, thing.value] : thing.manifests);
  texts.set(thing, text);
  return text;
}

const texts = new WeakMap<ManifestObject | ClusterProfile, string>();
