/**
 * Values that no rule and no warning has anything to say of, whatever object they stand in: what plain.ts asks besides types. Each is
 * stricter than the rules, so that it can be short: what it does not accept is not wrong, the rules look at it.
 */
import { isLongerThan } from "../go-text.ts";
import { checkLabelKey, isDns, isWord } from "../names.ts";
import { compareQuantityTexts } from "../quantity.ts";
import type { Container, LabelSelector, PersistentVolumeClaim, PodSpec } from "../types.ts";

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
  return text !== "" && text === text.trim();
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

export function isLabelValues(list: readonly unknown[]): boolean {
  for (const value of list) if (!isLabelValue(value as string)) return false;
  return list.length > 0;
}

export function isLabels(map: Record<string, unknown>): boolean {
  for (const key in map) if (!isLabelKey(key) || !isLabelValue(map[key] as string)) return false;
  return true;
}

export function isNodeLabels(map: Record<string, unknown>): boolean {
  for (const key in map) if (!isNodeLabelKey(key)) return false;
  return isLabels(map);
}

/** Those that mean something to a rule have one of these words in their key. */
const meaning = /alpha|beta|mirror|deletion-cost/;

export function isAnnotations(map: Record<string, unknown>): boolean {
  for (const key in map) if (!isLabelKey(key.toLowerCase()) || meaning.test(key)) return false;
  return !isLongerThan(annotationBytesMax, map as Texts, true);
}

export function isParameters(map: Record<string, unknown>): boolean {
  let count = 0;
  for (const key in map) if (key === "" || ++count > parameterCountMax) return false;
  return !isLongerThan(annotationBytesMax, map as Texts, true);
}

export function isConfigData(map: Record<string, unknown>): boolean {
  for (const key in map) if (!isConfigKey(key)) return false;
  return !isLongerThan(dataBytesMax, map as Texts, false);
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

const sharedModes: ReadonlySet<unknown> = new Set([
  "ReadWriteOnce",
  "ReadWriteMany",
  "ReadOnlyMany",
]);

export function isAccessModes(modes: readonly unknown[]): boolean {
  for (const mode of modes) {
    if (modes.length === 1 && mode === "ReadWriteOncePod") return true;
    if (!sharedModes.has(mode)) return false;
  }
  return modes.length > 0;
}

const wholeBytes = /^[1-9]\d{0,2}[KMGT]i$/;
const processors = /^[1-9]\d{0,3}m?$/;

/** Neither zero nor a fraction of a byte, nor so much that the server miscounts. */
export function isSize(value: unknown): boolean {
  return wholeBytes.test(value as string);
}

/** Of a claim or a volume. */
export function isStorage(amounts: Record<string, unknown>): boolean {
  let isAlone = true;
  for (const name in amounts) if (name !== "storage") isAlone = false;
  return isAlone && isSize(amounts["storage"]);
}

const counts = /^[1-9]\d{0,3}$/;

export function isNodeAmounts({ pods = "1", ...compute }: Record<string, unknown>): boolean {
  return counts.test(pods as string) && isComputeAmounts(compute);
}

export function isComputeAmounts(amounts: Record<string, unknown>): boolean {
  for (const name in amounts) {
    const amount = amounts[name];
    if (name === "cpu" ? !processors.test(amount as string) : name !== "memory" || !isSize(amount))
      return false;
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
  { containers, volumes = [] }: PodSpec,
  claims: readonly PersistentVolumeClaim[] | undefined,
): boolean {
  const count = containers.length;
  if (count === 0 || count > comparedCountMax || volumes.length > comparedCountMax) return false;
  if (hasTwice(volumes, (volume) => volume.name)) return false;
  if (hasTwice(containers, (container) => container.name)) return false;
  // Ports are compared across containers.
  let portCount = 0;
  for (const container of containers) {
    portCount += container.ports?.length ?? 0;
    if (!isConsistentContainer(container, volumes, claims)) return false;
  }
  return portCount < 2;
}

function isConsistentContainer(
  { env = [], volumeMounts = [] }: Container,
  volumes: readonly { readonly name: string }[],
  claims: readonly PersistentVolumeClaim[] | undefined,
): boolean {
  if (env.length > comparedCountMax || volumeMounts.length > comparedCountMax) return false;
  if (hasTwice(env, (variable) => variable.name)) return false;
  if (hasTwice(volumeMounts, (mount) => mount.mountPath)) return false;
  return volumeMounts.every(
    ({ name }) =>
      volumes.some((volume) => volume.name === name) ||
      claims?.some((claim) => claim.metadata.name === name) === true,
  );
}

function hasTwice<Item>(list: readonly Item[], textOf: (item: Item) => string): boolean {
  for (let index = 1; index < list.length; index++) {
    const text = textOf(list[index] as Item);
    for (let before = 0; before < index; before++)
      if (textOf(list[before] as Item) === text) return true;
  }
  return false;
}
