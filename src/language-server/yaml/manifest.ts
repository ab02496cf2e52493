/** The objects of a document: one, or the items of a List. Objects of kinds from other projects are marked as not served. */
import {
  isKind,
  isNamespaced,
  isServed,
  type Kind,
  makeRef,
  type Ref,
} from "../../engine/api/meta.ts";
import { servedInstead } from "../../engine/api/served-instead.ts";
import type { Manifest } from "../../engine/scenario.ts";
import { nearestName } from "../nearest-name.ts";
import { decryptedManifest } from "./encrypted-manifest.ts";
import type { Path } from "./place.ts";

export type ManifestObject = NamedObject | NamelessObject;

interface AnyObject {
  /** Path of the object in the document: empty, or `items` and an index. */
  readonly path: Path;
  readonly value: Manifest;
  readonly apiVersion: string;
  /** As it will be stored: `default` if a namespaced kind has none, "" for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty if the manifest has none; generateName is kept in `value`. */
  readonly name: string;
  /** True if the engine knows this kind in this version. */
  readonly served: boolean;
}

/** An object with a name whose kind is served, possibly in another version. */
export interface NamedObject extends AnyObject {
  readonly kind: Kind;
  readonly ref: Ref;
}

interface NamelessObject extends AnyObject {
  readonly kind: string;
  readonly ref?: undefined;
}

/** The object's ref; for kinds that are not served a text of the same form, which no ref refers to. */
export function calledOf({ ref, kind, namespace, name }: ManifestObject): Ref {
  return ref ?? `${kind}/${namespace}/${name}`;
}

/** One of the two fields by which kubectl recognizes an object. */
export interface MissingField {
  /** The object's path in the document. */
  readonly path: Path;
  readonly name: "apiVersion" | "kind";
  /** The misspelled key that stands for it. */
  readonly writtenAs?: string;
}

export interface Objects {
  readonly objects: readonly ManifestObject[];
  /** Missing fields of mappings that are meant to be objects. */
  readonly missing?: readonly MissingField[];
  /** Set if the document is a list of objects without a List around it. */
  readonly isBareList?: true;
}

const listCountMax = 10_000;

/** No objects for null, for a file of another kind, and for a document without apiVersion or kind. */
export function objectsOf(value: unknown): Objects {
  if (Array.isArray(value) && value.some(isServedObject)) return { objects: [], isBareList: true };
  if (!isRecord(value)) return { objects: [] };
  const { apiVersion, kind, items } = value;
  if (!isText(apiVersion) || !isText(kind)) return withMissing([], missingFields([], value));
  if (!kind.endsWith("List") || !Array.isArray(items))
    return { objects: [objectAt([], decryptedManifest(value), apiVersion, kind)] };
  const itemKind = kind.slice(0, -"List".length);
  const objects: ManifestObject[] = [];
  const missing: MissingField[] = [];
  for (const [index, item] of items.slice(0, listCountMax).entries()) {
    if (!isRecord(item)) continue;
    const path = ["items", index];
    const whole = withKindOf(item, apiVersion, itemKind);
    if (isText(whole["apiVersion"]) && isText(whole["kind"]))
      objects.push(objectAt(path, whole, whole["apiVersion"], whole["kind"]));
    else missing.push(...missingFields(path, item));
  }
  return withMissing(objects, missing);
}

function withMissing(
  objects: readonly ManifestObject[],
  missing: readonly MissingField[],
): Objects {
  return missing.length === 0 ? { objects } : { objects, missing };
}

function isServedObject(item: unknown): boolean {
  if (!isRecord(item)) return false;
  const { apiVersion, kind } = item;
  return isText(apiVersion) && isText(kind) && isServed(apiVersion, kind);
}

/** Empty if the mapping may be meant for another program. */
function missingFields(path: Path, value: Record<string, unknown>): readonly MissingField[] {
  const apiVersionKey = keyMeant(value, "apiVersion");
  const kindKey = keyMeant(value, "kind");
  const apiVersion = textOf(value[apiVersionKey]);
  const kind = textOf(value[kindKey]);
  const isOfKubernetes =
    isKind(kind) || /^(?:v1|[a-z.]*k8s\.io\/v1|apps\/v1|batch\/v1)$/.test(apiVersion);
  const metadata = value[keyMeant(value, "metadata")];
  // Values of charts may have a kind and metadata, too, but no name in it.
  const isNamed =
    isRecord(metadata) &&
    ["name", "generateName"].some((name) => Object.hasOwn(metadata, keyMeant(metadata, name)));
  if (!isServed(apiVersion, kind) && !(isOfKubernetes && isNamed)) return [];
  const missing = [
    { path, name: "apiVersion", writtenAs: apiVersionKey },
    { path, name: "kind", writtenAs: kindKey },
  ] as const;
  return missing
    .filter(({ name }) => !isText(value[name]))
    .map(({ writtenAs, ...rest }) => (writtenAs === rest.name ? rest : { ...rest, writtenAs }));
}

/** `Kind` for `kind`, `api-version` or `apiVesion` for `apiVersion`; the name itself if no key resembles it. */
function keyMeant(value: Record<string, unknown>, name: string): string {
  if (Object.hasOwn(value, name)) return name;
  const letters = lettersOf(name);
  const keys = Object.keys(value);
  return (
    keys.find((key) => lettersOf(key) === letters) ??
    nearestName(name, keys, name.length > 4 ? 2 : 1) ??
    name
  );
}

function lettersOf(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, "");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/**
 * The items of a PersistentVolumeClaimList need not have apiVersion and kind. Upstream: apimachinery, unstructured/helpers.go
 * decodeToList.
 */
function withKindOf(
  item: Record<string, unknown>,
  apiVersion: string,
  kind: string,
): Record<string, unknown> {
  const saysNeither = item["apiVersion"] === undefined && item["kind"] === undefined;
  return saysNeither && kind !== "" ? { apiVersion, kind, ...item } : item;
}

function objectAt(
  path: Path,
  value: Record<string, unknown>,
  apiVersion: string,
  kind: string,
): ManifestObject {
  const metadata = isRecord(value["metadata"]) ? value["metadata"] : {};
  const name = textOf(metadata["name"]);
  const served = isServed(apiVersion, kind);
  const isMeant = isKind(kind) && (served || servedInstead(apiVersion, kind) !== undefined);
  const clusterScoped = isMeant && !isNamespaced(kind);
  const namespace = clusterScoped ? "" : textOf(metadata["namespace"]) || "default";
  const manifest = value as Manifest;
  if (!isMeant || name === "")
    return { path, value: manifest, apiVersion, kind, namespace, name, served };
  // Not a spread of the object above with one more field: that would take nearly three times the memory.
  const ref = makeRef(kind, namespace, name);
  return { path, value: manifest, apiVersion, kind, namespace, name, served, ref };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A scalar as text; a mapping or a list, which may have a `toString` of its own, as JSON. */
export function plainText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** The value at a path; undefined if a part of the path is missing. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let node = value;
  for (const segment of path) {
    if (typeof node !== "object" || node === null) return undefined;
    node = (node as Readonly<Record<string | number, unknown>>)[segment];
  }
  return node;
}
