/**
 * Finds a typo in an object's own name or namespace that makes several other objects miss it: reported once, at the typo. If
 * only one object misses it, the finding stays there, because that object may as well have the typo.
 */
import { push } from "../../engine/api/go/multi-map.ts";
import { kindOfRef, makeRef, nameOfRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import { nearestObjectName } from "../nearest-name.ts";
import type { ClusterNames } from "../workspace/cluster-names.ts";
import type { Environment } from "../workspace/environment.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { CodedReport, ObjectReport } from "./rule.ts";
import { someOthers } from "./some-others.ts";

/** Reports of one rule about the same missing name. */
interface Group {
  readonly missed: Ref;
  /** The only object that nearly has the name, or has it in another namespace. */
  readonly near: Ref;
  readonly found: readonly CodedReport[];
}

/** The reports to make at blamed objects, from reports about missing objects; empty if no single object is to blame. */
export function blamedObjects(
  lists: Iterable<readonly CodedReport[]>,
  environment: Environment,
  names: ClusterNames,
): readonly CodedReport[] {
  const groups = groupsIn(lists);
  const rivals = new Map<Ref, number>();
  for (const { near } of groups) rivals.set(near, (rivals.get(near) ?? 0) + 1);
  let used: ReadonlySet<Ref> | undefined;
  return groups.flatMap((group): readonly CodedReport[] => {
    const { missed, near, found } = group;
    const [entry, ...others] = environment.byRef.get(near) ?? [];
    if (entry === undefined || others.length > 0 || entry.patched !== undefined) return [];
    if (rivals.get(near) !== 1 || !(isMany(found) || isLost(missed, near, names))) return [];
    used ??= usedAmong(rivals, environment);
    if (used.has(near) || isOfTemplate(near, names)) return [];
    const [first] = found;
    return first === undefined ? [] : [{ ...first, report: blame(entry, group) }];
  });
}

function groupsIn(lists: Iterable<readonly CodedReport[]>): readonly Group[] {
  const found = new Map<string, CodedReport[]>();
  const refs = new Map<string, Omit<Group, "found">>();
  for (const list of lists)
    for (const coded of missingIn(list)) {
      const { misses: missed, meant, elsewhere = [] } = coded.report;
      if (missed === undefined) continue;
      const near: Ref | undefined =
        meant === undefined
          ? elsewhere[0]
          : `${kindOfRef(missed)}/${namespaceOfRef(missed)}/${meant}`;
      if (near === undefined || elsewhere.length > 1) continue;
      const key = `${coded.code} ${missed} ${near}`;
      refs.set(key, { missed, near });
      push(found, key, coded);
    }
  return [...refs].map(([key, group]) => ({ ...group, found: found.get(key) ?? [] }));
}

/** Caches per list the few reports that are about something missing. */
function missingIn(list: readonly CodedReport[]): readonly CodedReport[] {
  const known = missingOfLists.get(list);
  if (known !== undefined) return known;
  const found = list.filter(
    ({ report: { misses, meant, elsewhere = [] } }) =>
      misses !== undefined && (meant !== undefined || elsewhere.length > 0),
  );
  missingOfLists.set(list, found);
  return found;
}

const missingOfLists = new WeakMap<readonly CodedReport[], readonly CodedReport[]>();

function isMany([first, ...others]: readonly CodedReport[]): boolean {
  return others.some(({ report }) => report.entry.object !== first?.report.entry.object);
}

/** True if the namespace of `near` does not exist, and that of `missed` does and has nearly the same name. */
function isLost(missed: Ref, near: Ref, names: ClusterNames): boolean {
  const [own, wanted] = [namespaceOfRef(near), namespaceOfRef(missed)];
  const isMade = (namespace: string): boolean => names.has("Namespace", "", namespace);
  return nearestObjectName(own, [wanted]) !== undefined && isMade(wanted) && !isMade(own);
}

/** The refs that some object names correctly. */
function usedAmong(refs: ReadonlyMap<Ref, unknown>, { objects }: Environment): ReadonlySet<Ref> {
  const names = new Set([...refs.keys()].map(nameOfRef));
  const used = new Set<Ref>();
  for (const { object } of objects)
    for (const { kind, namespace, name } of referencesOf(object))
      if (names.has(name)) used.add(makeRef(kind, namespace, name));
  return used;
}

/** True if the claim is that of a StatefulSet's template, whose pods use it by this name. */
function isOfTemplate(ref: Ref, names: ClusterNames): boolean {
  if (kindOfRef(ref) !== "PersistentVolumeClaim") return false;
  return names.templateOf(namespaceOfRef(ref), nameOfRef(ref)) !== undefined;
}

function blame(entry: WorkspaceObject, { missed, near, found }: Group): ObjectReport {
  const users = new Map(found.map(({ report }) => [report.entry.object, report]));
  const count = users.size === 1 ? "1 object" : `${users.size} objects`;
  const verb = users.size === 1 ? "refers" : "refer";
  const kind = kindOfRef(missed);
  const isElsewhere = nameOfRef(missed) === nameOfRef(near);
  const [own, wanted] = [near, missed].map(isElsewhere ? namespaceOfRef : nameOfRef);
  return {
    entry,
    path: ["metadata", isElsewhere ? "namespace" : "name"],
    message: isElsewhere
      ? `${count} in namespace ${wanted} ${verb} to this ${kind}, but it is in ${own}, where nothing refers to it`
      : `${count} ${verb} to ${kind} “${wanted}”, which does not exist, and none refers to this one`,
    meant: wanted,
    standsFor: missed,
    unless: [`object ${kind} ${nameOfRef(missed)}`],
    related: someOthers([...users.values()], () => true).map((report) => ({
      entry: report.entry,
      path: report.path,
      message: "Misses it",
    })),
  };
}
