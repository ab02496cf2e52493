/** An object that the assumed cluster has from the start: a class, mostly. */
import type { Kind } from "../../engine/api/meta.ts";
import type { ClusterProfile, Manifest } from "../../engine/scenario.ts";
import { valueAt } from "../yaml/manifest.ts";

/** Undefined where it installs none of that name. */
export function assumedManifest(
  { manifests }: ClusterProfile,
  kind: Kind,
  name: string,
): Manifest | undefined {
  return manifests.find(
    (manifest) => manifest["kind"] === kind && valueAt(manifest, ["metadata", "name"]) === name,
  );
}
