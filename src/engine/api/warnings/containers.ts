/** Containers and annotations that are accepted with a warning. Upstream: pkg/api/pod/warnings.go, v1.36. */
import { containerAppArmor, containerSeccomp, podSeccomp } from "../annotation-keys.ts";
import type { FieldPath } from "../field-path.ts";
import { goQuote } from "../go/text.ts";
import { visitContainers } from "../pod-containers.ts";
import { looksFractional, parseQuantity } from "../quantity.ts";
import { TextSet } from "../text-set.ts";
import type { Container, EphemeralContainer, PodSpec } from "../types.ts";
import { namesProfiles } from "../validation/pod-annotations.ts";
import type { PodPaths } from "./pod-paths.ts";

type Annotations = Readonly<Record<string, string>>;

const deprecatedAnnotations = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    "security.alpha.kubernetes.io/sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    "security.alpha.kubernetes.io/unsafe-sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
] as const;
const useSeccompField = 'non-functional in v1.27+; use the "seccompProfile" field instead';
export const useAppArmorField = 'deprecated since v1.30; use the "appArmorProfile" field instead';

export function warnOfAnnotations(
  annotations: Annotations | undefined,
  path: FieldPath,
  warnings: string[],
): void {
  for (const [key, text] of deprecatedAnnotations)
    if (annotations?.[key] !== undefined) warnings.push(`${path.key(key)}: ${text}`);
}

export function warnOfContainers(
  annotations: Annotations,
  spec: PodSpec,
  paths: PodPaths,
  warnings: string[],
): void {
  const annotated = paths.metadata.child("annotations");
  if (annotations[podSeccomp] !== undefined && spec.securityContext?.seccompProfile === undefined)
    warnings.push(`${annotated.key(podSeccomp)}: ${useSeccompField}`);
  const hasProfiles = namesProfiles(annotations);
  visitContainers(spec, paths.spec, (container, at) => {
    if (hasProfiles) warnOfProfiles(container, annotations, spec, paths, warnings);
    warnOfContainer(container, at, warnings);
  });
}

function warnOfProfiles(
  container: Container | EphemeralContainer,
  annotations: Annotations,
  spec: PodSpec,
  paths: PodPaths,
  warnings: string[],
): void {
  const annotated = paths.metadata.child("annotations");
  const seccomp = `${containerSeccomp}${container.name}`;
  const appArmor = `${containerAppArmor}${container.name}`;
  const { seccompProfile, appArmorProfile } = container.securityContext ?? {};
  if (annotations[seccomp] !== undefined && seccompProfile === undefined)
    warnings.push(`${annotated.key(seccomp)}: ${useSeccompField}`);
  const hasAppArmor = (appArmorProfile ?? spec.securityContext?.appArmorProfile) !== undefined;
  if (paths.isTemplate && annotations[appArmor] !== undefined && !hasAppArmor)
    warnings.push(`${annotated.key(appArmor)}: ${useAppArmorField}`);
}

/** Resources that are measured in bytes and cannot be fractional. */
const byteResources: readonly string[] = ["memory", "ephemeral-storage"];

export function warnOfFractions(
  amounts: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  warnings: string[],
  names: readonly string[] = byteResources,
): void {
  for (const name of names) {
    const text = amounts?.[name];
    const quantity = text === undefined ? undefined : parseQuantity(text);
    if (quantity === undefined || !looksFractional(quantity)) continue;
    warnings.push(
      `${path.key(name)}: fractional byte value ${goQuote(quantity.text)} is invalid, must be an integer`,
    );
  }
}

function warnOfContainer(
  container: Container | EphemeralContainer,
  path: FieldPath,
  warnings: string[],
): void {
  for (const name of byteResources) {
    for (const list of ["limits", "requests"] as const) {
      const amounts = container.resources?.[list];
      if (amounts?.[name] !== undefined)
        warnOfFractions(amounts, path.child("resources").child(list), warnings, [name]);
    }
  }
  if (container.env === undefined) return;
  const names = new TextSet();
  container.env.forEach(({ name, value = "", valueFrom }, index) => {
    if (names.has(name) && (valueFrom !== undefined || !extendsItself(name, value))) {
      warnings.push(
        `${path.child("env").index(index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
      );
    }
    names.add(name);
  });
}

/** True for a value such as `PATH=$(PATH):/opt`, which needs the previous definition. */
function extendsItself(name: string, value: string): boolean {
  const reference = `$(${name})`;
  return value !== reference && value.includes(reference);
}
