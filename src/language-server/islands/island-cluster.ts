/**
 * The part of the assumed cluster that can matter to an island: its drivers, its paths on machines, and only as many machines
 * as its pods can tell apart.
 */
import { push } from "../../engine/api/go/multi-map.ts";
import { migratedDriver, migratedSources } from "../../engine/matching/csi-migration.ts";
import type { ClusterProfile, NodeProfile } from "../../engine/scenario.ts";
import { oncePerObject } from "../workspace/manifest-fields.ts";
import { isProvisionerConfig } from "../workspace/objects/provisioner-config.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { textOf } from "./object-text.ts";
import { couplingsOf, readOnlyKinds } from "./parting/couplings.ts";
import type { Island } from "./parting/islands.ts";
import type { RoomLeft } from "./preview/room-left.ts";

export function islandCluster(
  cluster: ClusterProfile,
  { key, members }: Island,
  objects: readonly WorkspaceObject[],
  /** The nodes as the island finds them, and the names of those that can take none of its pods. */
  { nodes, full }: RoomLeft = { nodes: cluster.nodes, full: new Set() },
): ClusterProfile {
  // Nodes and CSINodes mention all their labels and drivers, whether or not anybody asks for them.
  const asking = objects.filter(({ object: { kind } }) => kind !== "Node" && kind !== "CSINode");
  const texts = asking.map(({ object }) => textOf(object));
  const podCount = members.reduce((sum, { object }) => sum + couplingsOf(object).podCount, 0);
  const machines = needsMachines(members)
    ? machinesFor({ objects, texts, podCount }, { nodes, full }, numberOf(key))
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

/** False if nothing in the island makes, mounts, copies or attaches a volume: then nothing happens on machines. */
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

/** True if a text names a driver, or an in-tree plugin that it replaces: by the plugin's name or its volume source field. */
function names(text: string, driver: string): boolean {
  if (text.includes(driver)) return true;
  return migratedSources.some(
    ([field, plugin]) =>
      migratedDriver(plugin) === driver && (text.includes(plugin) || text.includes(field)),
  );
}

/** What an island may ask of machines. */
interface Asking {
  readonly objects: readonly WorkspaceObject[];
  readonly texts: readonly string[];
  readonly podCount: number;
}

/**
 * All machines if a provisioner's configuration treats them differently. Otherwise those that the objects name, and of machines
 * that differ only in name one more than pods can use: the last one stands for the rest. `start` is the first machine to take,
 * so that islands do not all run on the same ones; none of the pods can be on those of `full`.
 */
function machinesFor(
  { objects, texts, podCount }: Asking,
  { nodes, full }: RoomLeft,
  start: number,
): readonly NodeProfile[] {
  const isTold = objects.some(({ object }) => isProvisionerConfig(object));
  if (nodes.length <= podCount + 1 || isTold || texts.some((text) => tellsApart.test(text)))
    return nodes;
  const named = machinesNamed(objects, podCount, full);
  const isAsked = asksForLabel(texts);
  const alike = new Map<string, NodeProfile[]>();
  for (const node of nodes) {
    if (named.has(node.name)) continue;
    push(alike, `${full.has(node.name)} ${kindOf(node, isAsked, podCount > 0)}`, node);
  }
  const kept = new Map<string, NodeProfile>();
  for (const group of alike.values()) {
    const isFull = full.has(group[0]?.name ?? "");
    for (const node of someOf(group, isFull ? 1 : podCount + 1, start)) kept.set(node.name, node);
  }
  return nodes.flatMap((node) => (named.has(node.name) ? [node] : (kept.get(node.name) ?? [])));
}

/** The nodes that objects name. A volume's node only counts if pods may run there. */
function machinesNamed(
  objects: readonly WorkspaceObject[],
  podCount: number,
  full: ReadonlySet<string>,
): ReadonlySet<string> {
  const mayHoldPods = (name: string): boolean => podCount > 0 && !full.has(name);
  return new Set(
    objects.flatMap(({ object }) =>
      referencesOf(object)
        .filter(({ kind }) => kind === "Node")
        .map(({ name }) => name)
        .filter((name) => object.kind !== "PersistentVolume" || mayHoldPods(name)),
    ),
  );
}

/** Returns a test whether any of the texts contains a label's key; each key is searched for once. */
function asksForLabel(texts: readonly string[]): (key: string) => boolean {
  const asked = new Map<string, boolean>();
  return (key) => {
    const known = asked.get(key) ?? texts.some((text) => text.includes(key));
    asked.set(key, known);
    return known;
  };
}

/** At most `countMax` of machines that are alike; the last one stands for all that are left out. */
function* someOf(
  alike: readonly NodeProfile[],
  countMax: number,
  start: number,
): Iterable<NodeProfile> {
  const count = Math.min(alike.length, countMax);
  for (let i = 0; i < count; i++) {
    const node = alike[(start + i) % alike.length];
    if (node === undefined) continue;
    const rest = i === count - 1 ? alike.length - i : 1;
    yield rest === 1 ? node : { ...node, standsFor: rest };
  }
}

/** Matches parts of selectors that may select machines without naming them. */
const tellsApart = /"(?:NotIn|Gt|Lt|matchFields)"/;

function numberOf(key: string): number {
  let number = 0;
  for (let i = 0; i < key.length; i++) number = (number * 31 + key.charCodeAt(i)) >>> 0;
  return number;
}

/** Labels that the scheduler and drivers look at even if no manifest mentions them. */
const usualLabels: ReadonlySet<string> = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);

/** Everything about a machine except its name and what no manifest asks for; without pods only its zone and labels count. */
function kindOf(node: NodeProfile, isAsked: (label: string) => boolean, hasPods: boolean): string {
  const { name, hostPaths: _, labels = {}, ...all } = node;
  const rest = hasPods ? all : all.zone;
  const own = Object.entries(labels).filter(
    ([key, value]) => value !== name && (usualLabels.has(key) || isAsked(key)),
  );
  return JSON.stringify([rest, own.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The paths on machines that are related to one that a manifest names: the same, above or below it. */
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

/** Each folder with and without a slash at its end. */
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
