/** What an object says and what it is called, each as one text: two that are alike in it have the same, wherever they stand. */
import type { ClusterProfile } from "../../engine/scenario.ts";
import type { ManifestObject } from "../yaml/manifest.ts";

/** Whatever its kind, and though it has no name of its own. */
export function nameOf({ ref, apiVersion, kind, namespace, name }: ManifestObject): string {
  return ref ?? `${apiVersion} ${kind}/${namespace}/${name}`;
}

/** However it is written. */
export function textOf(thing: ManifestObject | ClusterProfile): string {
  const known = texts.get(thing);
  if (known !== undefined) return known;
  // Of a cluster only what it installs is of use here; its machines and drivers have names of their own.
  const text = JSON.stringify("value" in thing ? [thing.path, thing.value] : thing.manifests);
  texts.set(thing, text);
  return text;
}

const texts = new WeakMap<ManifestObject | ClusterProfile, string>();
