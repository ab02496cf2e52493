/** Translates names as written into names in the cluster, where kustomize has changed names and namespaces. */
import type { Kind, Ref } from "../../engine/api/meta.ts";
import type { ClusterNames } from "../workspace/cluster-names.ts";
import type { Environment } from "../workspace/environment.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { type Named, type NamePlace, placesOfObject } from "./object-names.ts";

/** The name places of an object, each with its name in the cluster. */
export function* placesInCluster(
  environment: Environment,
  entry: WorkspaceObject,
): Iterable<NamePlace> {
  const { patched, object } = entry;
  for (const place of placesOfObject(entry)) {
    const isOwn = place.isDefinition && place.kind === object.kind;
    // If kustomize makes several objects from it, each has its own name in the cluster.
    yield patched !== undefined && isOwn
      ? withName(place, object)
      : placeInCluster(environment, place);
  }
}

export function placeInCluster(environment: Environment, place: NamePlace): NamePlace {
  return withName(place, namedInCluster(environment, place, place.entry));
}

function withName(place: NamePlace, { namespace, name }: Omit<Named, "kind">): NamePlace {
  if (place.name === name && place.namespace === namespace) return place;
  return { ...place, namespace, name, written: place.name };
}

/** What a name in `entry` refers to: the object written under that name, in whichever namespace kustomize puts both. */
function namedInCluster(
  environment: Environment,
  named: Named,
  entry: WorkspaceObject | undefined,
): Omit<Named, "kind"> {
  const changed = changedNames(environment);
  if (changed.size === 0 || named.kind === "PodVolume") return named;
  const known = changed.get(refOf(named));
  if (known !== undefined || entry === undefined) return known ?? named;
  const [built] = environment.kustomized.built(entry);
  if (built === undefined || named.namespace !== entry.object.namespace) return named;
  const beside = { ...named, namespace: built.object.namespace };
  return changed.get(refOf(beside)) ?? beside;
}

/** Objects whose name or namespace kustomize has changed, by the ref that is written. */
export function changedNames(environment: Environment): ReadonlyMap<Ref, ManifestObject> {
  const known = recent.get(environment);
  if (known !== undefined) return known;
  const changed = new Map<Ref, ManifestObject>();
  const inNewNamespace: (readonly [Ref, ManifestObject])[] = [];
  for (const { object, patched } of environment.objects) {
    const written = patched?.written.object;
    if (written?.ref === undefined || written.ref === object.ref) continue;
    if (!changed.has(written.ref)) changed.set(written.ref, object);
    inNewNamespace.push([`${written.kind}/${object.namespace}/${written.name}`, object]);
  }
  // A reference may give the new namespace even if the object itself leaves that to kustomize.
  for (const [ref, object] of inNewNamespace) if (!changed.has(ref)) changed.set(ref, object);
  recent.set(environment, changed);
  return changed;
}

/** The names that a field may use for an object of the kind: kustomize finds objects by the names written in files. */
export function writableNames(
  context: NamedContext,
  kind: Kind,
  namespace?: string,
): readonly string[] {
  const known = writable.get(context) ?? new Map<string, readonly string[]>();
  writable.set(context, known);
  const key = `${kind} ${namespace}`;
  const names = known.get(key) ?? findWritable(context, kind, namespace);
  known.set(key, names);
  return names;
}

interface NamedContext {
  readonly environment: Environment;
  readonly names: ClusterNames;
}

// Cached because it is needed for each unknown name.
const writable = new WeakMap<NamedContext, Map<string, readonly string[]>>();

function findWritable(
  { environment, names }: NamedContext,
  kind: Kind,
  namespace: string | undefined,
): readonly string[] {
  const own = new Set<string>();
  const changed = new Set<string>();
  for (const { object, patched } of environment.objects) {
    const before = patched?.written.object;
    if (before === undefined || before.kind !== kind || before.name === object.name) continue;
    changed.add(object.name);
    if (namespace === undefined || [before.namespace, object.namespace].includes(namespace))
      own.add(before.name);
  }
  const others = names.names(kind, namespace).filter((name) => !changed.has(name));
  return [...new Set([...own, ...others])];
}

const recent = new WeakMap<Environment, ReadonlyMap<Ref, ManifestObject>>();

function refOf({ kind, namespace, name }: Named): Ref {
  return `${kind}/${namespace}/${name}`;
}
