/** What an object says, as one text: two that say the same have the same, wherever they stand and however they are written. */
import type { ClusterProfile } from "../../engine/scenario.ts";
import type { ManifestObject } from "../yaml/manifest.ts";

export function textOf(thing: ManifestObject | ClusterProfile): string {
  const known = texts.get(thing);
  if (known !== undefined) return known;
  // Of a cluster only what it installs is of use here; its machines and drivers have names of their own.
  const text = JSON.stringify("value" in thing ? [thing.path, thing.value] : thing.manifests);
  texts.set(thing, text);
  return text;
}

const texts = new WeakMap<ManifestObject | ClusterProfile, string>();
