/** Refusals and warnings of the API server, each at the field that it names. */

import { goUnquote } from "../../../engine/api/go/text.ts";
import { created } from "../../../engine/api/patch/apply-patch.ts";
import { answerCreate, type Review } from "../../../engine/api/requests.ts";
import { gatedProjections } from "../../../engine/api/strategy/pod-fields.ts";
import { containerResources } from "../../../engine/api/validation/resource-requirements.ts";
import type { KubernetesVersion } from "../../../engine/scenario.ts";
import { fieldAt, keptFieldsAt, knownSince } from "../../field-schema.ts";
import { nearestName } from "../../nearest-name.ts";
import { own } from "../../own.ts";
import { type Fields, listAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import { classDriverFields } from "../../workspace/objects/class-driver.ts";
import { manifestPath, parseFieldPath } from "../../yaml/field-path.ts";
import { underline, underlineKey } from "../../yaml/locate.ts";
import { isRecord, type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf, contextFor } from "../api-answer.ts";
import { meantPlace } from "../facts/meant-place.ts";
import {
  invalidText,
  nearlyStorage,
  resourceMeant,
  sizeMeant,
  supportedValueMeant,
  unknownMounts,
  unknownVolume,
  unsupportedValue,
  volumeMeant,
} from "../facts/meant-value.ts";
import { isOfResourceName, ownCauses, type Refusal } from "../facts/own-causes.ts";
import { isRecycledInVain } from "../facts/recycled-volume.ts";
import { refusedField, without } from "../facts/refused-field.ts";
import { quotingFix, unquotedValues, unreadableSizes } from "../facts/unquoted-values.ts";
import { type DocumentReport, type DocumentRule, documentPath, type FieldFix } from "../rule.ts";
import { isStructural } from "../structural.ts";

export const apiRefused: DocumentRule = {
  id: "api-refused",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, objects }, { version }) {
    for (const object of objects) {
      const answer = answerOf(object, version);
      if (answer === undefined || answer.ok) continue;
      if (refusalOfBoolean(object, version) !== undefined) continue;
      for (const { path, message } of refusals(answer, object, version)) {
        const inObject = itemOf(manifestPath(path, object.value), object, message);
        const inDocument = documentPath(object, inObject);
        const isUnknown = message.startsWith("unknown field ");
        const isOfKey =
          isUnknown || isOfResourceName(message) || isRefusedKey(inObject, object, message);
        const span = isOfKey ? underlineKey(yaml, inDocument) : underline(yaml, inDocument);
        yield {
          ...span,
          isOfKey,
          ...(isUnknown
            ? aboutField(object, inObject, message, version)
            : aboutValue(object, inObject, message, version)),
          isStructural: isStructural(object.kind, path, message),
          ...(isAboutNumber(message) && quotingFix(yaml, inDocument)),
          ...volumeNameFix(object, inDocument, inObject),
        };
      }
    }
  },
};

/** About an unknown field: which version introduces it, where it belongs, or which field was probably meant. */
function aboutField(
  object: ManifestObject,
  path: Path,
  message: string,
  version: KubernetesVersion,
): Words {
  const { kind } = object;
  const since = knownSince(kind, path);
  if (since !== undefined) return { message: `${message}; available since Kubernetes ${since}` };
  const place = meantPlace(object, path, version);
  if (place !== undefined) return { message: `${message}; ${place.text}` };
  const meant = meantKey(object, path, version);
  const other = own(counterparts, kind);
  const isOfOther = other !== undefined && fieldAt(other, path) !== undefined;
  if (meant === undefined && isOfOther) return { message: `${message}; it is a field of ${other}` };
  if (meant === undefined && isNeedless(object, path, version))
    return { message: `${message}; ${needlessText}` };
  return { message, meant };
}

/** One of the two is often started as a copy of the other. */
const counterparts: Readonly<Record<string, string>> = {
  PersistentVolume: "PersistentVolumeClaim",
  PersistentVolumeClaim: "PersistentVolume",
};

export const needlessText = "its fields belong one level up";

/** True if the mapping holds only fields that belong one level up, such as the `spec` of a kind that has none. */
function isNeedless(
  { kind, value }: ManifestObject,
  path: Path,
  version: KubernetesVersion,
): boolean {
  const held = valueAt(value, path);
  const known = keptFieldsAt(kind, path.slice(0, -1), version).map(({ name }) => name);
  const names = isRecord(held) ? Object.keys(held) : [];
  return names.length > 0 && names.every((name) => known.includes(name));
}

function meantKey(
  { kind, value }: ManifestObject,
  path: Path,
  version: KubernetesVersion,
): string | undefined {
  const [written, parent] = [String(path.at(-1)), path.slice(0, -1)];
  const there = Object.keys(valueAt(value, parent) ?? {});
  const known = keptFieldsAt(kind, parent, version).map(({ name }) => name);
  const free = known.filter((name) => !there.includes(name));
  const letters = written.toLowerCase();
  const [first, ...others] = free.filter((name) => name.toLowerCase().includes(letters));
  return (
    free.find((name) => name.toLowerCase() === letters) ??
    driverFieldOf(kind, written, free) ??
    otherWord(kind, path, free) ??
    nearestName(written, free) ??
    (others.length === 0 && letters.length > 3 ? first : undefined) ??
    // A patch may be meant to change a field that is already there.
    nearestName(written, known)
  );
}

/** Each kind of class has another name for the field with its driver. */
function driverFieldOf(kind: string, written: string, free: readonly string[]): string | undefined {
  const field = own(classDriverFields, kind);
  const isOfOther = Object.values(classDriverFields).includes(written);
  return isOfOther && field !== undefined && free.includes(field) ? field : undefined;
}

/** Fields of alpha snapshots, with the present names. */
const otherWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  VolumeSnapshot: { "spec.source.name": "persistentVolumeClaimName" },
  VolumeSnapshotClass: { snapshotter: "driver" },
};

function otherWord(kind: string, path: Path, free: readonly string[]): string | undefined {
  const word = own(own(otherWords, kind) ?? {}, path.join("."));
  return word !== undefined && free.includes(word) ? word : undefined;
}

type Words = Pick<DocumentReport, "message" | "meant">;

/**
 * The item of a list that the server quotes (it quotes an empty item as ""); in a map of labels, the quoted key or the only
 * quoted value.
 */
function itemOf(path: Path, { value }: ManifestObject, message: string): Path {
  if (missesStorage(message)) {
    const requests = [...path.slice(0, -1), "requests"];
    const key = nearlyStorage(valueAt(value, requests));
    return key === undefined ? path : [...requests, key];
  }
  const held = valueAt(value, path);
  if (Array.isArray(held)) {
    const quoted = unsupportedValue(message);
    const index = held.findIndex((item) => (item ?? "") === quoted);
    return index < 0 ? path : [...path, index];
  }
  const quoted = invalidText(message);
  if (!isRecord(held) || quoted === undefined) return path;
  if (Object.hasOwn(held, quoted)) return [...path, quoted];
  const [key, ...others] = Object.keys(held).filter((name) => held[name] === quoted);
  return key === undefined || others.length > 0 ? path : [...path, key];
}

/** True if the server quotes a map's key, and not its value. */
function isRefusedKey(path: Path, { value }: ManifestObject, message: string): boolean {
  if (missesStorage(message)) return path.at(-2) === "requests";
  const quoted = invalidText(message);
  return quoted !== undefined && path.at(-1) === quoted && valueAt(value, path) !== quoted;
}

function missesStorage(message: string): boolean {
  return message.endsWith("resources[storage]: Required value");
}

function aboutValue(
  object: ManifestObject,
  path: Path,
  message: string,
  version: KubernetesVersion,
): Words {
  // A map of sizes accepts any name, so a misplaced field in it is read as a size.
  if (message.includes(": quantities must match ")) {
    const place = meantPlace(object, path, version);
    if (place !== undefined) return { message: `${message}; ${place.text}` };
    const size = valueAt(object.value, path);
    return { message, meant: typeof size === "string" ? sizeMeant(size) : undefined };
  }
  if (missesStorage(message))
    return path.at(-2) === "requests" ? { message, meant: "storage" } : { message };
  if (isOfResourceName(message)) return { message, meant: meantResource(object, path) };
  if (isNameOfTemplate(path))
    return { message: `${message}: the volume of a claim template, which has no name` };
  const volume = unknownVolume(message);
  const meant = volume === undefined ? supportedValueMeant(message) : volumeMeant(object, volume);
  return { message, meant };
}

function meantResource({ value }: ManifestObject, path: Path): string | undefined {
  const there = Object.keys(valueAt(value, path.slice(0, -1)) ?? {});
  const free = [...containerResources].filter((name) => !there.includes(name));
  return resourceMeant(String(path.at(-1)), free);
}

/** True if YAML reads a value as a number where the API wants text. */
function isAboutNumber(message: string): boolean {
  return /cannot unmarshal number into Go .*of type string$/.test(message);
}

/**
 * A refusal of a boolean where the API wants text. yaml-bool-value reports all of these; the server names only the first one,
 * or its map.
 */
export function refusalOfBoolean(
  object: ManifestObject,
  version: KubernetesVersion,
): Refusal | undefined {
  const answer = answerOf(object, version);
  if (answer === undefined || answer.ok) return undefined;
  const { message } = answer.error;
  if (!/cannot unmarshal bool into Go .*of type string$/.test(message)) return undefined;
  if (unquotedValues(object, "boolean").length === 0) return undefined;
  return { path: refusedPath(object, message, version), message };
}

function refusedPath(object: ManifestObject, message: string, version: KubernetesVersion): Path {
  return refusedField(created(object.value), message, contextFor(object, version));
}

export const apiWarning: DocumentRule = {
  id: "api-warning",
  severity: "warning",
  scope: "document",
  // The other rule says what the old annotation does.
  yieldsTo: ["pvc-beta-annotation-wins"],
  yieldsAtPlace: true,
  *check({ yaml, objects }, { version }) {
    for (const object of objects) {
      for (const message of answerOf(object, version)?.warnings ?? []) {
        if (toldByOwnRules.test(message) || isAboutMilli(message)) continue;
        const path = manifestPath(warningPath(message, object), object.value);
        const source = gatedProjections.find((name) => name === path.at(-1));
        // Reported by pv-recycle-source, which says more.
        const isPolicy = path.at(-1) === "persistentVolumeReclaimPolicy";
        if (isPolicy && isRecycledInVain(object.value)) continue;
        const place = documentPath(object, path);
        if (source === undefined) yield { ...underline(yaml, place), message };
        else
          yield {
            ...underlineKey(yaml, place),
            message: `${message}: servers drop ${source}, because its feature gate is off by default`,
          };
      }
    }
  },
};

/** Warnings that deprecated-topology-label, source-removed and source-deprecated report, with what to write instead. */
const toldByOwnRules =
  /^allowedTopologies\[.*: deprecated since |: deprecated in v[\d.]+, non-functional in v|\.gitRepo: deprecated in v/;

/** quantity-milli reports this, with what was meant. */
function isAboutMilli(message: string): boolean {
  return /(?:\[storage\]|sizeLimit): fractional byte value "\d+m" is invalid/.test(message);
}

export interface RefusedField {
  readonly path: Path;
  /**
   * The server does not know the written field. The path is that of the field that was probably meant, which otherwise seems to
   * be missing.
   */
  readonly isUnread: boolean;
}

/** Empty if the object is accepted, or refused as a whole. */
export function refusedFields(
  object: ManifestObject,
  version: KubernetesVersion,
): readonly RefusedField[] {
  const known = fieldsRefused.get(object);
  if (known?.version === version) return known.fields;
  const answer = answerOf(object, version);
  const all = answer === undefined || answer.ok ? [] : refusals(answer, object, version);
  const fields = all.flatMap(({ path, message }): RefusedField[] => {
    const meant = message.startsWith("unknown field ") && meantField(object, path, version);
    if (meant !== false && meant !== undefined) return [{ path: meant, isUnread: true }];
    const refused = manifestPath(path, object.value);
    return refused.length > 1 ? [{ path: refused, isUnread: false }] : [];
  });
  fieldsRefused.set(object, { version, fields });
  return fields;
}

const fieldsRefused = new WeakMap<
  ManifestObject,
  { readonly version: KubernetesVersion; readonly fields: readonly RefusedField[] }
>();

function meantField(
  object: ManifestObject,
  path: Path,
  version: KubernetesVersion,
): Path | undefined {
  const place = meantPlace(object, path, version);
  if (place !== undefined) return place.path;
  const key = meantKey(object, path, version);
  return key === undefined ? undefined : [...path.slice(0, -1), key];
}

function refusals(
  { error: { causes, message } }: Review & { readonly ok: false },
  object: ManifestObject,
  version: KubernetesVersion,
): readonly Refusal[] {
  if (causes !== undefined && causes.length > 0) return ownCauses(causes, object);
  return slips(created(object.value), message, object, version, slipCountMax);
}

/** Whoever has seen this many will find the others. */
const slipCountMax = 5;

/**
 * The server stops at the first value that it cannot decode, and reports unknown fields only if there is none. Removes what it
 * complains about and asks again, so that all mistakes are reported at once.
 */
function slips(
  value: unknown,
  message: string,
  object: ManifestObject,
  version: KubernetesVersion,
  countMax: number,
): readonly Refusal[] {
  const unknown = [...message.matchAll(/(?:unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g)];
  if (unknown.length > 0) {
    return unique(
      unknown.map(([text, field = ""]) => ({
        path: parseFieldPath(goUnquote(field)),
        message: text,
      })),
    );
  }
  const path = refusedField(value, message, contextFor(object, version));
  const numbers = isAboutNumber(message) ? unquotedValues(object, "number", path) : [];
  const sizes = message.includes(": quantities must match ") ? unreadableSizes(object, path) : [];
  const places = sizes.length > 1 ? sizes : numbers.length > 0 ? numbers : [path];
  const told = places.map((at) => ({ path: at, message }));
  if (countMax <= 1 || path.length === 0) return told;
  const mended = without(value, places);
  const next = answerCreate(mended, contextFor(object, version));
  const isOfDecoding = !next.ok && isDecodingError.test(next.error.message);
  return isOfDecoding
    ? [...told, ...slips(mended, next.error.message, object, version, countMax - 1)]
    : told;
}

const isDecodingError = /\bcannot be handled as a |\bstrict decoding error: /;

function unique(refusals: readonly Refusal[]): readonly Refusal[] {
  return [...new Map(refusals.map((refusal) => [refusal.message, refusal])).values()];
}

/** The name of a pod's volume, or of a claim template, which names a volume, too. */
function isNameOfVolume(path: Path): boolean {
  const isOfPod = path.at(-3) === "volumes" && path.at(-1) === "name";
  return isOfPod || isNameOfTemplate(path);
}

function isNameOfTemplate(path: Path): boolean {
  return path[1] === "volumeClaimTemplates" && path.at(-1) === "name";
}

/** If containers mount exactly one unknown volume, it is the one whose name is missing or refused. */
function volumeNameFix(
  object: ManifestObject,
  path: Path,
  inObject: Path,
): { readonly fix?: FieldFix } {
  if (!isNameOfVolume(inObject)) return {};
  const [value, ...others] = unknownMounts(object);
  if (value === undefined || others.length > 0) return {};
  return { fix: { title: `Name it “${value}”`, path, value } };
}

/** Warnings start with the name of the field or volume that they are about, if any. */
function warningPath(message: string, object: ManifestObject): Path {
  const volume = /^volume "((?:[^"\\]|\\.)*)" \(/.exec(message)?.[1];
  if (volume !== undefined)
    return volumePath(object, goUnquote(volume), message.endsWith(" has no sources provided"));
  const field = /^((?:spec|metadata|parameters|template)[^\s:]*(?:\[[^\]]*\])*)(?::| is )/.exec(
    message,
  )?.[1];
  return field === undefined ? [] : parseFieldPath(field);
}

/** Path of the volume's name, or of the source that the server drops. */
function volumePath(object: ManifestObject, name: string, losesSource: boolean): Path {
  const pod = podSpecOf(object);
  const volumes = listAt(pod?.fields ?? {}, "volumes");
  const index = volumes.findIndex((volume) => isRecord(volume) && volume["name"] === name);
  if (pod === undefined || index < 0) return [];
  const path = [...pod.path, "volumes", index];
  const sources = losesSource ? listAt(volumes[index] as Fields, "projected", "sources") : [];
  for (const [at, source] of sources.entries()) {
    const lost = gatedProjections.find((key) => isRecord(source) && source[key] !== undefined);
    if (lost !== undefined) return [...path, "projected", "sources", at, lost];
  }
  return [...path, "name"];
}
