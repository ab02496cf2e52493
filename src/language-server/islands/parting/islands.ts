/**
 * Parts an environment's objects into islands: no object can influence one of another island, so each island is judged and
 * simulated by itself. couplings.ts says what couples two objects, parting.ts when an environment may be parted at all. An
 * island also knows the objects that its own objects read.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import type { Environment } from "../../workspace/environment.ts";
import { oncePerObject } from "../../workspace/manifest-fields.ts";
import { isMarkedDefault } from "../../workspace/objects/default-class.ts";
import { referencesOf } from "../../workspace/references.ts";
import { objectsOfFile, type WorkspaceObject } from "../../workspace/workspace-object.ts";
import { type ChangedFile, changedFiles, looksTheSame } from "../changed-files.ts";
import { nameOf } from "../object-text.ts";
import { type Couplings, couplingsOf, defaultClassKey, plainGroup } from "./couplings.ts";
import { defaultClassNames, Shelf } from "./shelf.ts";
import { UnionFind } from "./union-find.ts";

export interface Island {
  /** Derived from its first object, so that it stays the same while others are edited. */
  readonly key: string;
  /** In file order. */
  readonly members: readonly WorkspaceObject[];
  /** What the members read, in file order: objects of other islands, or of those in which nothing happens. */
  readonly context: readonly WorkspaceObject[];
}

/** The islands of an environment, and how to find those of a file. */
export interface Islands {
  readonly environment: Environment;
  readonly all: readonly Island[];
  /** By file, the indices of the islands with objects in it; undefined if there is only one island. */
  readonly byFile: ReadonlyMap<string, ReadonlySet<number>> | undefined;
}

export function islandsOf(
  environment: Environment,
  previous: Islands | undefined,
  isParted: boolean,
): Islands {
  if (isParted && previous !== undefined) {
    const changed = changedFiles(previous.environment, environment);
    if (
      changed !== undefined &&
      previous.all.length > 1 &&
      looksTheSame(changed, ({ object }) => shapeOf(object))
    )
      return moved(previous, environment, changed);
  }
  if (!isParted) {
    const whole = { key: "", members: environment.objects, context: [] };
    return { environment, all: [whole], byFile: undefined };
  }
  const all = partition(environment);
  const byFile = new Map<string, Set<number>>();
  for (const [index, { members, context }] of all.entries())
    for (const { file } of [...members, ...context]) {
      const known = byFile.get(file.uri);
      if (known === undefined) byFile.set(file.uri, new Set([index]));
      else known.add(index);
    }
  return { environment, all, byFile };
}

/** The same islands with the present entries of changed files. */
function moved(
  { all, byFile }: Islands,
  environment: Environment,
  changed: readonly ChangedFile[],
): Islands {
  const now = new Map<WorkspaceObject, WorkspaceObject>();
  const touched = new Set<number>();
  for (const { before, after } of changed) {
    const entries = objectsOfFile(after);
    for (const [index, entry] of objectsOfFile(before).entries())
      now.set(entry, entries[index] ?? entry);
    for (const index of byFile?.get(after.uri) ?? []) touched.add(index);
  }
  const move = (entry: WorkspaceObject): WorkspaceObject => now.get(entry) ?? entry;
  const islands = all.map((island, index) =>
    touched.has(index)
      ? { ...island, members: island.members.map(move), context: island.context.map(move) }
      : island,
  );
  return { environment, all: islands, byFile };
}

/** Everything about an object that decides which island it is in and what that island reads. */
const shapeOf = oncePerObject((object): string => {
  const { joins, holds, seeks, allPods, podCount } = couplingsOf(object);
  const { kind, namespace, name, served } = object;
  const reads = referencesOf(object).map((of) => makeRef(of.kind, of.namespace, of.name));
  const own = [
    kind,
    namespace,
    name,
    served,
    isMarkedDefault(object.value),
    allPods,
    String(podCount),
  ];
  return JSON.stringify([own, joins, holds, seeks, reads]);
});

function partition(environment: Environment): readonly Island[] {
  const { objects } = environment;
  const sets = new UnionFind(objects.length);
  const defaultClasses = defaultClassNames(objects);
  uniteByKey(objects, sets, defaultClasses);
  const groups = new Map<number, WorkspaceObject[]>();
  for (const [index, entry] of objects.entries()) push(groups, sets.find(index), entry);
  const shelf = new Shelf(environment, defaultClasses);
  const keys = new Set<string>();
  return [...groups.values()].map((members) => ({
    key: keyOf(members, keys),
    members,
    context: shelf.contextOf(members),
  }));
}

/** The name of its first object, numbered if another island has the same. */
function keyOf(members: readonly WorkspaceObject[], taken: Set<string>): string {
  const [first] = members;
  const object = first?.object;
  const name = object === undefined ? "" : (plainGroup(object) ?? nameOf(object));
  let key = name;
  for (let count = 2; taken.has(key); count++) key = `${name} ${count}`;
  taken.add(key);
  return key;
}

function uniteByKey(
  objects: readonly WorkspaceObject[],
  sets: UnionFind,
  defaultClasses: readonly string[],
): void {
  const joined = new Map<string, number>();
  const held = new Map<string, number>();
  const join = (map: Map<string, number>, key: string, index: number): void => {
    const other = map.get(key);
    if (other === undefined) map.set(key, index);
    else sets.union(other, index);
  };
  const holders: [string, number][] = [];
  let podAsker: number | undefined;
  const pods: number[] = [];
  for (const [index, { object }] of objects.entries()) {
    const group = plainGroup(object);
    if (group !== undefined) join(joined, group, index);
    const { joins, holds, allPods, podCount } = couplingsOf(object);
    for (const key of joins) join(joined, key, index);
    for (const key of holds) holders.push([key, index]);
    if (podCount > 0) pods.push(index);
    if (allPods) podAsker ??= index;
  }
  const sought = new Set<string>();
  const seekers: [string, number][] = [];
  for (const [index, { object }] of objects.entries())
    for (const key of seeksOf(couplingsOf(object), defaultClasses)) {
      sought.add(key);
      seekers.push([key, index]);
    }
  for (const [key, index] of holders) if (sought.has(key)) join(held, key, index);
  for (const [key, index] of seekers) if (held.has(key)) join(held, key, index);
  if (podAsker !== undefined) for (const index of pods) sets.union(podAsker, index);
}

function* seeksOf({ seeks }: Couplings, defaultClasses: readonly string[]): Iterable<string> {
  for (const key of seeks) {
    if (!key.includes(defaultClassKey)) yield key;
    else for (const name of defaultClasses) yield key.replace(defaultClassKey, name);
  }
}
