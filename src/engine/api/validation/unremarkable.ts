/**
 * Values that no rule and no warning objects to in any object, for the checks in plain.ts. Each check is stricter than the
 * rules, so that it can be short: what it does not accept is not wrong, but left to the rules.
 */
import { isDnsLabel, isDnsSubdomain, isShortLabelKey, isWord } from "../names/names.ts";
import { compareQuantityTexts, shortUnit } from "../quantity.ts";
import type {
  Container,
  LabelSelector,
  ObjectMeta,
  PersistentVolumeClaim,
  PodSpec,
  PodTemplateSpec,
  VolumeMount,
} from "../types.ts";

type Texts = Readonly<Record<string, string>>;

const labelLengthMax = 63;
const keyLengthMax = 253;
const idMax = 2_147_483_647;
/** Only the rules look for duplicates in longer lists. */
const comparedCountMax = 32;

export function isFilled(text: string): boolean {
  return text !== "";
}

/** Neither empty nor padded. */
export function isWritten(text: string): boolean {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1));
}

/** True for visible characters of ASCII. */
function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

export function isFalse(value: unknown): boolean {
  return value === false;
}

export function isOne(value: unknown): boolean {
  return value === 1;
}

export function isAmount(value: unknown): boolean {
  return (value as number) >= 0;
}

export function isId(value: unknown): boolean {
  return (value as number) >= 0 && (value as number) <= idMax;
}

export function isFileMode(value: unknown): boolean {
  return (value as number) >= 0 && (value as number) <= 0o777;
}

export function isPort(value: unknown): boolean {
  return (value as number) >= 1 && (value as number) <= 65_535;
}

export function isPortOrName(value: unknown): boolean {
  return typeof value === "string" ? isPortName(value) : isPort(value);
}

/** Begins with a letter and has no two dashes in a row. */
export function isPortName(text: string): boolean {
  return text.length <= 15 && text >= "a" && isDnsLabel(text) && !text.includes("--");
}

/** A name that any object may have; it can be a hostname, too. */
export function isLabel(text: string): boolean {
  return text.length <= labelLengthMax && isDnsLabel(text);
}

export function isNameOrEmpty(text: string): boolean {
  return text === "" || isLabel(text);
}

export function isDriverName(text: string): boolean {
  return text.length <= labelLengthMax && isDnsSubdomain(text);
}

export function isEnvName(text: string): boolean {
  return isWord(text, 0);
}

export function isConfigKey(text: string): boolean {
  return text.length <= keyLengthMax && isWord(text, 0);
}

export function isLabelKey(text: string): boolean {
  return isShortLabelKey(text);
}

export function isProvisioner(text: string): boolean {
  return isLabelKey(text.toLowerCase());
}

/** A node's label key; beta keys and roles of nodes are left to the rules. */
export function isNodeLabelKey(text: string): boolean {
  return isLabelKey(text) && !text.includes("beta.") && !text.startsWith("node-role.");
}

function isLabelValue(text: string): boolean {
  return text === "" || (text.length <= labelLengthMax && isWord(text, 0));
}

export function isLabelValues(list: readonly string[]): boolean {
  for (let index = 0; index < list.length; index++)
    if (!isLabelValue(list[index] as string)) return false;
  return list.length > 0;
}

/** True if an object has a name or gets one; pod templates need none. */
export function isNamedMeta({ name, generateName }: ObjectMeta): boolean {
  return name !== undefined || generateName !== undefined;
}

/** A prefix that with the five generated characters is a name that any object may have. */
export function isNamePrefix(text: string): boolean {
  return text !== "" && text.length <= labelLengthMax - 5 && isLabel(`${text}x`);
}

/** For finalizers: each name has a domain. */
export function areQualified(list: readonly string[]): boolean {
  for (const text of list) if (!text.includes("/") || !isLabelKey(text)) return false;
  return list.length > 0;
}

export function isLabelPair(key: string, text: string): boolean {
  return isLabelKey(key) && isLabelValue(text);
}

export function isNodeLabelPair(key: string, text: string): boolean {
  return isNodeLabelKey(key) && isLabelValue(text);
}

/** The keys of annotations that a rule reads contain one of these words. */
const meaning = /alpha|beta|mirror|deletion-cost|mountable|topology/;

export function isAnnotationPair(key: string, _: string): boolean {
  return isLabelKey(key.toLowerCase()) && !meaning.test(key);
}

export function isParameterPair(key: string, _: string): boolean {
  return key !== "";
}

export function isDataPair(key: string, _: string): boolean {
  return isConfigKey(key);
}

export function isPath(text: string): boolean {
  return text !== "" && !text.includes("..");
}

export function isAbsolutePath(text: string): boolean {
  return text.startsWith("/");
}

export function isDescendingPath(text: string): boolean {
  return text !== "" && !text.startsWith("/") && !text.includes("..");
}

const sharedMode = /^(?:ReadWriteOnce|ReadWriteMany|ReadOnlyMany)$/;

export function isAccessModes(modes: readonly string[]): boolean {
  if (modes.length === 1 && modes[0] === "ReadWriteOncePod") return true;
  for (let index = 0; index < modes.length; index++)
    if (!sharedMode.test(modes[index] as string)) return false;
  return modes.length > 0;
}

/** Neither zero nor a fraction of a byte, nor so large that the server's arithmetic overflows. */
export function isSize(text: string): boolean {
  return shortUnit(text) === "i";
}

/** For a claim or a volume. */
export function isStorageAmount(name: string, text: string): boolean {
  return name === "storage" && isSize(text);
}

export function isNodeAmount(name: string, text: string): boolean {
  return name === "pods" ? shortUnit(text) === "" : isComputeAmount(name, text);
}

export function isComputeAmount(name: string, text: string): boolean {
  const unit = shortUnit(text);
  return name === "cpu" ? unit === "" || unit === "m" : name === "memory" && unit === "i";
}

export function isWithinLimits(limits: Texts | undefined, requests: Texts | undefined): boolean {
  if (limits === undefined) return true;
  for (const name in requests) {
    const limit = limits[name];
    if (limit !== undefined && compareQuantityTexts(requests[name], limit) > 0) return false;
  }
  return true;
}

export function isFilledList(list: readonly unknown[]): boolean {
  return list.length > 0;
}

export function isSingle(list: readonly unknown[]): boolean {
  return list.length === 1;
}

export function isPlacedIfLocal(local: unknown, nodeAffinity: unknown): boolean {
  return local === undefined || nodeAffinity !== undefined;
}

/** Pods with ephemeral volumes are left to the rules: the claim made for one may have the same name as another. */
export function isRunnable({ containers, volumes }: PodSpec): boolean {
  if (volumes?.some((volume) => volume.ephemeral !== undefined) === true) return false;
  return haveVolumes(containers, volumes, undefined);
}

/** A claim without an API group, or something else with one. */
export function isCopySource(kind: string, apiGroup: string | undefined): boolean {
  return (kind === "PersistentVolumeClaim") === (apiGroup === undefined);
}

/** True if the selector's matchLabels alone select the template's pods, and their mounts have volumes. */
export function isDeployable(
  { matchLabels, matchExpressions }: LabelSelector,
  { metadata, spec }: PodTemplateSpec,
  claims?: readonly PersistentVolumeClaim[],
): boolean {
  if (matchLabels === undefined || matchExpressions !== undefined || spec === undefined)
    return false;
  const labels = metadata?.labels;
  for (const key in matchLabels) if (labels?.[key] !== matchLabels[key]) return false;
  return haveVolumes(spec.containers, spec.volumes, claims);
}

interface Named {
  readonly name: string;
}

export function haveOwnNames(list: readonly Named[]): boolean {
  return areDistinct(list, nameOf);
}

function nameOf({ name }: Named): string {
  return name;
}

export function haveOwnPaths(mounts: readonly VolumeMount[]): boolean {
  return areDistinct(mounts, pathOf);
}

function pathOf({ mountPath }: VolumeMount): string {
  return mountPath;
}

function areDistinct<Item>(list: readonly Item[], textOf: (item: Item) => string): boolean {
  if (list.length > comparedCountMax) return false;
  for (let index = 1; index < list.length; index++) {
    const text = textOf(list[index] as Item);
    for (let before = 0; before < index; before++)
      if (textOf(list[before] as Item) === text) return false;
  }
  return true;
}

export function areContainers(containers: readonly Container[]): boolean {
  return containers.length > 0 && haveOwnNames(containers) && countPorts(containers) < 2;
}

/** The rules compare ports across containers. */
function countPorts(containers: readonly Container[]): number {
  let count = 0;
  for (let index = 0; index < containers.length; index++)
    count += containers[index]?.ports?.length ?? 0;
  return count;
}

/** True if there is a volume or a claim template for each mount. */
function haveVolumes(
  containers: readonly Container[],
  volumes: readonly Named[] = [],
  claims: readonly PersistentVolumeClaim[] = [],
): boolean {
  for (let index = 0; index < containers.length; index++) {
    const { volumeMounts = [] } = containers[index] as Container;
    for (let mount = 0; mount < volumeMounts.length; mount++) {
      const { name } = volumeMounts[mount] as VolumeMount;
      if (!isNamed(name, volumes) && !isClaimed(name, claims)) return false;
    }
  }
  return true;
}

function isNamed(name: string, list: readonly Named[]): boolean {
  for (let index = 0; index < list.length; index++) if (list[index]?.name === name) return true;
  return false;
}

function isClaimed(name: string, claims: readonly PersistentVolumeClaim[]): boolean {
  return claims.some(({ metadata }) => metadata.name === name);
}
