/** The objects of a document: one, or the items of a List. Kinds of other projects are told apart and left alone. */
import {
  isNamespaced,
  isServed,
  type Kind,
  kindSchema,
  makeRef,
  type Ref,
} from "../../engine/api/meta.ts";
import type { Manifest } from "../../engine/scenario.ts";
import type { Path } from "./place.ts";

export interface ManifestObject {
  /** Where in the document the object is: empty, or `items` and a number. */
  readonly path: Path;
  readonly value: Manifest;
  readonly apiVersion: string;
  readonly kind: string;
  /** As it will be stored: `default` where a namespaced kind names none, "" for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty where the manifest names none; generateName is kept in `value`. */
  readonly name: string;
  /** Whether the engine knows this kind in this version. */
  readonly served: boolean;
  /** Present where the object is served and has a name. */
  readonly ref?: Ref;
}

export type NotAnObject = "not-a-mapping" | "no-kind" | "no-api-version";

export interface Objects {
  readonly objects: readonly ManifestObject[];
  /** Why the document is none, though it has one of the two fields that make an object. */
  readonly missing?: NotAnObject;
}

const listCountMax = 10_000;

/** No object for null, for a file of another kind and for a document that lacks what every object has. */
export function objectsOf(value: unknown): Objects {
  if (!isRecord(value)) return { objects: [] };
  const { apiVersion, kind } = value;
  const hasKind = typeof kind === "string" && kind !== "";
  const hasVersion = typeof apiVersion === "string" && apiVersion !== "";
  if (!hasKind || !hasVersion) {
    if (!isRecord(value["metadata"])) return { objects: [] };
    if (hasKind && isKnownKind(kind)) return { objects: [], missing: "no-api-version" };
    if (hasVersion && /^(?:v1|[a-z.]*k8s\.io\/v1|apps\/v1|batch\/v1)$/.test(apiVersion)) {
      return { objects: [], missing: "no-kind" };
    }
    return { objects: [] };
  }
  const items = value["items"];
  if (!kind.endsWith("List") || !Array.isArray(items))
    return { objects: [objectAt([], value, apiVersion, kind)] };
  const itemKind = kind.slice(0, -"List".length);
  const objects = items.slice(0, listCountMax).flatMap((item: unknown, index): ManifestObject[] => {
    if (!isRecord(item)) return [];
    const whole = withKindOf(item, apiVersion, itemKind);
    if (typeof whole["apiVersion"] !== "string" || typeof whole["kind"] !== "string") return [];
    return [objectAt(["items", index], whole, whole["apiVersion"], whole["kind"])];
  });
  return { objects };
}

/**
 * The items of a PersistentVolumeClaimList need not say that they are claims.
 * Upstream: apimachinery, unstructured/helpers.go decodeToList.
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
  const clusterScoped = served && !isNamespaced(kind as Kind);
  const namespace = clusterScoped ? "" : textOf(metadata["namespace"]) || "default";
  const manifest = value as Manifest;
  if (!served || name === "")
    return { path, value: manifest, apiVersion, kind, namespace, name, served };
  // A copy of the other with one field more would take nearly three times the memory.
  const ref = makeRef(kind as Kind, namespace, name);
  return { path, value: manifest, apiVersion, kind, namespace, name, served, ref };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isKnownKind(kind: string): boolean {
  return kindSchema(kind) !== undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A scalar as text. A mapping or a list, which may have a `toString` of its own, as JSON. */
export function plainText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** The value at a path; undefined where a part of it is missing. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let node = value;
  for (const segment of path) {
    if (typeof node !== "object" || node === null) return undefined;
    node = (node as Readonly<Record<string | number, unknown>>)[segment];
  }
  return node;
}
