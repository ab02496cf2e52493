/** An object that others of its file need and that stands behind them: the first `kubectl apply` refuses those. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { makeRef, namespaceOfRef, type Ref } from "../../../engine/api/meta.ts";
import { push } from "../../multi-map.ts";
import { keepsOrder } from "../../workspace/apply-order.ts";
import type { Environment } from "../../workspace/environment.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { referencesOf } from "../../workspace/references.ts";
import { standingNamespaces } from "../../workspace/standing-namespaces.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf, refusalWithout } from "../api-answer.ts";
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

/** Kinds that admission looks for when others are made. */
const neededKinds: ReadonlySet<string> = new Set([
  "Namespace",
  "PriorityClass",
  "RuntimeClass",
  "ServiceAccount",
]);

type Users = ReadonlyMap<WorkspaceObject, readonly WorkspaceObject[]>;

/** What stands behind objects of its file that name it, with those. */
function* usersBefore(
  objects: readonly WorkspaceObject[],
): Iterable<readonly [WorkspaceObject, readonly WorkspaceObject[]]> {
  const files = new Set<WorkspaceFile>();
  for (const { file, object } of objects) if (neededKinds.has(object.kind)) files.add(file);
  for (const file of files) {
    const users = usersInFiles.get(file) ?? usersIn(file);
    usersInFiles.set(file, users);
    yield* users;
  }
}

// Most edits are in other files.
const usersInFiles = new WeakMap<WorkspaceFile, Users>();

function usersIn(file: WorkspaceFile): Users {
  const found = new Map<WorkspaceObject, readonly WorkspaceObject[]>();
  const users = new Map<Ref, WorkspaceObject[]>();
  for (const entry of objectsOfFile(file)) {
    const { ref, kind } = entry.object;
    const before = ref === undefined || !neededKinds.has(kind) ? undefined : users.get(ref);
    if (before !== undefined) found.set(entry, [...before]);
    for (const need of needsOf(entry.object).keys()) push(users, need, entry);
  }
  return found;
}

/** What has to be there before the object can be made, with the field that says so. */
function needsOf(object: ManifestObject): ReadonlyMap<Ref, Path> {
  const { kind, namespace, value } = object;
  const needs = new Map<Ref, Path>();
  // Whether other kinds are in namespaces at all only their manifests tell.
  if (textAt(value, "metadata", "namespace") === namespace && !standingNamespaces.has(namespace))
    needs.set(makeRef("Namespace", "", namespace), ["metadata", "namespace"]);
  // Controllers ask for their pods again.
  for (const reference of kind === "Pod" ? referencesOf(object) : [])
    if (neededKinds.has(reference.kind))
      needs.set(makeRef(reference.kind, reference.namespace, reference.name), reference.path);
  return needs;
}

/** The first object of the file that needs it to be there; undefined where none stands before it. */
export function firstUserOf(needed: WorkspaceObject): WorkspaceObject | undefined {
  const { ref } = needed.object;
  const entries = objectsOfFile(needed.file);
  const index = entries.findIndex((entry) => entry.object === needed.object);
  return entries
    .slice(0, Math.max(index, 0))
    .find(({ object }) => ref !== undefined && needsOf(object).has(ref));
}

/** Whether it may be there before the file is applied: another document makes it too, or the cluster has it. */
function isThereBefore(
  { object: { ref, name } }: WorkspaceObject,
  { byRef, imported }: Environment,
): boolean {
  if (ref === undefined || byRef.get(ref)?.length !== 1) return true;
  if (imported === undefined) return false;
  if (imported.byRef.has(ref)) return true;
  return ref === makeRef("Namespace", "", name)
    ? [...imported.byRef.keys()].some((other) => namespaceOfRef(other) === name)
    : false;
}

/** Undefined where the server takes all of them, or refuses them anyway. */
function reportOf(
  needed: WorkspaceObject,
  users: readonly WorkspaceObject[],
  { version }: EnvironmentContext,
): ObjectReport | undefined {
  const { ref } = needed.object;
  if (ref === undefined) return undefined;
  const refused = users
    .flatMap((entry) => {
      const { object } = entry;
      if (object.ref === undefined || answerOf(object, version)?.ok !== true) return [];
      const refusal = refusalWithout(object, ref, version);
      const path = needsOf(object).get(ref);
      return refusal === undefined || path === undefined ? [] : [{ entry, path, refusal }];
    })
    .sort((a, b) => compareText(a.entry.object.ref ?? "", b.entry.object.ref ?? ""));
  const [first] = refused;
  if (first === undefined) return undefined;
  const { kind, name } = first.entry.object;
  const more = refused.length > 1 ? ` and ${refused.length - 1} more` : "";
  const [stand, them] = refused.length > 1 ? ["stand", "them"] : ["stands", "it"];
  return {
    entry: needed,
    path: ["metadata", "name"],
    message: `${first.refusal.message}: the first kubectl apply of this file refuses ${kind} “${name}”${more}, which ${stand} before it; a second one makes ${them}`,
    related: someOthers(refused, () => true).map(({ entry, path }) => ({
      entry,
      path,
      message: "Refused by the first apply",
    })),
  };
}
