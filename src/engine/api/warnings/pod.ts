/** Pods and pod templates that are accepted with a warning. Upstream: pkg/api/pod/warnings.go warningsForPodSpecAndMeta, v1.36. */

import type { KubernetesVersion } from "../../scenario.ts";
import { checksAffinityValues, warnsOfAddressesEverywhere } from "../../version-differences.ts";
import type { FieldPath } from "../field-path.ts";
import { goQuote } from "../go/text.ts";
import { sortedKeys } from "../go/text-order.ts";
import { checkLabel } from "../names/names.ts";
import { TextSet } from "../text-set.ts";
import type { Affinity, ObjectMeta, PodAffinity, PodSpec } from "../types.ts";
import { addressWarning } from "../validation/addresses.ts";
import { warnOfAnnotations, warnOfContainers, warnOfFractions } from "./containers.ts";
import { labelDeprecation, warnOfTerm } from "./labels.ts";
import type { PodPaths } from "./pod-paths.ts";
import { warnOfVolumes } from "./pod-volumes.ts";
import { warnOfPorts } from "./ports.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const matchesNothing = "a null labelSelector results in matching no pod";

export function warnOfPod(
  metadata: ObjectMeta | undefined,
  spec: PodSpec,
  paths: PodPaths,
  version: KubernetesVersion,
  warnings: string[],
): void {
  const path = paths.spec;
  warnOfPlacement(spec, path, version, warnings);
  warnOfAnnotations(metadata?.annotations, paths.metadata.child("annotations"), warnings);
  warnOfVolumes(spec.volumes ?? [], path.child("volumes"), version, warnings);
  warnOfRepeated(spec, path, warnings);
  warnOfFractions(spec.overhead, path.child("overhead"), warnings);
  warnOfContainers(metadata?.annotations ?? {}, spec, paths, warnings);
  warnOfPorts(spec, path, version, warnings);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    warnings.push(
      `${path.child("terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`,
    );
  }
  for (const field of ["podAffinity", "podAntiAffinity"] as const)
    warnOfPodAffinity(spec.affinity?.[field], path.child("affinity").child(field), warnings);
  if (warnsOfAddressesEverywhere(version)) warnOfAddresses(spec, path, version, warnings);
}

/** Deprecated labels of nodes, and selectors that match nothing. */
function warnOfPlacement(
  spec: PodSpec,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  for (const key of sortedKeys(spec.nodeSelector)) {
    const message = labelDeprecation(key);
    if (message !== undefined) warnings.push(`${path.child("nodeSelector").key(key)}: ${message}`);
  }
  const affinityPath = path.child("affinity").child("nodeAffinity");
  warnOfNodeAffinity(spec.affinity, affinityPath, version, warnings);
  spec.topologySpreadConstraints?.forEach(({ topologyKey, labelSelector }, index) => {
    const at = path.child("topologySpreadConstraints").index(index);
    const message = labelDeprecation(topologyKey);
    if (message !== undefined)
      warnings.push(`${at.child("topologyKey")}: ${topologyKey} is ${message}`);
    if (labelSelector === undefined)
      warnings.push(`${at.child("labelSelector")}: ${matchesNothing}`);
  });
}

function warnOfNodeAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  affinity?.nodeAffinity?.[required]?.nodeSelectorTerms?.forEach((term, index) => {
    const at = path.child(required).child("nodeSelectorTerms").index(index);
    warnOfTerm(term, at, warnings, { valuesAreChecked: false });
  });
  affinity?.nodeAffinity?.[preferred]?.forEach(({ preference }, index) => {
    const at = path.child(preferred).index(index).child("preference");
    warnOfTerm(preference, at, warnings, { valuesAreChecked: checksAffinityValues(version) });
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

/** Lists whose entries have a key: an entry that repeats a key may get lost. */
function warnOfRepeated(spec: PodSpec, path: FieldPath, warnings: string[]): void {
  if (spec.hostAliases === undefined && spec.imagePullSecrets === undefined) return;
  const addresses = new TextSet();
  spec.hostAliases?.forEach(({ ip }, index) => {
    if (addresses.has(ip))
      warnings.push(
        `${path.child("hostAliases").index(index).child("ip")}: duplicate ip ${goQuote(ip)}`,
      );
    addresses.add(ip);
  });
  const secrets = spec.imagePullSecrets ?? [];
  const at = (index: number): FieldPath =>
    path.child("imagePullSecrets").index(index).child("name");
  const names = new TextSet();
  secrets.forEach(({ name = "" }, index) => {
    if (names.has(name)) warnings.push(`${at(index)}: duplicate name ${goQuote(name)}`);
    names.add(name);
  });
  secrets.forEach(({ name = "" }, index) => {
    if (name === "") warnings.push(`${at(index)}: invalid empty name ""`);
  });
}

function warnOfAddresses(
  spec: PodSpec,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  const look = (address: string, at: FieldPath): void => {
    const complaint = addressWarning(address, version);
    if (complaint !== undefined) warnings.push(`${at}: ${complaint}`);
  };
  spec.dnsConfig?.nameservers?.forEach((address, index) => {
    look(address, path.child("dnsConfig").child("nameservers").index(index));
  });
  spec.hostAliases?.forEach(({ ip }, index) => {
    look(ip, path.child("hostAliases").index(index).child("ip"));
  });
}

/** Pods and their hostnames are named after their owner. */
export function warnOfName(name: string, what: string, warnings: string[]): void {
  const complaints = checkLabel(name);
  if (complaints.length === 0) return;
  warnings.push(
    `metadata.name: this is used in ${what}, which can result in surprising behavior; a DNS label is recommended: [${complaints.join(" ")}]`,
  );
}
