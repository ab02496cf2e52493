/** The paths that the API server writes: `spec.volumes[0].name`, `spec.capacity[storage]`, `metadata.annotations[a.b/c]`. */
import { isRecord, valueAt } from "./manifest.ts";
import type { Path, PathSegment } from "./place.ts";

/** Reads a path; invalid text gives the empty path, which means the object itself. */
export function parseFieldPath(text: string): Path {
  const segments: PathSegment[] = [];
  const pattern = /\.?([^.[\]]+)|\[((?:[^[\]]|\[[^\]]*\])*)\]/y;
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return [];
    const [whole, name, inBrackets] = match;
    if (name !== undefined) segments.push(name);
    else if (inBrackets !== undefined)
      segments.push(/^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets);
    at += whole.length;
  }
  return segments;
}

export function printPath(path: Path): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!/^[A-Za-z0-9_-]+$/.test(segment)) text += `[${segment}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/**
 * Translates the API server's path into the manifest's. The server shortens `spec.resources.requests[storage]` to
 * `spec.resources[storage]`, uses names of Go's embedded structs, omits the index of some list items (which works if only one
 * item has the field), copies a claim's data source into the other of its two fields, and moves a Secret's `stringData` into
 * `data`.
 */
export function manifestPath(path: Path, value: unknown): Path {
  const result: PathSegment[] = [];
  let node: unknown = value;
  for (const segment of volumeOfSet(secretText(path, value), value)) {
    const record =
      typeof node === "object" && node !== null
        ? (node as Record<PathSegment, unknown>)
        : undefined;
    if (record === undefined || Object.hasOwn(record, segment)) {
      result.push(segment);
      node = record?.[segment];
      continue;
    }
    const twin = twins[segment];
    if (twin !== undefined && Object.hasOwn(record, twin)) {
      result.push(twin);
      node = record[twin];
      continue;
    }
    const index = onlyIndexWith(record, segment);
    if (index !== undefined) {
      result.push(index, segment);
      node = (record as Record<PathSegment, Record<PathSegment, unknown>>)[index]?.[segment];
      continue;
    }
    const requests = record["requests"];
    if (typeof requests === "object" && requests !== null && Object.hasOwn(requests, segment)) {
      result.push("requests", segment);
      node = (requests as Record<PathSegment, unknown>)[segment];
    } else if (!embedded.has(String(segment))) {
      result.push(segment);
      node = undefined;
    }
  }
  return result;
}

function secretText(path: Path, value: unknown): Path {
  const [field, key] = path;
  if (field !== "data" || !isRecord(value) || !isRecord(value["stringData"])) return path;
  const { data, stringData } = value;
  const isPlain =
    key === undefined ? !isRecord(data) : Object.hasOwn(stringData as object, String(key));
  return isPlain ? ["stringData", ...path.slice(1)] : path;
}

function onlyIndexWith(list: unknown, field: PathSegment): number | undefined {
  if (!Array.isArray(list)) return undefined;
  const has = (item: unknown): boolean =>
    typeof item === "object" && item !== null && Object.hasOwn(item, field);
  const index = list.findIndex(has);
  return index >= 0 && index === list.findLastIndex(has) ? index : undefined;
}

/** Upstream: persistentvolumeclaim strategy.go, util.go NormalizeDataSources. */
const twins: Readonly<Record<PathSegment, string>> = {
  dataSource: "dataSourceRef",
  dataSourceRef: "dataSource",
};

const embedded: ReadonlySet<string> = new Set([
  "PersistentVolumeSource",
  "VolumeSource",
  "LocalObjectReference",
]);

/**
 * In a StatefulSet's pods, the volumes for its claim templates come first, one per name, and replace other volumes of that
 * name. Upstream: pkg/apis/apps/validation volumesToAddForTemplates; pkg/controller/statefulset updateStorage.
 */
function volumeOfSet(path: Path, value: unknown): Path {
  const [index, ...rest] = path.slice(volumesOfSet.length);
  const isVolume = volumesOfSet.every((segment, at) => path[at] === segment);
  if (!isVolume || typeof index !== "number" || !isRecord(value)) return path;
  const templates = listAt(value, ["spec", "volumeClaimTemplates"]);
  if (value["kind"] !== "StatefulSet" || templates.length === 0) return path;
  const names = templates.map((template) => valueAt(template, ["metadata", "name"]));
  const made = [...new Set(names)];
  if (index < made.length) {
    const template = ["spec", "volumeClaimTemplates", names.lastIndexOf(made[index])];
    return rest[0] === "name" ? [...template, "metadata", "name"] : template;
  }
  const others = listAt(value, volumesOfSet).flatMap((volume, at) =>
    made.includes(valueAt(volume, ["name"])) ? [] : [at],
  );
  return [...volumesOfSet, others[index - made.length] ?? index, ...rest];
}

const volumesOfSet: Path = ["spec", "template", "spec", "volumes"];

function listAt(value: unknown, path: Path): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}
