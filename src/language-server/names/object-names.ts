/** The names in one object: its own, references to others, names tied to another object, and those of its pods' volumes. */
import type { Kind } from "../../engine/api/meta.ts";
import { templatePlaceOf } from "../workspace/field-place.ts";
import {
  fieldsAt,
  itemsOf,
  oncePerObject,
  podSpecOf,
  textAt,
} from "../workspace/manifest-fields.ts";
import { classInQuotaKey } from "../workspace/objects/quota-key.ts";
import { referencesOf } from "../workspace/references.ts";
import {
  documentStart,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { printPath } from "../yaml/field-path.ts";
import { underlineKey } from "../yaml/locate.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";
import { nameSpan } from "./name-span.ts";
import { namespacesIn } from "./namespace-places.ts";

/** `PodVolume`: a volume in one pod spec, or the claim template of a StatefulSet that replaces it. */
export type NamedKind = Kind | "PodVolume";

/** What a name refers to. */
export interface Named {
  readonly kind: NamedKind;
  /** "" for cluster-scoped kinds; for a pod's volume the pod spec that it is in. */
  readonly namespace: string;
  readonly name: string;
}

export interface NamePlace extends Named {
  readonly file: WorkspaceFile;
  readonly isDefinition: boolean;
  /** The name in the file, if kustomize changes it. */
  readonly written?: string;
  /**
   * The object that the place is in, and its path there. Both are absent in scenario files; the path also if a key holds the
   * name.
   */
  readonly entry?: WorkspaceObject;
  readonly path?: Path;
  /** Offsets in the file, without quotes; those of an alias that stands for the name; undefined if neither is written there. */
  readonly span: () => Span | undefined;
}

/** Cached per object, because every cursor move needs them. Names in patches are places of their own. */
export function placesOfObject(of: WorkspaceObject): readonly NamePlace[] {
  const entry = of.patched?.rendered === undefined ? (of.patched?.written ?? of) : of;
  const found = known.get(entry) ?? placesIn(entry.object).map((place) => inFile(place, entry));
  known.set(entry, found);
  return found;
}

const known = new WeakMap<WorkspaceObject, readonly NamePlace[]>();

/** A place within an object, independent of the file: an edit moves objects without changing them. */
interface PlaceInObject extends Named {
  readonly isDefinition: boolean;
  readonly path?: Path;
  readonly span: (entry: WorkspaceObject) => Span | undefined;
}

function inFile(place: PlaceInObject, entry: WorkspaceObject): NamePlace {
  const { kind, name, isDefinition, path, span } = place;
  return {
    kind,
    namespace: kind === "PodVolume" ? podScope(entry) : place.namespace,
    name,
    file: entry.file,
    isDefinition,
    entry,
    ...(path !== undefined && { path }),
    span: () => (entry.patched === undefined ? span(entry) : renderedSpan(entry, path)),
  };
}

/** What produces a name in the object's template; undefined if that is in another file. */
function renderedSpan(entry: WorkspaceObject, path: Path = []): Span | undefined {
  const place = templatePlaceOf(entry, path);
  return place?.file.uri === entry.file.uri ? place : undefined;
}

const placesIn = oncePerObject((object) => [...findPlaces(object)]);

function* findPlaces(object: ManifestObject): Iterable<PlaceInObject> {
  const namePath = ["metadata", "name"];
  if (object.ref !== undefined) {
    const { kind, namespace, name } = object;
    // A CSINode has its node's name: both describe the same machine.
    const named = kind === "CSINode" ? "Node" : kind;
    yield definitionAt({ kind: named, namespace, name }, namePath);
  }
  for (const { name, path } of namespacesIn(object))
    yield useAt({ kind: "Namespace", namespace: "", name }, path);
  yield* hostnameLabel(object);
  yield* generatedNames(object);
  for (const { kind, namespace, name, path } of referencesOf(object))
    yield useAt({ kind, namespace, name }, path);
  yield* podVolumes(object);
  yield* quotaClasses(object);
}

/** In a quota, the key of an amount contains the class whose claims it counts. */
function* quotaClasses(object: ManifestObject): Iterable<PlaceInObject> {
  if (object.kind !== "ResourceQuota") return;
  for (const key of Object.keys(fieldsAt(object.value, "spec", "hard"))) {
    const name = classInQuotaKey(key);
    if (name === undefined) continue;
    const span = (entry: WorkspaceObject): Span | undefined => {
      const { document } = entry;
      const { start, end } = underlineKey(document.yaml, [...object.path, "spec", "hard", key]);
      const at = document.yaml.text.slice(start, end).indexOf(key);
      const offset = documentStart(entry) + start + at;
      return at < 0 ? undefined : { start: offset, end: offset + name.length };
    };
    yield { kind: "StorageClass", namespace: "", name, isDefinition: false, span };
  }
}

/** The label that the kubelet sets to its node's name. */
function* hostnameLabel({ kind, name, value, ref }: ManifestObject): Iterable<PlaceInObject> {
  const path = ["metadata", "labels", "kubernetes.io/hostname"];
  if (kind !== "Node" || ref === undefined) return;
  if (fieldsAt(value, "metadata", "labels")["kubernetes.io/hostname"] === name)
    yield useAt({ kind: "Node", namespace: "", name }, path);
}

/** ConfigMaps and Secrets that a kustomization generates; kustomize updates the fields that refer to them. */
function* generatedNames({ kind: made, value }: ManifestObject): Iterable<PlaceInObject> {
  if (made !== "Kustomization") return;
  for (const [list, kind] of [
    ["configMapGenerator", "ConfigMap"],
    ["secretGenerator", "Secret"],
  ] as const) {
    for (const { fields, path } of itemsOf(value[list], [list])) {
      const name = textAt(fields, "name");
      const namespace = textAt(fields, "namespace") ?? textAt(value, "namespace") ?? "default";
      if (name !== undefined && name !== "")
        yield definitionAt({ kind, namespace, name }, [...path, "name"]);
    }
  }
}

/** The volumes of a pod spec, the claim templates that stand for one, and the mounts that refer to them. */
function* podVolumes(object: ManifestObject): Iterable<PlaceInObject> {
  const pod = podSpecOf(object);
  if (pod === undefined) return;
  const named = (name: unknown): readonly Named[] =>
    typeof name === "string" && name !== "" ? [{ kind: "PodVolume", namespace: "", name }] : [];
  if (object.kind === "StatefulSet") {
    const templates = fieldsAt(object.value, "spec")["volumeClaimTemplates"];
    for (const { fields, path } of itemsOf(templates, ["spec", "volumeClaimTemplates"]))
      for (const volume of named(fieldsAt(fields, "metadata")["name"]))
        yield definitionAt(volume, [...path, "metadata", "name"]);
  }
  for (const { fields, path } of itemsOf(pod.fields["volumes"], [...pod.path, "volumes"]))
    for (const volume of named(fields["name"])) yield definitionAt(volume, [...path, "name"]);
  for (const list of ["initContainers", "containers", "ephemeralContainers"])
    for (const container of itemsOf(pod.fields[list], [...pod.path, list]))
      for (const field of ["volumeMounts", "volumeDevices"])
        for (const { fields, path } of itemsOf(container.fields[field], [...container.path, field]))
          for (const volume of named(fields["name"])) yield useAt(volume, [...path, "name"]);
}

/** Identifies the pod spec that a volume belongs to. */
export function podScope({ file, documentIndex, object }: WorkspaceObject): string {
  return `${file.uri}#${documentIndex}#${printPath(object.path)}`;
}

function definitionAt(named: Named, path: Path): PlaceInObject {
  return { ...useAt(named, path), isDefinition: true };
}

function useAt(named: Named, path: Path): PlaceInObject {
  const span = (entry: WorkspaceObject): Span | undefined => {
    const { document, object } = entry;
    return nameSpan(document.yaml, [...object.path, ...path], named.name, documentStart(entry));
  };
  return { ...named, isDefinition: false, path, span };
}
