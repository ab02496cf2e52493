/**
 * Values that no rule and no warning has anything to say of, whatever object they stand in: what plain.ts asks besides types. Each is
 * stricter than the rules, so that it can be short: what it does not accept is not wrong, the rules look at it.
 */
import { isLongerThan } from "../go-text.ts";
import { checkLabelKey, isDns, isWord } from "../names.ts";
import { compareQuantityTexts, shortUnit } from "../quantity.ts";
import type { LabelSelector, PersistentVolumeClaim, PodSpec, VolumeMount } from "../types.ts";

type Texts = Readonly<Record<string, string>>;

const labelLengthMax = 63;
const annotationBytesMax = 262_144;
const dataBytesMax = 1_048_576;
const parameterCountMax = 100;
const keyLengthMax = 253;
const idMax = 2_147_483_647;
/** Of longer lists the rules tell whether something stands in them twice. */
const comparedCountMax = 32;

export function isFilled(text: string): boolean {
  return text !== "";
}

/** Neither empty nor padded. */
export function isWritten(text: string): boolean {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1));
}

/** Of ASCII. */
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

/** Begins with a letter and has no number after a dash. */
export function isPortName(text: string): boolean {
  return text.length <= 15 && text >= "a" && isDns(text, false) && !text.includes("--");
}

/** A name that any object may have: it fits where a host's name is wanted, too. */
export function isLabel(text: string): boolean {
  return text.length <= labelLengthMax && isDns(text, false);
}

export function isNameOrEmpty(text: string): boolean {
  return text === "" || isLabel(text);
}

export function isDriverName(text: string): boolean {
  return text.length <= labelLengthMax && isDns(text, true);
}

export function isEnvName(text: string): boolean {
  return isWord(text, 0);
}

export function isConfigKey(text: string): boolean {
  return text.length <= keyLengthMax && isWord(text, 0);
}

export function isLabelKey(text: string): boolean {
  return checkLabelKey(text).length === 0;
}

export function isProvisioner(text: string): boolean {
  return isLabelKey(text.toLowerCase());
}

/** Of a node, and not one that is called otherwise now. */
export function isNodeLabelKey(text: string): boolean {
  return isLabelKey(text) && !text.includes("beta.") && !text.startsWith("node-role.");
}

export function isLabelValue(text: string): boolean {
  return text === "" || (text.length <= labelLengthMax && isWord(text, 0));
}

export function isLabelValues(list: readonly string[]): boolean {
  for (const value of list) if (!isLabelValue(value)) return false;
  return list.length > 0;
}

export function isLabels(map: Texts): boolean {
  for (const key in map) if (!isLabelKey(key) || !isLabelValue(map[key] ?? "")) return false;
  return true;
}

export function isNodeLabels(map: Texts): boolean {
  for (const key in map) if (!isNodeLabelKey(key)) return false;
  return isLabels(map);
}

/** Those that mean something to a rule have one of these words in their key. */
const meaning = /alpha|beta|mirror|deletion-cost|topology/;

export function isAnnotations(map: Texts): boolean {
  for (const key in map) if (!isLabelKey(key.toLowerCase()) || meaning.test(key)) return false;
  return !isLongerThan(annotationBytesMax, map, true);
}

export function isParameters(map: Texts): boolean {
  let count = 0;
  for (const key in map) if (key === "" || ++count > parameterCountMax) return false;
  return !isLongerThan(annotationBytesMax, map, true);
}

export function isConfigData(map: Texts): boolean {
  for (const key in map) if (!isConfigKey(key)) return false;
  return !isLongerThan(dataBytesMax, map, false);
}

export function isPath(text: string): boolean {
  return text !== "" && !text.includes("..");
}

export function isAbsolutePath(text: string): boolean {
  return text.startsWith("/");
}

export function isDescendingPath(text: string): boolean {
  return !text.startsWith("/") && !text.includes("..");
}

const sharedModes: ReadonlySet<string> = new Set([
  "ReadWriteOnce",
  "ReadWriteMany",
  "ReadOnlyMany",
]);

export function isAccessModes(modes: readonly string[]): boolean {
  for (const mode of modes) {
    if (modes.length === 1 && mode === "ReadWriteOncePod") return true;
    if (!sharedModes.has(mode)) return false;
  }
  return modes.length > 0;
}

/** Neither zero nor a fraction of a byte, nor so much that the server miscounts. */
export function isSize(text: string): boolean {
  return shortUnit(text) === "i";
}

/** Of a claim or a volume. */
export function isStorage(amounts: Texts): boolean {
  let isAlone = true;
  for (const name in amounts) if (name !== "storage") isAlone = false;
  return isAlone && isSize(amounts["storage"] ?? "");
}

export function isNodeAmounts({ pods = "1", ...compute }: Texts): boolean {
  return shortUnit(pods) === "" && isComputeAmounts(compute);
}

export function isComputeAmounts(amounts: Texts): boolean {
  for (const name in amounts) {
    const unit = shortUnit(amounts[name] ?? "");
    const fits = name === "cpu" ? unit === "" || unit === "m" : name === "memory" && unit === "i";
    if (!fits) return false;
  }
  return true;
}

type Fields = Record<string, unknown>;

export function isWithinLimits({ limits, requests }: Fields): boolean {
  if (limits === undefined || requests === undefined) return true;
  const [most, least] = [limits as Texts, requests as Texts];
  for (const name in least) {
    const limit = most[name];
    if (limit !== undefined && compareQuantityTexts(least[name], limit) > 0) return false;
  }
  return true;
}

export function hasOnePort({ ports }: Fields): boolean {
  return (ports as readonly unknown[]).length === 1;
}

export function isPlacedIfLocal({ local, nodeAffinity }: Fields): boolean {
  return local === undefined || nodeAffinity !== undefined;
}

export function hasTerms({ nodeSelectorTerms }: Fields): boolean {
  return (nodeSelectorTerms as readonly unknown[]).length > 0;
}

/** A claim that is made for the pod may be called like another. */
export function isRunnable({ spec }: Fields): boolean {
  const { volumes } = spec as PodSpec;
  if (volumes?.some((volume) => volume.ephemeral !== undefined) === true) return false;
  return isConsistent(spec as PodSpec, undefined);
}

/** A claim, or a snapshot by its group. */
export function isCopySource({ kind, apiGroup }: Fields): boolean {
  return (kind === "PersistentVolumeClaim") === (apiGroup === undefined);
}

interface Workload {
  readonly selector: LabelSelector;
  readonly template: {
    readonly metadata?: { readonly labels?: Texts };
    readonly spec: PodSpec;
  };
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
}

/** The template of pods that the selector selects by labels alone. */
export function isDeployable(spec: Fields): boolean {
  const { selector, template, volumeClaimTemplates } = spec as unknown as Workload;
  const { matchLabels } = selector;
  const labels = template.metadata?.labels;
  if (matchLabels === undefined || selector.matchExpressions !== undefined) return false;
  for (const key in matchLabels) if (labels?.[key] !== matchLabels[key]) return false;
  return isConsistent(template.spec, volumeClaimTemplates);
}

/** Nothing stands twice where it may stand once, and each mount has its volume. */
function isConsistent(
  { containers, volumes }: PodSpec,
  claims: readonly PersistentVolumeClaim[] | undefined,
): boolean {
  const count = containers.length;
  if (count === 0 || count > comparedCountMax) return false;
  if (volumes !== undefined && !areDistinct(volumes, nameOf)) return false;
  if (count > 1 && !areDistinct(containers, nameOf)) return false;
  // Ports are compared across containers.
  let portCount = 0;
  for (const { ports, env, volumeMounts } of containers) {
    portCount += ports?.length ?? 0;
    if (env !== undefined && !areDistinct(env, nameOf)) return false;
    if (volumeMounts === undefined) continue;
    if (!areDistinct(volumeMounts, pathOf)) return false;
    for (const { name } of volumeMounts)
      if (!isNamed(name, volumes) && !isClaimed(name, claims)) return false;
  }
  return portCount < 2;
}

interface Named {
  readonly name: string;
}

function nameOf({ name }: Named): string {
  return name;
}

function pathOf({ mountPath }: VolumeMount): string {
  return mountPath;
}

function isNamed(name: string, list: readonly Named[] | undefined): boolean {
  if (list !== undefined) for (const item of list) if (item.name === name) return true;
  return false;
}

function isClaimed(name: string, claims: readonly PersistentVolumeClaim[] | undefined): boolean {
  return claims?.some(({ metadata }) => metadata.name === name) === true;
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
