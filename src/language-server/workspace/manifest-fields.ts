/** Reads manifests as users write them: every field may be missing or have the wrong type. */
import { own } from "../own.ts";
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import type { Path, PathSegment } from "../yaml/place.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A mapping, and its path in the object. */
export interface Located {
  readonly fields: Fields;
  readonly path: Path;
}

const nothing: Fields = {};

/** The value if it is a mapping; otherwise empty. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : nothing;
}

/** The mapping at a path; empty if there is none. */
export function fieldsAt(value: Fields, ...path: readonly string[]): Fields {
  let fields = value;
  for (const segment of path) {
    const next = fields[segment];
    if (!isRecord(next)) return nothing;
    fields = next;
  }
  return fields;
}

/** The text at a path; undefined if there is none. */
export function textAt(value: Fields, ...path: readonly string[]): string | undefined {
  const found = fieldsAt(value, ...path.slice(0, -1))[path.at(-1) ?? ""];
  return typeof found === "string" ? found : undefined;
}

export function listAt(value: Fields, ...path: readonly string[]): readonly unknown[] {
  const found = fieldsAt(value, ...path.slice(0, -1))[path.at(-1) ?? ""];
  return Array.isArray(found) ? found : [];
}

/** The mappings in a list, each with its path. */
export function itemsOf(list: unknown, path: Path): readonly Located[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index): Located[] =>
    isRecord(item) ? [{ fields: item, path: [...path, index] }] : [],
  );
}

const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: ["spec"],
  PodTemplate: ["template", "spec"],
  Deployment: ["spec", "template", "spec"],
  ReplicaSet: ["spec", "template", "spec"],
  ReplicationController: ["spec", "template", "spec"],
  StatefulSet: ["spec", "template", "spec"],
  DaemonSet: ["spec", "template", "spec"],
  Job: ["spec", "template", "spec"],
  CronJob: ["spec", "jobTemplate", "spec", "template", "spec"],
};

/** The spec of the pods that an object is or makes; undefined for other kinds. */
export function podSpecOf({ kind, served, value }: ManifestObject): Located | undefined {
  const path = own(podSpecPaths, kind);
  return path === undefined || !served ? undefined : { fields: fieldsAt(value, ...path), path };
}

type OfObject<T> = (object: ManifestObject) => T;

/** Caches a function of an object: unedited documents keep their objects. */
export function oncePerObject<T>(compute: OfObject<T>): OfObject<T> {
  const known = new WeakMap<ManifestObject, { readonly value: T }>();
  return (object) => {
    const found = known.get(object);
    if (found !== undefined) return found.value;
    const value = compute(object);
    known.set(object, { value });
    return value;
  };
}

/** The volumes of an object's pods, without those that a StatefulSet's claims replace. */
export const podVolumesOf: OfObject<readonly Located[]> = oncePerObject((object) => {
  const pod = podSpecOf(object);
  if (pod === undefined) return [];
  const volumes = itemsOf(pod.fields["volumes"], [...pod.path, "volumes"]);
  const replaced = claimTemplateNames(object.value);
  return replaced.size === 0
    ? volumes
    : volumes.filter(({ fields }) => !replaced.has(fields["name"]));
});

/** Names of the volumes that a StatefulSet's claims replace. Upstream: updateStorage, stateful_set_utils.go. */
export function claimTemplateNames(value: Fields): ReadonlySet<unknown> {
  const templates = itemsOf(fieldsAt(value, "spec")["volumeClaimTemplates"], []);
  return new Set(templates.map(({ fields }) => textAt(fields, "metadata", "name")));
}

export const containersOf: OfObject<readonly Located[]> = oncePerObject((object) => {
  const pod = podSpecOf(object);
  if (pod === undefined) return [];
  return ["initContainers", "containers"].flatMap((field) =>
    itemsOf(pod.fields[field], [...pod.path, field]),
  );
});

/** The specs of the claims that an object is or makes. */
export const claimSpecsOf: OfObject<readonly Located[]> = oncePerObject((object) => {
  const { kind, served, value } = object;
  if (!served) return [];
  if (kind === "PersistentVolumeClaim")
    return [{ fields: fieldsAt(value, "spec"), path: ["spec"] }];
  const templates: Located[] =
    kind === "StatefulSet"
      ? [
          ...itemsOf(fieldsAt(value, "spec")["volumeClaimTemplates"], [
            "spec",
            "volumeClaimTemplates",
          ]),
        ]
      : [];
  for (const { fields, path } of podVolumesOf(object)) {
    const template = fieldsAt(fields, "ephemeral", "volumeClaimTemplate");
    templates.push({ fields: template, path: [...path, "ephemeral", "volumeClaimTemplate"] });
  }
  return templates.map(({ fields, path }) => ({
    fields: fieldsAt(fields, "spec"),
    path: [...path, "spec"],
  }));
});

/** True if a path is the other one or below it; list indices are compared as text. */
export function startsWithPath(path: Path, start: Path): boolean {
  return start.every((segment: PathSegment, i) => String(path[i]) === String(segment));
}
