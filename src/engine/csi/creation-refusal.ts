/**
 * Volumes that real drivers refuse to create, as data: by parameters of the class, and by access modes that depend on them or
 * on a source.
 * Upstream: the beginning of each driver's CreateVolume; the catalogue says where it was read. Most drivers check access modes
 * and volume modes first; what some check even before is in `earlyRefusals`.
 */
import { parseBool } from "../api/go/parse-bool.ts";
import { compareText } from "../api/go/text-order.ts";
import { parseQuantity, parseQuantityOrError, quantityBytes } from "../api/quantity.ts";
import { sidecarPrefix } from "./catalogue/sidecar-parameters.ts";
import type { CsiRequest, VolumeCapability } from "./messages.ts";
import { type Refusal, refuse } from "./rpc.ts";
import { meetsSecretCondition, type SecretCondition } from "./secret-need.ts";
import { gibibyte, sizeText } from "./size.ts";
import { modeName, modeNumber } from "./volume-capability.ts";
import {
  isOneOf,
  meetsCondition,
  type ParameterOf,
  type ParameterValues,
  parametersOf,
  type VolumeCondition,
} from "./volume-condition.ts";

/** Applies to a request that meets all conditions that are set. */
export interface CreationRefusal extends VolumeCondition, SecretCondition {
  /**
   * The driver's words. `<NAME>` stands for the volume's name, `<MODE>` for the CSI mode and `<NUMBER>` for its number in the
   * specification, `<KEY>` and `<VALUE>` for the parameter, `<ITEM>` for the wrong item of a list, `<RATIO>` for a ratio that
   * is too high, `<BYTES>`, `<GIB>` and `<SIZE>` for the size, `<FS>` for the file system, `<ERROR>` for Kubernetes' message
   * about a wrong quantity, `<OTHERS>` for all parameters that the driver does not know, printed like a Go map with keys in
   * lower case, `<@key>` for another parameter.
   */
  readonly text: string;
  /** `InvalidArgument` if absent. */
  readonly code?: string;
  /** One of these CSI modes is requested. */
  readonly modes?: readonly string[];
  /** What the volume is filled from; "none": it starts empty. */
  readonly source?: "none" | "snapshot" | "volume";
  /** A parameter's key is none of these, in any case; the sidecars' own parameters do not count. */
  readonly keyOtherThan?: readonly string[];
  /** With `keyOtherThan`: prefixes of further keys that are allowed. */
  readonly keyPrefixes?: readonly string[];
  /** With `keyOtherThan`: checks only keys of this namespace or of none, by the part after it, in lower case. */
  readonly keyNamespace?: string;
  /** The parameter is absent or empty. */
  readonly lacks?: string;
  /** All of these parameters are set. */
  readonly gives?: readonly string[];
  /** One of these parameters is present but empty. */
  readonly empty?: readonly string[];
  /** The parameter, a comma-separated list, has `item` but not `without`. */
  readonly unpaired?: { readonly key: string; readonly item: string; readonly without?: string };
  /** The parameter has none of these values; an absent one counts as "". */
  readonly valueOtherThan?: ParameterValues;
  /** The parameter is set and does not match this regular expression, in which `<@key>` stands for another parameter. */
  readonly valueUnlike?: { readonly key: string; readonly pattern: string };
  /** The volume would be smaller than this quantity. */
  readonly sizeBelow?: string;
  /** The volume would be larger than this quantity. */
  readonly sizeAbove?: string;
  /** The volume's size would not be a multiple of this quantity. */
  readonly notMultipleOf?: string;
  /** The parameter, with `perGib` multiplied by the size in GiB, is below `least`; so is an absent one unless `isOptional`. */
  readonly valueBelow?: {
    readonly key: string;
    readonly least: number;
    readonly isOptional?: true;
    readonly perGib?: true;
  };
  /** The parameter is above `most`. */
  readonly valueAbove?: { readonly key: string; readonly most: number };
  /** The parameter divided by `to`, or by `otherwise` if that is absent, is above `most`. */
  readonly ratioAbove?: {
    readonly key: string;
    readonly to: string;
    readonly otherwise: number;
    readonly most: number;
  };
  /** The parameter is set and cannot be parsed as the driver reads it. */
  readonly unreadable?: { readonly key: string; readonly as: WayToRead };
}

/**
 * Attributes of a VolumeAttributesClass that a driver knows but does not accept. Applies if all conditions that are set are
 * met.
 */
export interface AttributeRefusal extends CreationRefusal {
  /** One of these attributes is set, in any case; if absent, any attribute. */
  readonly changes?: readonly string[];
  /** The driver's words about changing a volume; if absent, `text`, which is about creating one. */
  readonly textOfChange?: string;
  /** Applies only to new volumes: for others it is unknown what their class has left out. */
  readonly isOfNew?: true;
}

type WayToRead = "whole number" | "octal number" | "power of two" | "truth value" | "quantity";

/** Upstream: Go's strconv.ParseInt, strconv.ParseUint of base 8 and strconv.ParseBool; apimachinery resource.ParseQuantity. */
const canRead: Readonly<Record<WayToRead, (text: string) => boolean>> = {
  "whole number": (text) => /^[+-]?\d+$/.test(text),
  "octal number": (text) => /^[0-7]+$/.test(text),
  "power of two": (text) => /^\d+$/.test(text) && /^10*$/.test(BigInt(text).toString(2)),
  "truth value": (text) => parseBool(text) !== undefined,
  quantity: (text) => parseQuantity(text) !== undefined,
};

/** The placeholders in a refusal's words. */
export const placeholders: RegExp = /<([A-Z]+|@\w+)>/g;

/** Returns the first refusal that applies; undefined if none does. `size`: what the driver makes of the requested size. */
export function creationRefusal(
  refusals: readonly CreationRefusal[] | undefined,
  driver: { readonly hasExactKeys?: boolean },
  request: CsiRequest,
  size: bigint,
): Refusal | undefined {
  return firstRefusal(refusals, driver, request, { NAME: request.name ?? "" }, size);
}

/** Returns the first refusal that applies; undefined if none does. `more`: further placeholders with their texts. */
export function firstRefusal(
  refusals: readonly CreationRefusal[] | undefined,
  driver: { readonly hasExactKeys?: boolean },
  request: CsiRequest,
  more: Readonly<Record<string, string>>,
  size = 0n,
): Refusal | undefined {
  if (refusals === undefined) return undefined;
  // The VolumeAttributesClass takes precedence over the class, as in the CSI specification.
  const { parameters, mutable_parameters: attributes } = request;
  const parameterOf = parametersOf(driver, { ...parameters, ...attributes });
  for (const refusal of refusals) {
    if (!isOfSize(refusal, size)) continue;
    const capability = (request.volume_capabilities ?? []).find(
      (c) => meetsCondition(refusal, c, parameterOf) && isMeant(refusal, c, request),
    );
    if (capability === undefined) continue;
    if (!meetsSecretCondition(refusal, request.secrets)) continue;
    const parameter = offendingParameter(refusal, request, size, parameterOf);
    if (parameter === undefined) continue;
    const mode = modeName(capability);
    const words: Readonly<Record<string, string>> = {
      ...more,
      MODE: mode,
      NUMBER: modeNumber(mode),
      KEY: parameter.key,
      VALUE: parameter.value,
      ITEM: parameter.item ?? "",
      RATIO: parameter.ratio ?? "",
      BYTES: String(size),
      GIB: String(size / gibibyte),
      SIZE: sizeText(size),
      FS: capability.mount?.fs_type ?? "",
      ERROR: String(parseQuantityOrError(parameter.value)),
      OTHERS: parameter.others ?? "",
    };
    const text = refusal.text.replace(placeholders, (_, word: string) =>
      word.startsWith("@") ? parameterOf(word.slice(1)) : (words[word] ?? ""),
    );
    return refuse(refusal.code ?? "InvalidArgument", text);
  }
  return undefined;
}

function isMeant(
  refusal: CreationRefusal,
  capability: VolumeCapability,
  { volume_content_source: source }: CsiRequest,
): boolean {
  const { modes } = refusal;
  const filledFrom =
    source?.snapshot !== undefined ? "snapshot" : source?.volume !== undefined ? "volume" : "none";
  return (
    (modes === undefined || modes.includes(modeName(capability))) &&
    (refusal.source === undefined || refusal.source === filledFrom)
  );
}

function isOfSize(refusal: CreationRefusal, size: bigint): boolean {
  const { sizeBelow, sizeAbove } = refusal;
  return (
    (sizeBelow === undefined || size < quantityBytes(sizeBelow)) &&
    (sizeAbove === undefined || size > quantityBytes(sizeAbove)) &&
    isNoMultiple(refusal, size)
  );
}

/** Also true if no multiple is demanded. */
export function isNoMultiple(
  { notMultipleOf: step }: Pick<CreationRefusal, "notMultipleOf">,
  size: bigint,
): boolean {
  return step === undefined || size % quantityBytes(step) !== 0n;
}

interface Parameter {
  readonly key: string;
  readonly value: string;
  /** The first unknown item of a list. */
  readonly item?: string;
  /** The ratio of two parameters, formatted like Go's %f. */
  readonly ratio?: string;
  /** All unknown parameters, if this is the first of them. */
  readonly others?: string;
}

const none: Parameter = { key: "", value: "" };

/** Escapes the text for a regular expression. */
function literal(text: string): string {
  return text.replaceAll(/[^\w\s]/g, String.raw`\$&`);
}

/** Returns the parameter to blame, or `none` if no condition is about one; undefined if the refusal does not apply. */
function offendingParameter(
  refusal: CreationRefusal,
  { parameters = {} }: CsiRequest,
  size: bigint,
  parameterOf: ParameterOf,
): Parameter | undefined {
  const { keyOtherThan, lacks, gives, empty, unpaired, valueOtherThan, valueUnlike } = refusal;
  let offending = none;
  if (empty !== undefined) {
    const key = empty.find((name) => parameters[name] === "");
    if (key === undefined) return undefined;
    offending = { key, value: "" };
  }
  if (keyOtherThan !== undefined) {
    const unknown = unknownParameter(refusal, parameters);
    if (unknown === undefined) return undefined;
    offending = unknown;
  }
  if (lacks !== undefined && parameterOf(lacks) !== "") return undefined;
  if (gives?.some((key) => parameterOf(key) === "") === true) return undefined;
  if (unpaired !== undefined) {
    const items = parameterOf(unpaired.key).split(",");
    const { item, without = "" } = unpaired;
    if (!items.includes(item) || items.includes(without)) return undefined;
  }
  if (valueOtherThan !== undefined) {
    if (isOneOf(valueOtherThan, parameterOf)) return undefined;
    const { key, values } = valueOtherThan;
    const value = parameterOf(key);
    offending = { key, value, item: value.split(",").find((item) => !values.includes(item)) ?? "" };
  }
  if (valueUnlike !== undefined) {
    const { key, pattern } = valueUnlike;
    const value = parameterOf(key);
    const named = pattern.replaceAll(/<@(\w+)>/g, (_, name: string) => literal(parameterOf(name)));
    if (value === "" || new RegExp(named).test(value)) return undefined;
    offending = { key, value };
  }
  return offendingNumber(refusal, size, parameterOf, offending);
}

function unknownParameter(
  { keyOtherThan = [], keyPrefixes = [], keyNamespace }: CreationRefusal,
  parameters: Readonly<Record<string, string>>,
): Parameter | undefined {
  const known = new Set(keyOtherThan.map((key) => key.toLowerCase()));
  const unknown = Object.entries(parameters)
    .filter(([key]) => !key.startsWith(sidecarPrefix))
    .flatMap(([given, value]) => {
      const key = keyNamespace === undefined ? given : keyIn(keyNamespace, given);
      if (key === undefined || known.has(key.toLowerCase())) return [];
      return keyPrefixes.some((prefix) => key.startsWith(prefix)) ? [] : [{ key, value }];
    });
  const [first] = unknown;
  if (first === undefined) return undefined;
  const others = unknown
    .map(({ key, value }) => [key.toLowerCase(), value] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map((entry) => entry.join(":"));
  return { ...first, others: others.join(" ") };
}

/** The key without its namespace; undefined for a key of another namespace. */
function keyIn(namespace: string, key: string): string | undefined {
  const slash = key.indexOf("/");
  if (slash >= 0 && key.slice(0, slash) !== namespace) return undefined;
  return key.slice(slash + 1).toLowerCase();
}

function offendingNumber(
  { valueBelow, valueAbove, ratioAbove, unreadable }: CreationRefusal,
  size: bigint,
  parameterOf: ParameterOf,
  otherwise: Parameter,
): Parameter | undefined {
  let offending = otherwise;
  if (valueBelow !== undefined) {
    const { key, least, isOptional = false, perGib = false } = valueBelow;
    const given = parameterOf(key);
    const times = perGib ? Number(size / gibibyte) : 1;
    if (given === "" ? isOptional : Number(given) * times >= least) return undefined;
    offending = { key, value: perGib ? String(Number(given) * times) : given };
  }
  if (valueAbove !== undefined) {
    const { key, most } = valueAbove;
    const value = parameterOf(key);
    if (!(Number(value) > most)) return undefined;
    offending = { key, value };
  }
  if (ratioAbove !== undefined) {
    const { key, to, most } = ratioAbove;
    const value = parameterOf(key);
    const ratio = Number(value) / Number(parameterOf(to) || ratioAbove.otherwise);
    if (!(ratio > most)) return undefined;
    offending = { key, value, ratio: ratio.toFixed(6) };
  }
  if (unreadable !== undefined) {
    const { key, as } = unreadable;
    const value = parameterOf(key);
    if (value === "" || canRead[as](value)) return undefined;
    offending = { key, value };
  }
  return offending;
}
