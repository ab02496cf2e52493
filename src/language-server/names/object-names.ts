/** The names in one object: its own, those it names others by, those that are tied to another, and those of its pods' volumes. */
import type { Kind } from "../../engine/api/meta.ts";
import { fieldsAt, itemsOf, podSpecOf, textAt } from "../workspace/manifest-fields.ts";
import { classInQuotaKey } from "../workspace/quota-key.ts";
import { referencesOf } from "../workspace/references.ts";
import {
  documentStart,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { printPath } from "../yaml/field-path.ts";
import { underlineKey } from "../yaml/locate.ts";
import type { Path, Span } from "../yaml/place.ts";
import { nameSpan } from "./name-span.ts";
import { namespacesIn } from "./namespace-places.ts";

/** `PodVolume`: a volume inside one pod spec, or the claim template of a StatefulSet that takes its place. */
export type NamedKind = Kind | "PodVolume";

/** What a name stands for. */
export interface Named {
  readonly kind: NamedKind;
  /** "" for cluster-scoped kinds; for a pod's volume the pod spec that it belongs to. */
  readonly namespace: string;
  readonly name: string;
}

export interface NamePlace extends Named {
  readonly file: WorkspaceFile;
  readonly isDefinition: boolean;
  /** As the file has it, where kustomize makes another name of it. */
  readonly written?: string;
  /** The object that the place is in, and where in it; absent in scenario files, the path also where a key holds the name. */
  readonly entry?: WorkspaceObject;
  readonly path?: Path;
  /** Offsets in the file, without quotes; of an alias where one stands for the name; undefined where neither is written there. */
  readonly span: () => Span | undefined;
}

/** Made once for each object: the cursor asks for them wherever it goes. Names in patches are places of their own. */
export function placesOfObject(of: WorkspaceObject): readonly NamePlace[] {
  const entry = of.patched?.written ?? of;
  const found = known.get(entry) ?? [...findPlaces(entry)];
  known.set(entry, found);
  return found;
}

const known = new WeakMap<WorkspaceObject, readonly NamePlace[]>();

function* findPlaces(entry: WorkspaceObject): Iterable<NamePlace> {
  const { object } = entry;
  const namePath = ["metadata", "name"];
  if (object.ref !== undefined) {
    const { kind, namespace, name } = object;
    // A CSINode has its node's name: the two are one thing that two programs write about.
    const named = kind === "CSINode" ? "Node" : (kind as Kind);
    yield placeIn(entry, { kind: named, namespace, name }, namePath, true);
  }
  for (const { name, path } of namespacesIn(object))
    yield placeIn(entry, { kind: "Namespace", namespace: "", name }, path, false);
  yield* hostnameLabel(entry);
  yield* generatedNames(entry);
  for (const { kind, namespace, name, path } of referencesOf(object))
    yield placeIn(entry, { kind, namespace, name }, path, false);
  yield* podVolumes(entry);
  yield* quotaClasses(entry);
}

/** A quota names the class whose claims it counts in the key of the amount. */
function* quotaClasses(entry: WorkspaceObject): Iterable<NamePlace> {
  const { file, document, object } = entry;
  if (object.kind !== "ResourceQuota") return;
  for (const key of Object.keys(fieldsAt(object.value, "spec", "hard"))) {
    const name = classInQuotaKey(key);
    if (name === undefined) continue;
    const span = (): Span | undefined => {
      const { start, end } = underlineKey(document.yaml, [...object.path, "spec", "hard", key]);
      const at = document.yaml.text.slice(start, end).indexOf(key);
      const offset = documentStart(entry) + start + at;
      return at < 0 ? undefined : { start: offset, end: offset + name.length };
    };
    yield { kind: "StorageClass", namespace: "", name, file, isDefinition: false, entry, span };
  }
}

/** The kubelet gives its node a label of the node's name. */
function* hostnameLabel(entry: WorkspaceObject): Iterable<NamePlace> {
  const { kind, name, value, ref } = entry.object;
  const path = ["metadata", "labels", "kubernetes.io/hostname"];
  if (kind !== "Node" || ref === undefined) return;
  if (fieldsAt(value, "metadata", "labels")["kubernetes.io/hostname"] === name)
    yield placeIn(entry, { kind: "Node", namespace: "", name }, path, false);
}

/** ConfigMaps and Secrets that a kustomization makes of files; kustomize changes the names in all fields that have them. */
function* generatedNames(entry: WorkspaceObject): Iterable<NamePlace> {
  const { kind: made, value } = entry.object;
  if (made !== "Kustomization") return;
  for (const [list, kind] of [
    ["configMapGenerator", "ConfigMap"],
    ["secretGenerator", "Secret"],
  ] as const) {
    for (const { fields, path } of itemsOf(value[list], [list])) {
      const name = textAt(fields, "name");
      const namespace = textAt(fields, "namespace") ?? textAt(value, "namespace") ?? "default";
      if (name !== undefined && name !== "")
        yield placeIn(entry, { kind, namespace, name }, [...path, "name"], true);
    }
  }
}

/** The volumes of a pod spec, the templates that stand for one, and the mounts that name them. */
function* podVolumes(entry: WorkspaceObject): Iterable<NamePlace> {
  const pod = podSpecOf(entry.object);
  if (pod === undefined) return;
  const namespace = podScope(entry);
  const place = (name: unknown, path: Path, isDefinition: boolean): readonly NamePlace[] =>
    typeof name === "string" && name !== ""
      ? [placeIn(entry, { kind: "PodVolume", namespace, name }, path, isDefinition)]
      : [];
  if (entry.object.kind === "StatefulSet") {
    const templates = fieldsAt(entry.object.value, "spec")["volumeClaimTemplates"];
    for (const { fields, path } of itemsOf(templates, ["spec", "volumeClaimTemplates"]))
      yield* place(fieldsAt(fields, "metadata")["name"], [...path, "metadata", "name"], true);
  }
  for (const { fields, path } of itemsOf(pod.fields["volumes"], [...pod.path, "volumes"]))
    yield* place(fields["name"], [...path, "name"], true);
  for (const list of ["initContainers", "containers", "ephemeralContainers"])
    for (const container of itemsOf(pod.fields[list], [...pod.path, list]))
      for (const field of ["volumeMounts", "volumeDevices"])
        for (const { fields, path } of itemsOf(container.fields[field], [...container.path, field]))
          yield* place(fields["name"], [...path, "name"], false);
}

/** What tells the volumes of two pod specs apart. */
export function podScope({ file, documentIndex, object }: WorkspaceObject): string {
  return `${file.uri}#${documentIndex}#${printPath(object.path)}`;
}

function placeIn(
  entry: WorkspaceObject,
  named: Named,
  path: Path,
  isDefinition: boolean,
): NamePlace {
  const { file, document, object } = entry;
  return {
    ...named,
    file,
    isDefinition,
    entry,
    path,
    span: () =>
      nameSpan(document.yaml, [...object.path, ...path], named.name, documentStart(entry)),
  };
}
