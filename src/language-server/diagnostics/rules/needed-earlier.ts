/**
 * An object that comes after objects of its file that need it: the first `kubectl apply` refuses these. A
 * CustomResourceDefinition does not help objects of its kind in the same file, wherever it is. Upstream: kubectl v0.36
 * pkg/cmd/apply/apply.go GetObjects, cli-runtime v0.36 pkg/resource/mapper.go infoForData: the kinds of all objects are looked
 * up before the first one is applied.
 */
import { isStanding } from "../../../engine/api/admission/namespace-lifecycle.ts";
import { push } from "../../../engine/api/go/multi-map.ts";
import { compareText } from "../../../engine/api/go/text-order.ts";
import { makeRef, namespaceOfRef, type Ref } from "../../../engine/api/meta.ts";
import type { KubernetesVersion } from "../../../engine/scenario.ts";
import type { Environment } from "../../workspace/environment.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { keepsOrder } from "../../workspace/objects/apply-order.ts";
import { referencesOf } from "../../workspace/references.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../../workspace/workspace-object.ts";
import { calledOf, type ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf, refusalWithout } from "../api-answer.ts";
import { isDefinition, kindsDefinedBy, kindWanted } from "../facts/kind-definition.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";
import { someOthers } from "../some-others.ts";

export const neededEarlier: EnvironmentRule = {
  id: "needed-earlier",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  *check(context) {
    const { environment } = context;
    let isInOrder: ReturnType<typeof keepsOrder> | undefined;
    for (const [needed, users] of usersBefore(environment.objects)) {
      isInOrder ??= keepsOrder(environment);
      if (!isInOrder(needed.file) || isThereBefore(needed, environment)) continue;
      const report = reportOf(needed, users, context);
      if (report !== undefined) yield report;
    }
  },
};

/** Kinds that admission looks up when other objects are created. */
const neededKinds: ReadonlySet<string> = new Set([
  "Namespace",
  "PriorityClass",
  "RuntimeClass",
  "ServiceAccount",
]);

type Users = ReadonlyMap<WorkspaceObject, readonly WorkspaceObject[]>;

/** Objects that come after others in their file that name them, and definitions, each with the objects that need it. */
function* usersBefore(
  objects: readonly WorkspaceObject[],
): Iterable<readonly [WorkspaceObject, readonly WorkspaceObject[]]> {
  const files = new Set<WorkspaceFile>();
  for (const { file, object } of objects)
    if (neededKinds.has(object.kind) || isDefinition(object)) files.add(file);
  for (const file of files) {
    const users = usersInFiles.get(file) ?? usersIn(file);
    usersInFiles.set(file, users);
    yield* users;
  }
}

// Cached, because most edits are in other files.
const usersInFiles = new WeakMap<WorkspaceFile, Users>();

function usersIn(file: WorkspaceFile): Users {
  const found = new Map<WorkspaceObject, readonly WorkspaceObject[]>();
  const users = new Map<Ref, WorkspaceObject[]>();
  const entries = objectsOfFile(file);
  for (const entry of entries) {
    const { ref, kind } = entry.object;
    const before = ref === undefined || !neededKinds.has(kind) ? undefined : users.get(ref);
    if (before !== undefined) found.set(entry, [...before]);
    for (const need of needsOf(entry.object).keys()) push(users, need, entry);
    const defined = kindsDefinedBy(entry.object);
    if (defined.size === 0) continue;
    const ofKind = entries.filter(({ object }) => defined.has(kindWanted(object)));
    if (ofKind.length > 0) found.set(entry, ofKind);
  }
  return found;
}

/** What must exist before the object can be created, with the field that names it. */
function needsOf(object: ManifestObject): ReadonlyMap<Ref, Path> {
  const { kind, namespace, value } = object;
  const needs = new Map<Ref, Path>();
  // Only the manifest shows whether a kind that the engine does not know is namespaced.
  if (textAt(value, "metadata", "namespace") === namespace && !isStanding(namespace))
    needs.set(makeRef("Namespace", "", namespace), ["metadata", "namespace"]);
  // Only for pods themselves: controllers retry to create theirs.
  for (const reference of kind === "Pod" ? referencesOf(object) : [])
    if (neededKinds.has(reference.kind))
      needs.set(makeRef(reference.kind, reference.namespace, reference.name), reference.path);
  return needs;
}

/** The first earlier object in the file that needs this one; undefined if there is none. */
export function firstUserOf(needed: WorkspaceObject): WorkspaceObject | undefined {
  const { ref } = needed.object;
  const entries = objectsOfFile(needed.file);
  const index = entries.findIndex((entry) => entry.object === needed.object);
  return entries
    .slice(0, Math.max(index, 0))
    .find(({ object }) => ref !== undefined && needsOf(object).has(ref));
}

/** True if the object may exist before the file is applied: another document creates it, too, or the cluster has it. */
function isThereBefore({ object }: WorkspaceObject, environment: Environment): boolean {
  const { byRef, imported } = environment;
  const { ref, name } = object;
  if (isDefinition(object)) return isDefinedBefore(object, environment);
  if (ref === undefined || byRef.get(ref)?.length !== 1) return true;
  if (imported === undefined) return false;
  if (imported.byRef.has(ref)) return true;
  return ref === makeRef("Namespace", "", name)
    ? [...imported.byRef.keys()].some((other) => namespaceOfRef(other) === name)
    : false;
}

/** Imports do not keep definitions, so it is unknown which ones the cluster has. */
function isDefinedBefore(definition: ManifestObject, { objects, imported }: Environment): boolean {
  const called = calledOf(definition);
  const isSame = ({ object }: WorkspaceObject): boolean =>
    isDefinition(object) && calledOf(object) === called;
  return imported !== undefined || objects.filter(isSame).length !== 1;
}

interface Refused {
  readonly entry: WorkspaceObject;
  readonly path: Path;
  readonly why: string;
}

/** Undefined if the server accepts all of them, or refuses them anyway. */
function reportOf(
  needed: WorkspaceObject,
  users: readonly WorkspaceObject[],
  { version }: EnvironmentContext,
): ObjectReport | undefined {
  const refused = users
    .flatMap((entry) => refusedWithout(needed.object, entry, version))
    .sort((a, b) => compareText(calledOf(a.entry.object), calledOf(b.entry.object)));
  const [first] = refused;
  if (first === undefined) return undefined;
  const { kind, name } = first.entry.object;
  const more = refused.length > 1 ? ` and ${refused.length - 1} more` : "";
  const [they, are, come, them] =
    refused.length > 1 ? ["they", "are", "come", "them"] : ["it", "is", "comes", "it"];
  const where = isDefinition(needed.object)
    ? `wherever ${they} ${are} in the file`
    : `which ${come} before it`;
  return {
    entry: needed,
    path: ["metadata", "name"],
    message: `${first.why}: the first kubectl apply of this file refuses ${kind} “${name}”${more}, ${where}; a second one creates ${them}`,
    related: someOthers(refused, () => true).map(({ entry, path }) => ({
      entry,
      path,
      message: "Refused by the first apply",
    })),
  };
}

/** Empty if the server accepts the object, or refuses it anyway. */
function refusedWithout(
  needed: ManifestObject,
  entry: WorkspaceObject,
  version: KubernetesVersion,
): readonly Refused[] {
  const { object } = entry;
  if (object.served && answerOf(object, version)?.ok !== true) return [];
  const { apiVersion, kind } = object;
  if (isDefinition(needed))
    return [
      { entry, path: ["kind"], why: `no matches for kind "${kind}" in version "${apiVersion}"` },
    ];
  if (object.ref === undefined || needed.ref === undefined) return [];
  const refusal = refusalWithout(object, needed.ref, version);
  const path = needsOf(object).get(needed.ref);
  return refusal === undefined || path === undefined ? [] : [{ entry, path, why: refusal.message }];
}
