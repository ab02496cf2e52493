/** References to objects that are in no file and not in the assumed cluster: shared by the rules on unknown names. */
import { push } from "../../engine/api/go/multi-map.ts";
import { type Kind, makeRef } from "../../engine/api/meta.ts";
import { changedNames, writableNames } from "../names/names-in-cluster.ts";
import { nearestObjectName } from "../nearest-name.ts";
import type { Environment } from "../workspace/environment.ts";
import { textAt } from "../workspace/manifest-fields.ts";
import { type Reference, referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { isRecord } from "../yaml/manifest.ts";
import { hasUnknownVar } from "./facts/unknown-var.ts";
import type { EnvironmentContext, ObjectReport } from "./rule.ts";

export interface MissingReference extends Reference {
  readonly from: WorkspaceObject;
  /** The new name of an object whose name kustomize has changed, without updating this reference. */
  readonly changedTo?: string;
}

/** Without optional references: nothing breaks if their object is missing. */
export function missingReferences(
  context: EnvironmentContext,
  kind: Kind,
): readonly MissingReference[] {
  const known = recent.get(context) ?? findMissing(context);
  recent.set(context, known);
  return known.get(kind) ?? [];
}

// Many rules ask for one kind each; all objects are searched once.
const recent = new WeakMap<EnvironmentContext, ReadonlyMap<Kind, readonly MissingReference[]>>();

function findMissing({
  environment,
  names,
}: EnvironmentContext): ReadonlyMap<Kind, readonly MissingReference[]> {
  const found = new Map<Kind, MissingReference[]>();
  for (const entry of environment.objects) {
    // The server refuses an object without metadata, and its namespace is unknown.
    if (!isRecord(entry.object.value["metadata"])) continue;
    for (const reference of referencesOf(entry.object)) {
      const { kind, namespace, name } = reference;
      if (reference.optional || names.has(kind, namespace, name)) continue;
      if (isGenerated(environment, reference) || hasUnknownVar(environment, entry, name)) continue;
      const changedTo = nameByKustomize(environment, entry, reference);
      const missing = { ...reference, from: entry, ...(changedTo !== undefined && { changedTo }) };
      push(found, kind, missing);
    }
  }
  return found;
}

/** True for objects that a kustomization generates: it updates their names in all references. */
function isGenerated({ kustomized }: Environment, { kind, namespace, name }: Reference): boolean {
  return kustomized.generated.some(
    (object) => object.kind === kind && object.name === name && object.namespace === namespace,
  );
}

function nameByKustomize(
  environment: Environment,
  { object, patched }: WorkspaceObject,
  { kind, namespace, name }: Reference,
): string | undefined {
  const written = patched?.written.object;
  if (written === undefined) return undefined;
  const own = namespace === object.namespace ? written.namespace : namespace;
  const changed = changedNames(environment).get(`${kind}/${own}/${name}`);
  return changed?.name === name ? undefined : changed?.name;
}

/** True if the imported cluster has the claim or snapshot with its volume or content: its source is no longer needed. */
export function isBoundInCluster(
  { environment }: EnvironmentContext,
  { object: { ref = "" } }: WorkspaceObject,
): boolean {
  const there = environment.imported?.byRef.get(ref) ?? {};
  const bound = [
    ["spec", "volumeName"],
    ["status", "boundVolumeSnapshotContentName"],
  ];
  return bound.some((path) => textAt(there, ...path) !== undefined);
}

/** Only an object's first reference to each name. */
export function oncePerObject(references: Iterable<MissingReference>): readonly MissingReference[] {
  const told = new Map<WorkspaceObject, Set<string>>();
  return [...references].filter(({ from, kind, namespace, name }) => {
    const ofObject = told.get(from) ?? new Set();
    told.set(from, ofObject);
    const key = `${kind}/${namespace}/${name}`;
    if (ofObject.has(key)) return false;
    ofObject.add(key);
    return true;
  });
}

/** The name of an existing object of that kind that is nearly the same; undefined if there is none. */
export function nearName(
  context: EnvironmentContext,
  { kind, namespace, name }: Reference,
): string | undefined {
  return nearestObjectName(name, writableNames(context, kind, namespace));
}

export function report(reference: MissingReference, text: string, meant?: string): ObjectReport {
  const { from, path, kind, namespace, name, changedTo } = reference;
  const message =
    changedTo === undefined
      ? text
      : `${text}: kustomize makes “${changedTo}” of “${name}”, and does not follow the name to this field`;
  return { entry: from, path, message, meant, misses: makeRef(kind, namespace, name) };
}

/** For an object that exists only in other namespaces. */
export function reportElsewhere(
  { environment }: EnvironmentContext,
  reference: MissingReference,
  namespaces: readonly string[],
  message: string,
): ObjectReport {
  const { kind, name } = reference;
  const elsewhere = namespaces.map((namespace) => makeRef(kind, namespace, name));
  const restsOn = elsewhere.flatMap((ref) => environment.byRef.get(ref) ?? []);
  return { ...report(reference, message), elsewhere, restsOn };
}

/** `“a”, “b” and “c”`, with at most five names. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  const last = shown.pop();
  return shown.length === 0 ? (last ?? "none") : `${shown.join(", ")} and ${last}`;
}
