/** Pods and pod templates that are accepted with a warning. Upstream: pkg/api/pod/warnings.go warningsForPodSpecAndMeta, v1.36. */
import { type FieldPath, specPath } from "../field-path.ts";
import { goQuote } from "../go-text.ts";
import { checkLabel } from "../names.ts";
import { looksFractional, parseQuantity } from "../quantity.ts";
import { compareText } from "../text-order.ts";
import type {
  Affinity,
  Container,
  KeyToPath,
  PodAffinity,
  PodSpec,
  Volume,
  VolumeProjection,
} from "../types.ts";
import { labelDeprecation, warnOfTerm } from "./labels.ts";
import { warnOfPorts } from "./ports.ts";
import { warnOfClaimSpec } from "./storage.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const matchesNothing = "a null labelSelector results in matching no pod";

/** `path` is that of the spec. */
export function warnOfPodSpec(spec: PodSpec, path: FieldPath, warnings: string[]): void {
  for (const key of Object.keys(spec.nodeSelector ?? {}).sort(compareText)) {
    const message = labelDeprecation(key);
    if (message !== undefined) warnings.push(`${path.child("nodeSelector").key(key)}: ${message}`);
  }
  warnOfNodeAffinity(spec.affinity, path.child("affinity").child("nodeAffinity"), warnings);
  spec.topologySpreadConstraints?.forEach(({ topologyKey, labelSelector }, index) => {
    const at = path.child("topologySpreadConstraints").index(index);
    const message = labelDeprecation(topologyKey);
    if (message !== undefined)
      warnings.push(`${at.child("topologyKey")}: ${topologyKey} is ${message}`);
    if (labelSelector === undefined)
      warnings.push(`${at.child("labelSelector")}: ${matchesNothing}`);
  });
  spec.volumes?.forEach((volume, index) => {
    warnOfVolumeSource(volume, path.child("volumes").index(index), warnings);
  });
  warnOfPullSecrets(spec, path.child("imagePullSecrets"), warnings);
  for (const field of ["initContainers", "containers"] as const) {
    spec[field]?.forEach((container, index) => {
      warnOfContainer(container, path.child(field).index(index), warnings);
    });
  }
  warnOfPorts(spec, path, warnings);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    warnings.push(
      `${path.child("terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`,
    );
  }
  warnOfPodAffinity(
    spec.affinity?.podAffinity,
    path.child("affinity").child("podAffinity"),
    warnings,
  );
  warnOfPodAffinity(
    spec.affinity?.podAntiAffinity,
    path.child("affinity").child("podAntiAffinity"),
    warnings,
  );
}

function warnOfNodeAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  warnings: string[],
): void {
  affinity?.nodeAffinity?.[required]?.nodeSelectorTerms?.forEach((term, index) => {
    warnOfTerm(term, path.child(required).child("nodeSelectorTerms").index(index), warnings);
  });
  affinity?.nodeAffinity?.[preferred]?.forEach(({ preference }, index) => {
    warnOfTerm(preference, path.child(preferred).index(index).child("preference"), warnings);
  });
}

function warnOfPodAffinity(
  affinity: PodAffinity | undefined,
  path: FieldPath,
  warnings: string[],
): void {
  affinity?.[required]?.forEach((term, index) => {
    if (term.labelSelector === undefined)
      warnings.push(
        `${path.child(required).index(index).child("labelSelector")}: ${matchesNothing}`,
      );
  });
  affinity?.[preferred]?.forEach(({ podAffinityTerm }, index) => {
    if (podAffinityTerm.labelSelector !== undefined) return;
    warnings.push(
      `${path.child(preferred).index(index).child("podAffinityTerm").child("labelSelector")}: ${matchesNothing}`,
    );
  });
}

const deprecatedSources = [
  ["photonPersistentDisk", "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo: deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO: deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker: deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS: deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte: deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs: deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs: deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd: deprecated in v1.28, non-functional in v1.31+"],
] as const;

function warnOfVolumeSource(volume: Volume, path: FieldPath, warnings: string[]): void {
  for (const [source, text] of deprecatedSources)
    if (volume[source] !== undefined) warnings.push(`${path}.${text}`);
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (template !== undefined)
    warnOfClaimSpec(
      template.spec,
      path.child("ephemeral").child("volumeClaimTemplate").child("spec"),
      warnings,
    );
  warnOfOverlaps(volume, warnings);
}

interface Placed {
  readonly path: string;
  /** Where it comes from, in a projected volume. */
  readonly origin: string;
}

/** Files of one volume that lie in each other's way. */
function warnOfOverlaps(volume: Volume, warnings: string[]): void {
  const name = `volume ${goQuote(volume.name)}`;
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap?.items !== undefined)
    overlaps(
      placed(configMap.items, ""),
      `${name} (ConfigMap ${goQuote(configMap.name ?? "")})`,
      warnings,
    );
  if (secret?.items !== undefined)
    overlaps(
      placed(secret.items, ""),
      `${name} (Secret ${goQuote(secret.secretName ?? "")})`,
      warnings,
    );
  if (downwardAPI?.items !== undefined)
    overlaps(
      downwardAPI.items.map(({ path }) => ({ path, origin: "" })),
      `${name} (DownwardAPI)`,
      warnings,
    );
  if (projected === undefined) return;
  const all = (projected.sources ?? []).flatMap((source) => {
    if (Object.keys(source).length === 0)
      warnings.push(`${name} (Projected) has no sources provided`);
    return placedBy(source);
  });
  overlaps(all, `${name} (Projected)`, warnings);
}

function placed(items: readonly KeyToPath[], origin: string): readonly Placed[] {
  return items.map(({ path }) => ({ path, origin }));
}

function placedBy({
  secret,
  configMap,
  downwardAPI,
  serviceAccountToken,
  clusterTrustBundle,
}: VolumeProjection): readonly Placed[] {
  return [
    ...placed(secret?.items ?? [], ` (Secret ${goQuote(secret?.name ?? "")})`),
    ...placed(configMap?.items ?? [], ` (ConfigMap ${goQuote(configMap?.name ?? "")})`),
    ...(downwardAPI?.items ?? []).map(({ path }) => ({ path, origin: " (DownwardAPI)" })),
    ...(serviceAccountToken === undefined
      ? []
      : [{ path: serviceAccountToken.path, origin: " (ServiceAccountToken)" }]),
    ...(clusterTrustBundle === undefined
      ? []
      : [{ path: clusterTrustBundle.path, origin: " (ClusterTrustBundle)" }]),
  ];
}

function overlaps(files: readonly Placed[], what: string, warnings: string[]): void {
  files.forEach((file, index) => {
    const path = file.path.replace(/\/+$/, "");
    const other = files
      .slice(0, index)
      .find(
        ({ path: earlier }) =>
          path === earlier || path.startsWith(`${earlier}/`) || earlier.startsWith(`${path}/`),
      );
    if (other === undefined) return;
    warnings.push(
      `${what}: overlapping paths: ${goQuote(path)}${file.origin} with ${goQuote(other.path)}${other.origin}`,
    );
  });
}

function warnOfPullSecrets(spec: PodSpec, path: FieldPath, warnings: string[]): void {
  spec.imagePullSecrets?.forEach(({ name = "" }, index) => {
    if (name === "") warnings.push(`${path.index(index)}: invalid empty name ""`);
  });
}

/** Measured in bytes, which have no fractions. */
const byteResources: readonly string[] = ["memory", "ephemeral-storage"];

function warnOfContainer(container: Container, path: FieldPath, warnings: string[]): void {
  for (const list of ["limits", "requests"] as const) {
    for (const name of byteResources) {
      const text = container.resources?.[list]?.[name];
      const quantity = text === undefined ? undefined : parseQuantity(text);
      if (quantity === undefined || !looksFractional(quantity)) continue;
      const at = path.child("resources").child(list).key(name);
      warnings.push(
        `${at}: fractional byte value ${goQuote(quantity.text)} is invalid, must be an integer`,
      );
    }
  }
  const names = new Set<string>();
  container.env?.forEach((variable, index) => {
    if (names.has(variable.name)) {
      warnings.push(
        `${path.child("env").index(index)}: hides previous definition of ${goQuote(variable.name)}, which may be dropped when using apply`,
      );
    }
    names.add(variable.name);
  });
}

/** Pods are called after their owner, and their hosts after them. */
export function warnOfName(name: string, what: string, warnings: string[]): void {
  const complaints = checkLabel(name);
  if (complaints.length === 0) return;
  warnings.push(
    `metadata.name: this is used in ${what}, which can result in surprising behavior; a DNS label is recommended: [${complaints.join(" ")}]`,
  );
}

export const templateSpecPath: FieldPath = specPath.child("template").child("spec");
export const jobTemplateSpecPath: FieldPath = specPath
  .child("jobTemplate")
  .child("spec")
  .child("template")
  .child("spec");
