/** What a value means where it stands: access modes, quantities, policies, annotations, driver parameters. */
import { parseQuantity, quantityBytes } from "../../engine/api/quantity.ts";
import type { DriverKnowledge } from "../../engine/csi/catalogue/driver-knowledge.ts";
import { isKnownParameter, knownParameters } from "../diagnostics/facts/known-parameters.ts";
import { code, escapeMarkdown } from "../markdown.ts";
import { own } from "../own.ts";
import { classDriverFields } from "../workspace/objects/class-driver.ts";
import { type ManifestObject, plainText, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { annotationMeanings, enumMeanings, parameterMeaning } from "./meanings.ts";

/** Returns Markdown; undefined if there is nothing to add to the value. */
export function valueText(
  object: ManifestObject,
  path: Path,
  drivers: DriverKnowledge,
): string | undefined {
  const value = valueAt(object.value, path);
  return (
    annotationText(path, value) ??
    parameterText(object, path, drivers) ??
    quantityText(path, value) ??
    emptyClass(object, path, value) ??
    localPath(object, path, value) ??
    enumText(path, value)
  );
}

function annotationText(path: Path, value: unknown): string | undefined {
  const key = path.at(-2) === "annotations" ? String(path.at(-1)) : undefined;
  const meaning = key === undefined ? undefined : own(annotationMeanings, key);
  return meaning === undefined ? undefined : `${code(`${key}: ${plainText(value)}`)}\n\n${meaning}`;
}

/** A class parameter: read by the driver, or by a CSI sidecar in front of it. */
function parameterText(
  { kind, value }: ManifestObject,
  path: Path,
  drivers: DriverKnowledge,
): string | undefined {
  const field = own(classDriverFields, kind);
  if (field === undefined || path.length !== 2 || path[0] !== "parameters") return undefined;
  const key = String(path[1]);
  const shared = parameterMeaning(key);
  if (shared !== undefined) return `${code(key)}: ${shared}`;
  const name = plainText(valueAt(value, [field]) ?? "");
  const driver = drivers.find(name);
  const known = knownParameters(kind, name, drivers);
  if (known === undefined)
    return `${code(key)}: read by ${code(name)}; Kubernetes passes it on unchanged.`;
  const title = escapeMarkdown(driver?.title ?? name);
  if (!isKnownParameter(known, key))
    return `${code(key)}: ${title} reads no such parameter. It reads ${known.names.map(code).join(", ")}.`;
  const isRequired = kind === "StorageClass" && driver?.requiredParameters?.includes(key) === true;
  return `${code(key)}: a parameter of ${title}${isRequired ? ", which needs it" : ""}.`;
}

const quantityFields: ReadonlySet<string> = new Set(["storage", "ephemeral-storage", "sizeLimit"]);

function quantityText(path: Path, value: unknown): string | undefined {
  const field = String(path.at(-1));
  // In a quota also `requests.storage`, possibly with a class before it.
  const isQuantity = quantityFields.has(field) || /(?:^|\/|\.)requests\.storage$/.test(field);
  if (!isQuantity || (typeof value !== "string" && typeof value !== "number")) return undefined;
  const text = plainText(value);
  if (parseQuantity(text) === undefined) return undefined;
  const bytes = quantityBytes(text);
  const binary = nearBinary(bytes);
  return `${code(text)} is ${grouped(bytes)} bytes${binary === text ? "" : binary && `, ${binary}`}`;
}

function grouped(bytes: bigint): string {
  return bytes.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

const units: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** The size in binary units, because `10G` is not `10Gi`; "" below 1Ki. */
function nearBinary(bytes: bigint): string {
  let unit = 0;
  let rest = Number(bytes);
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit++;
  }
  const rounded = Math.round(rest * 100) / 100;
  return unit === 0 ? "" : `${rounded === rest ? "" : "about "}${rounded}${units[unit]}`;
}

function emptyClass({ kind }: ManifestObject, path: Path, value: unknown): string | undefined {
  if (path.at(-1) !== "storageClassName" || value !== "") return undefined;
  return kind === "PersistentVolume"
    ? '`""`: no class, as without the field. Claims with `storageClassName: ""` find it.'
    : '`""`: no class. Only volumes without a class fit, nothing is provisioned, and no default class is filled in. To get the default class, leave the field out.';
}

/** Upstream: pkg/volume/local NewMounter, v1.36. */
function localPath({ kind }: ManifestObject, path: Path, value: unknown): string | undefined {
  return kind === "PersistentVolume" && path.join(".") === "spec.local.path"
    ? `${code(plainText(value))} must exist on every node that nodeAffinity names: nothing creates the directory of a local volume.`
    : undefined;
}

/** On a list, explains each of its values; on an item, that item. */
function enumText(path: Path, value: unknown): string | undefined {
  const field = path.findLast((segment) => typeof segment === "string");
  const meanings = typeof field === "string" ? own(enumMeanings, field) : undefined;
  if (meanings === undefined) return undefined;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const lines = values.flatMap((one) => {
    const meaning = typeof one === "string" ? own(meanings, one) : undefined;
    return meaning === undefined ? [] : [`${code(plainText(one))}: ${escapeMarkdown(meaning)}`];
  });
  return lines.length === 0 ? undefined : lines.join("  \n");
}
