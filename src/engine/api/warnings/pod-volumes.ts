/** Volumes of pods that are accepted with a warning. Upstream: pkg/api/pod/warnings.go warningsForOverlappingVirtualPaths, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { disablesGitRepo } from "../../version-differences.ts";
import type { FieldPath } from "../field-path.ts";
import { withoutEndSlashes } from "../go/file-path.ts";
import { goQuote } from "../go/text.ts";
import type { KeyToPath, Volume, VolumeProjection } from "../types.ts";
import { presentFields } from "../validation/present-fields.ts";
import { warnOfClaimSpec } from "./storage.ts";

const deprecatedSources: ReadonlyMap<string, string> = new Map([
  ["photonPersistentDisk", "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo: deprecated in v1.11"],
  ["scaleIO", "scaleIO: deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker: deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS: deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte: deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs: deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs: deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd: deprecated in v1.28, non-functional in v1.31+"],
]);

const switchedOff = ", and disabled by default in v1.33+";

export function warnOfVolumes(
  volumes: readonly Volume[],
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  volumes.forEach((volume, index) => {
    warnOfSource(volume, path.index(index), version, warnings);
  });
  for (const volume of volumes) warnOfOverlaps(volume, warnings);
}

function warnOfSource(
  volume: Volume,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  for (const source of presentFields(volume, deprecatedSources)) {
    const isOff = source === "gitRepo" && disablesGitRepo(version);
    warnings.push(`${path}.${deprecatedSources.get(source)}${isOff ? switchedOff : ""}`);
  }
  const spec = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (spec === undefined) return;
  const at = path.child("ephemeral").child("volumeClaimTemplate").child("spec");
  warnOfClaimSpec(spec, at, warnings);
}

interface Placed {
  /** `path` has no slash at its end, `folder` has one. */
  readonly path: string;
  readonly folder: string;
  /** The source in a projected volume, for messages. */
  readonly origin: string;
}

/** Warns about files of one volume whose paths overlap. */
function warnOfOverlaps(volume: Volume, warnings: string[]): void {
  const { configMap, secret, downwardAPI, projected } = volume;
  const hasFiles =
    (configMap ?? secret ?? downwardAPI)?.items !== undefined || projected !== undefined;
  if (!hasFiles) return;
  const name = `volume ${goQuote(volume.name)}`;
  if (configMap?.items !== undefined) {
    const what = `${name} (ConfigMap ${goQuote(configMap.name ?? "")})`;
    overlaps(placed(configMap.items, ""), [], what, warnings);
  }
  if (secret?.items !== undefined) {
    const what = `${name} (Secret ${goQuote(secret.secretName ?? "")})`;
    overlaps(placed(secret.items, ""), [], what, warnings);
  }
  if (downwardAPI?.items !== undefined)
    overlaps(placed(downwardAPI.items, ""), [], `${name} (DownwardAPI)`, warnings);
  const all: Placed[] = [];
  for (const source of projected?.sources ?? []) {
    if (Object.keys(source).length === 0)
      warnings.push(`${name} (Projected) has no sources provided`);
    else overlaps(placedBy(source), all, `${name} (Projected)`, warnings);
  }
}

function placed(items: readonly Pick<KeyToPath, "path">[], origin: string): readonly Placed[] {
  return items.map(({ path: written }) => {
    const path = withoutEndSlashes(written);
    return { path, folder: `${path}/`, origin };
  });
}

/** The files of the first source that has any. */
function placedBy({
  secret,
  configMap,
  downwardAPI,
  serviceAccountToken,
  clusterTrustBundle,
}: VolumeProjection): readonly Placed[] {
  if (configMap?.items !== undefined)
    return placed(configMap.items, ` (ConfigMap ${goQuote(configMap.name ?? "")})`);
  if (secret?.items !== undefined)
    return placed(secret.items, ` (Secret ${goQuote(secret.name ?? "")})`);
  if (downwardAPI?.items !== undefined) return placed(downwardAPI.items, " (DownwardAPI)");
  if (serviceAccountToken !== undefined)
    return placed([serviceAccountToken], " (ServiceAccountToken)");
  if (clusterTrustBundle === undefined) return [];
  const { name, signerName } = clusterTrustBundle;
  return placed([clusterTrustBundle], ` (ClusterTrustBundle ${goQuote(name ?? signerName ?? "")})`);
}

/** Warns about files that overlap with those in `present`, and adds them to these. */
function overlaps(
  files: readonly Placed[],
  present: Placed[],
  what: string,
  warnings: string[],
): void {
  for (const file of files) {
    const { path, folder, origin } = file;
    if (path === "") continue;
    for (const other of present) {
      if (!folder.startsWith(other.folder) && !other.folder.startsWith(folder)) continue;
      warnings.push(
        `${what}: overlapping paths: ${goQuote(path)}${origin} with ${goQuote(other.path)}${other.origin}`,
      );
    }
    present.push(file);
  }
}
