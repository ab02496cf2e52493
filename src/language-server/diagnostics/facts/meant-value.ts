/** What was probably meant by a value that the API server refuses, from its answer, the object or the value itself. */
import { goUnquote } from "../../../engine/api/go/text.ts";
import { parseQuantity } from "../../../engine/api/quantity.ts";
import { nearestName, nearestObjectName } from "../../nearest-name.ts";
import {
  claimTemplateNames,
  fieldsOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { mountedVolumes } from "./mounted-volumes.ts";

/** The values that a refusal lists as supported, in its order; empty if it lists none. */
export function supportedValues(message: string): readonly string[] {
  const list = /: (?:supported|valid) values: ((?:"[^"]*"(?:, )?)+)$/.exec(message)?.[1] ?? "";
  return [...list.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value);
}

/** As kubectl prints them. */
const shortModes: ReadonlyMap<string, string> = new Map([
  ["RWO", "ReadWriteOnce"],
  ["ROX", "ReadOnlyMany"],
  ["RWX", "ReadWriteMany"],
  ["RWOP", "ReadWriteOncePod"],
]);

/** Undefined if no supported value is similar, or if the list has the value itself: that needs a feature that is off. */
export function supportedValueMeant(message: string): string | undefined {
  const written = unsupportedValue(message);
  const values = supportedValues(message);
  if (written === undefined || values.includes(written)) return undefined;
  const [longer, ...others] = values.filter((value) => hasLettersOf(value, written));
  return (
    values.find((value) => value.toLowerCase() === written.toLowerCase()) ??
    values.find((value) => value === shortModes.get(written.toUpperCase())) ??
    nearestName(written, values) ??
    (others.length === 0 && written.length > 3 ? longer : undefined)
  );
}

/** Corrects `10GB`, `10gi`, `10 Gi`, which the server cannot parse. Undefined for anything else. */
export function sizeMeant(text: string): string | undefined {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kKmMgGtTpPeE])[iI]?[bB]?\s*$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  const isDecimal = /[a-zA-Z][bB]\s*$/.test(text) && !/[iI][bB]\s*$/.test(text);
  const letter = unit.toUpperCase();
  const meant = `${number}${isDecimal ? (letter === "K" ? "k" : letter) : `${letter}i`}`;
  return parseQuantity(meant) === undefined ? undefined : meant;
}

/** True if the value contains these letters in the same order. */
function hasLettersOf(value: string, written: string): boolean {
  let rest = written.toLowerCase();
  for (const letter of value.toLowerCase()) if (rest.startsWith(letter)) rest = rest.slice(1);
  return rest === "";
}

/** The unsupported value that a refusal quotes. */
export function unsupportedValue(message: string): string | undefined {
  return /: Unsupported value: "([^"]*)": supported values: /.exec(message)?.[1];
}

/** The name in a container's limits or requests that was probably meant, by its letters, its beginning or its end. */
export function resourceMeant(name: string, free: readonly string[]): string | undefined {
  const letters = name.toLowerCase();
  const isPart = (other: string): boolean => other.startsWith(letters) || other.endsWith(letters);
  return (
    free.find((other) => other === letters) ??
    // One letter away from `cpu` there are other names, such as `gpu`.
    (name.length > 3 ? nearestName(letters, free) : undefined) ??
    (name.length > 2 ? free.find(isPart) : undefined)
  );
}

/** The only key of a claim's requests, if it is nearly the required `storage`. */
export function nearlyStorage(requests: unknown): string | undefined {
  const [key, ...others] = Object.keys(fieldsOf(requests));
  if (key === undefined || others.length > 0) return undefined;
  return key.toLowerCase() === "storage" || nearestName(key, ["storage"]) !== undefined
    ? key
    : undefined;
}

/** The invalid text that a refusal quotes. */
export function invalidText(message: string): string | undefined {
  const quoted = /: Invalid value: ("(?:[^"\\]|\\.)*"): /.exec(message)?.[1];
  return quoted === undefined ? undefined : goUnquote(quoted.slice(1, -1));
}

/** The name of a volume that containers mount, but the pod does not have. */
export function unknownVolume(message: string): string | undefined {
  return /\.(?:volumeMounts|volumeDevices)\[\d+\]\.name: Not found: "([^"]+)"$/.exec(message)?.[1];
}

/** The pod's volume with nearly the same name, else its only unmounted volume. */
export function volumeMeant(object: ManifestObject, name: string): string | undefined {
  const known = volumeNames(object);
  const [unmounted, ...others] = unmountedVolumes(object);
  return nearestObjectName(name, known) ?? (others.length === 0 ? unmounted : undefined);
}

/** Volumes of the pod, or of the pods that the object makes. */
export function unmountedVolumes(object: ManifestObject): readonly string[] {
  const mounted = mountedVolumes(object);
  return volumeNames(object).filter((name) => !mounted.has(name));
}

/** Names that containers mount, but that no volume has. */
export function unknownMounts(object: ManifestObject): readonly string[] {
  const known = new Set<unknown>(volumeNames(object));
  return [...mountedVolumes(object)].filter(
    (name): name is string => typeof name === "string" && !known.has(name),
  );
}

function volumeNames(object: ManifestObject): readonly string[] {
  const written = podVolumesOf(object).map(({ fields }) => textAt(fields, "name"));
  return [...written, ...claimTemplateNames(object.value)].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
}
