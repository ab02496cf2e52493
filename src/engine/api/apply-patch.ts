/**
 * What `kubectl apply` sends of a new object, and what it makes of one that is there: what the manifest says, without what the last one said and this one
 * does not; all else stays. Upstream: kubectl v0.36 pkg/cmd/apply/patcher.go, apimachinery v0.36
 * strategicpatch.CreateThreeWayMergePatch with the patch strategies of the API's types; of a new object, cli-runtime v0.36
 * pkg/resource/helper.go Create. Not modelled: server-side apply, and that a change of one of several elements
 * with the same key lands on the first of them.
 */
import { customKinds } from "./decoding/custom-resource.ts";
import { deepEqual } from "./json.ts";
import { type KubeObject, kindSchema } from "./meta.ts";
import { modelSchemas } from "./schema.ts";

export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

type Fields = Readonly<Record<string, unknown>>;

/** Lists whose elements are told apart by a field, by model and field. Upstream: the patchMergeKey tags. */
const mergeKeys: Readonly<Record<string, string>> = {
  "Container.env": "name",
  "Container.ports": "containerPort",
  "Container.volumeDevices": "devicePath",
  "Container.volumeMounts": "mountPath",
  "ObjectMeta.ownerReferences": "uid",
  "PodSpec.containers": "name",
  "PodSpec.ephemeralContainers": "name",
  "PodSpec.hostAliases": "ip",
  "PodSpec.imagePullSecrets": "name",
  "PodSpec.initContainers": "name",
  "PodSpec.resourceClaims": "name",
  "PodSpec.schedulingGates": "name",
  "PodSpec.topologySpreadConstraints": "topologyKey",
  "PodSpec.volumes": "name",
  "CSINodeSpec.drivers": "name",
  "ServiceAccount.imagePullSecrets": "name",
  "ServiceAccount.secrets": "name",
  "ServiceSpec.ports": "port",
};

/** Fields that tell elements apart where the first does not. Upstream: the listMapKey tags. */
const otherKeys: Readonly<Record<string, string>> = {
  "Container.ports": "protocol",
  "PodSpec.topologySpreadConstraints": "whenUnsatisfiable",
  "ServiceSpec.ports": "protocol",
};

/** Lists of texts that are sets. */
const sets: ReadonlySet<string> = new Set(["ObjectMeta.finalizers", "NodeSpec.podCIDRs"]);

/** Structs of which nothing stays that the manifest does not say. Upstream: the patch strategy retainKeys. */
const retained: ReadonlySet<string> = new Set([
  "DeploymentSpec.strategy",
  "PodSpec.resourceClaims",
  "PodSpec.volumes",
]);

/** Structs that are replaced as a whole. Upstream: the patch strategy replace. */
const replaced: ReadonlySet<string> = new Set(["PodDisruptionBudgetSpec.selector"]);

/** How a strategic merge patch treats a field. */
export interface FieldMerge {
  /** Of the field, or of a list's elements; "" where they have none. */
  readonly model: string;
  /** What tells a list's elements apart, the most telling first; none where a list is replaced as a whole. */
  readonly keys: readonly string[];
  readonly isSet: boolean;
}

export function fieldMerge(model: string, field: string): FieldMerge {
  const place = `${model}.${field}`;
  const type = modelSchemas[model]?.[field]?.[0] ?? "";
  const keys = [mergeKeys[place], otherKeys[place]].filter((key) => key !== undefined);
  const own = type.startsWith("map[]") ? "" : type.replace("[]", "");
  return { model: own, keys, isSet: sets.has(place) };
}

/** Of objects of a kind; "" where the API server knows no way to merge them but field by field. */
export function mergeModelOf(kind: string): string {
  const schema = kindSchema(kind);
  return schema === undefined || customKinds.has(schema.kind) ? "" : schema.model;
}

/** A new object as kubectl sends it: one that `kubectl get -o yaml` gave has a version, with which the API server would refuse it. */
export function created<T extends Fields>(manifest: T): T {
  const { metadata } = manifest;
  if (!isFields(metadata) || metadata["resourceVersion"] === undefined) return manifest;
  const { resourceVersion: _, ...rest } = metadata;
  return { ...manifest, metadata: rest };
}

/** What kubectl would have the API server store. `manifest` is as the user wrote it. */
export function applied(current: KubeObject, manifest: Fields): unknown {
  const last = lastApplied(current);
  const before = last && asSent(last, current);
  const said = asSent(manifest, current);
  const fields = current as unknown as Fields;
  const next = mergedFields(before ?? {}, said, fields, mergeModelOf(current.kind)) as {
    readonly metadata: Fields;
  };
  if (before !== undefined && deepEqual(before, said)) return next;
  const annotations = {
    ...(next.metadata["annotations"] as Fields),
    [lastAppliedAnnotation]: `${JSON.stringify(said)}\n`,
  };
  return { ...next, metadata: { ...next.metadata, annotations } };
}

/** kubectl sends the namespace and annotations even where the manifest has none, and never the status. */
function asSent({ status: _, metadata, ...rest }: Fields, { metadata: own }: KubeObject): Fields {
  const namespace = own.namespace === undefined ? {} : { namespace: own.namespace };
  const given = isFields(metadata) ? metadata : {};
  const annotations = isFields(given["annotations"]) ? given["annotations"] : {};
  return { ...rest, metadata: { ...namespace, ...given, annotations } };
}

function lastApplied({ metadata }: KubeObject): Fields | undefined {
  const text = metadata.annotations?.[lastAppliedAnnotation];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined; // Somebody has cut it off: kubectl refuses then, and a person mends it.
  }
}

function mergedFields(before: Fields, said: Fields, current: Fields, model: string): Fields {
  const next: Record<string, unknown> = { ...current };
  for (const key of Object.keys(before))
    if ((said[key] ?? undefined) === undefined) delete next[key];
  for (const [key, value] of Object.entries(said)) {
    if (value === null) delete next[key];
    else if (value !== undefined) next[key] = merged(before[key], value, current[key], model, key);
  }
  return next;
}

function merged(
  before: unknown,
  said: unknown,
  current: unknown,
  model: string,
  field: string,
): unknown {
  const place = `${model}.${field}`;
  const type = modelSchemas[model]?.[field]?.[0] ?? "";
  if (Array.isArray(said)) {
    if (!Array.isArray(current)) return said;
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    const key = mergeKeys[place];
    if (key !== undefined) return mergedList(old, said, current, key, place, type.slice(2));
    return sets.has(place) ? inOrder(old, [...new Set(said)], current, (item) => item) : said;
  }
  if (!isFields(said) || !isFields(current) || replaced.has(place)) return said;
  return mergedStruct(isFields(before) ? before : {}, said, current, place, type);
}

function mergedStruct(
  before: Fields,
  said: Fields,
  current: Fields,
  place: string,
  model: string,
): Fields {
  const whole = mergedFields(before, said, current, model.startsWith("map[]") ? "" : model);
  if (!retained.has(place)) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([key]) => said[key] !== undefined));
}

function mergedList(
  before: readonly unknown[],
  said: readonly unknown[],
  current: readonly unknown[],
  key: string,
  place: string,
  model: string,
): readonly unknown[] {
  const keyOf = (item: unknown): unknown => (isFields(item) ? item[key] : item);
  const known = byKey(current, keyOf);
  const last = byKey(before, keyOf);
  const counts = new Map<unknown, number>();
  const items = said.map((item) => {
    const itemKey = keyOf(item);
    const count = counts.get(itemKey) ?? 0;
    counts.set(itemKey, count + 1);
    const live = known.get(itemKey)?.[count];
    const old = last.get(itemKey)?.[count];
    if (!isFields(live) || !isFields(item)) return item;
    return mergedStruct(isFields(old) ? old : {}, item, live, place, model);
  });
  return inOrder(before, items, current, keyOf);
}

type KeyOf = (item: unknown) => unknown;

/** Ports may share a number: of elements with the same key the first meets the first. Upstream: diffListsOfMaps. */
function byKey(list: readonly unknown[], keyOf: KeyOf): ReadonlyMap<unknown, readonly unknown[]> {
  const all = new Map<unknown, unknown[]>();
  for (const item of list) {
    const alike = all.get(keyOf(item));
    if (alike === undefined) all.set(keyOf(item), [item]);
    else alike.push(item);
  }
  return all;
}

/**
 * The manifest's elements in its order, and those of others, each before the first of the manifest's that it stood before.
 * Upstream: mergeSortedSlice.
 */
function inOrder(
  before: readonly unknown[],
  items: readonly unknown[],
  current: readonly unknown[],
  keyOf: KeyOf,
): readonly unknown[] {
  const places = new Map<unknown, number>();
  for (const [index, item] of current.entries())
    if (!places.has(keyOf(item))) places.set(keyOf(item), index);
  const placeOf = (item: unknown): number => places.get(keyOf(item)) ?? 0;
  const own = new Set([...items, ...before].map(keyOf));
  const others = current.filter((item) => !own.has(keyOf(item)));
  const all: unknown[] = [];
  let next = 0;
  for (const item of items) {
    while (next < others.length && placeOf(others[next]) < placeOf(item)) all.push(others[next++]);
    all.push(item);
  }
  return [...all, ...others.slice(next)];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
