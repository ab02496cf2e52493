/**
 * The part of the assumed cluster that can matter to an island: its drivers, its paths on machines, and one machine of each
 * kind where no pod will ask how many there are.
 */
import { migratedDriver, migratedSources } from "../../engine/matching/csi-migration.ts";
import type { ClusterProfile, NodeProfile } from "../../engine/scenario.ts";
import { push } from "../multi-map.ts";
import type { Assumption } from "../prediction/scenario-of.ts";
import type { Environment } from "../workspace/environment.ts";
import { oncePerObject } from "../workspace/manifest-fields.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { couplingsOf, readOnlyKinds } from "./couplings.ts";
import type { Island } from "./islands.ts";
import { textOf } from "./object-text.ts";
import type { RoomLeft } from "./room-left.ts";

export function islandCluster(
  cluster: ClusterProfile,
  { key, members }: Island,
  objects: readonly WorkspaceObject[],
  /** The machines as the island finds them, with the names of those that none of its pods can be on. */
  { nodes, full }: RoomLeft = { nodes: cluster.nodes, full: new Set() },
): ClusterProfile {
  // The machines themselves name all their labels and drivers, whoever asks.
  const asking = objects.filter(({ object: { kind } }) => kind !== "Node" && kind !== "CSINode");
  const texts = asking.map(({ object }) => textOf(object));
  const podCount = members.reduce((sum, { object }) => sum + couplingsOf(object).podCount, 0);
  const machines = needsMachines(members)
    ? machinesFor(nodes, objects, texts, podCount, numberOf(key), full)
    : [];
  const paths = pathsOf(
    cluster.nodes,
    asking.map(({ object }) => object),
  );
  const all = [...texts, textOf(cluster)];
  return {
    ...cluster,
    nodes: machines.map((node) => withPaths(node, paths)),
    drivers: cluster.drivers.filter(({ name }) => all.some((text) => names(text, name))),
  };
}

/** Nothing happens on a machine where nobody makes, mounts, copies or attaches a volume. */
function needsMachines(members: readonly WorkspaceObject[]): boolean {
  return members.some(({ object: { kind, served } }) => served && !kindsWithoutMachines.has(kind));
}

const kindsWithoutMachines: ReadonlySet<string> = new Set([
  "PersistentVolume",
  "ResourceQuota",
  "Service",
  "PodDisruptionBudget",
  "PodTemplate",
  ...readOnlyKinds,
]);

/** Plugins of old that a driver stands in for are known by the plugin's name, and by the field of a volume's source. */
function names(text: string, driver: string): boolean {
  if (text.includes(driver)) return true;
  return migratedSources.some(
    ([field, plugin]) =>
      migratedDriver(plugin) === driver && (text.includes(plugin) || text.includes(field)),
  );
}

/**
 * The machines that the objects name, and of those that differ in nothing but their names one more than pods can touch: all
 * others are like the last one, which stands for them. Islands begin at different ones, so that not all run on the same.
 */
function machinesFor(
  nodes: readonly NodeProfile[],
  objects: readonly WorkspaceObject[],
  texts: readonly string[],
  podCount: number,
  start: number,
  full: ReadonlySet<string>,
): readonly NodeProfile[] {
  if (nodes.length <= podCount + 1 || texts.some((text) => tellsApart.test(text))) return nodes;
  // A volume's node matters to pods that could be there.
  const isNamed = (byVolume: boolean, name: string): boolean =>
    !byVolume || (podCount > 0 && !full.has(name));
  const named = new Set(
    objects.flatMap(({ object }) =>
      referencesOf(object).flatMap(({ kind, name }) =>
        kind === "Node" && isNamed(object.kind === "PersistentVolume", name) ? [name] : [],
      ),
    ),
  );
  const asked = new Map<string, boolean>();
  const isAsked = (label: string): boolean => {
    const known = asked.get(label) ?? texts.some((text) => text.includes(label));
    asked.set(label, known);
    return known;
  };
  const alike = new Map<string, NodeProfile[]>();
  for (const node of nodes) {
    if (named.has(node.name)) continue;
    push(alike, `${full.has(node.name)} ${kindOf(node, isAsked, podCount > 0)}`, node);
  }
  const kept = new Map<string, NodeProfile>();
  for (const others of alike.values()) {
    const isFull = full.has(others[0]?.name ?? "");
    const count = Math.min(others.length, isFull ? 1 : podCount + 1);
    for (let i = 0; i < count; i++) {
      const node = others[(start + i) % others.length];
      if (node === undefined) continue;
      const rest = i === count - 1 ? others.length - i : 1;
      kept.set(node.name, rest === 1 ? node : { ...node, standsFor: rest });
    }
  }
  return nodes.flatMap((node) => (named.has(node.name) ? [node] : (kept.get(node.name) ?? [])));
}

/** What chooses machines by their names, other than by naming them. */
const tellsApart = /"(?:NotIn|Gt|Lt|matchFields)"/;

function numberOf(key: string): number {
  let number = 0;
  for (let i = 0; i < key.length; i++) number = (number * 31 + key.charCodeAt(i)) >>> 0;
  return number;
}

/** Labels that the scheduler and drivers look at without being asked. */
const usualLabels: ReadonlySet<string> = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);

/** All of a machine but its name and what nobody asks about; without pods only its place counts. */
function kindOf(node: NodeProfile, isAsked: (label: string) => boolean, hasPods: boolean): string {
  const { name, hostPaths: _, labels = {}, ...all } = node;
  const rest = hasPods ? all : all.zone;
  const own = Object.entries(labels).filter(
    ([key, value]) => value !== name && (usualLabels.has(key) || isAsked(key)),
  );
  return JSON.stringify([rest, own.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The paths of machines that have to do with one that a manifest names: the same, one above it or one below it. */
function pathsOf(
  nodes: readonly NodeProfile[],
  objects: readonly ManifestObject[],
): readonly string[] {
  const named = new Set(objects.flatMap(pathsNamedIn));
  if (named.size === 0) return [];
  const aboveNamed = new Set([...named].flatMap((path) => [...pathsAbove(path)]));
  return allPaths(nodes).filter((path) => {
    if (named.has(path) || aboveNamed.has(path)) return true;
    for (const above of pathsAbove(path)) if (named.has(above)) return true;
    return false;
  });
}

const pathsNamedIn = oncePerObject((object): readonly string[] =>
  [...textOf(object).matchAll(/"(\/[^"]*)"/g)].map(([, path = ""]) => path),
);

/** With and without the slash at their ends. */
function* pathsAbove(path: string): Iterable<string> {
  for (
    let at = path.lastIndexOf("/", path.length - 1);
    at >= 0;
    at = path.lastIndexOf("/", at - 1)
  ) {
    yield path.slice(0, at + 1);
    if (at === 0) return;
    yield path.slice(0, at);
  }
}

function allPaths(nodes: readonly NodeProfile[]): readonly string[] {
  const known = pathsOfNodes.get(nodes);
  if (known !== undefined) return known;
  const all = [...new Set(nodes.flatMap(({ hostPaths = {} }) => Object.keys(hostPaths)))].sort();
  pathsOfNodes.set(nodes, all);
  return all;
}

const pathsOfNodes = new WeakMap<readonly NodeProfile[], readonly string[]>();

function withPaths(node: NodeProfile, paths: readonly string[]): NodeProfile {
  const { hostPaths = {}, ...rest } = node;
  const kept = paths.flatMap((path) => {
    const type = hostPaths[path];
    return type === undefined ? [] : [[path, type] as const];
  });
  return kept.length === 0 ? rest : { ...rest, hostPaths: Object.fromEntries(kept) };
}

/** An imported cluster's objects may be thousands; who reads them anew makes a new list of them. */
function withoutState({ state, ...cluster }: ClusterProfile): unknown {
  if (state === undefined) return cluster;
  let number = numbersOfStates.get(state);
  if (number === undefined) numbersOfStates.set(state, (number = ++stateCount));
  return { ...cluster, state: number };
}

const numbersOfStates = new WeakMap<object, number>();
let stateCount = 0;

/** Two clusters with the same signature are alike in all that a run looks at. */
export function clusterSignature(cluster: ClusterProfile): string {
  return JSON.stringify(withoutState(cluster));
}

/** Paths on machines that are not what they were; undefined where the clusters differ in anything else. */
export function changedPaths(before: Assumption, after: Assumption): readonly string[] | undefined {
  if (before === after) return [];
  const [old, now] = [before.assumed.cluster, after.assumed.cluster];
  if (old === now && before.version === after.version) return [];
  if (before.version !== after.version || withoutPaths(old) !== withoutPaths(now)) return undefined;
  const changed = new Set<string>();
  for (const [index, { hostPaths = {} }] of now.nodes.entries()) {
    const known = old.nodes[index]?.hostPaths ?? {};
    for (const path of [...Object.keys(hostPaths), ...Object.keys(known)])
      if (hostPaths[path] !== known[path]) changed.add(path);
  }
  return [...changed];
}

function withoutPaths(cluster: ClusterProfile): string {
  const nodes = cluster.nodes.map(({ hostPaths: _, ...node }) => node);
  return JSON.stringify(withoutState({ ...cluster, nodes }));
}

/** Whether an island may look at one of the paths, or at what is above or below it. */
export function asksForPaths({ objects }: Environment, paths: readonly string[]): boolean {
  const roots = new Set(paths.map((path) => `"/${path.split("/")[1] ?? ""}`));
  return objects.some(({ object }) => {
    const text = textOf(object);
    return [...roots].some((root) => text.includes(root));
  });
}
