/**
 * The cluster that a workspace's manifests are meant for: the profile that is named, or a guess from the provisioners that they
 * use or from the classes that they request but do not contain. The workspace's own nodes, drivers and classes take precedence.
 */
import { regionLabel } from "../api/well-known-labels.ts";
import { catalogueAlone, type DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import { meantDriver } from "../csi/catalogue/mistyped-driver.ts";
import { segmentOf, topologyKeysOf } from "../csi/driver-capabilities.ts";
import type { LeftOut } from "../existing/companions.ts";
import { nodeCapacity, nodeLabels } from "../kubelet/node-registration.ts";
import { migratedDriver } from "../matching/csi-migration.ts";
import type { ClusterProfile, KubernetesVersion, Manifest, NodeProfile } from "../scenario.ts";
import { assumedPaths } from "./assumed-paths.ts";
import { cluesOfSecrets, secretsOfOperators } from "./assumed-secrets.ts";
import {
  askedClasses,
  declaredDrivers,
  field,
  isRunByPods,
  kindAndName,
  ownNodes,
  text,
  traits,
  usedDrivers,
  withPaths,
} from "./clues.ts";
import { distributions, driverOfAutoMode, eksWithAutoMode, generic } from "./distributions.ts";
import { importedCluster, type SavedCluster } from "./imported-cluster.ts";
import { type NamedHosts, namedHosts, withNamedHosts } from "./named-hosts.ts";
import { namedZones, withNamedZones } from "./named-zones.ts";
import { pathProvisionerOf } from "./path-provisioner.ts";
import type { DistributionProfile } from "./profile.ts";
import { withUnsavedVolumes } from "./unsaved-storage.ts";

export interface AssumedCluster {
  readonly cluster: ClusterProfile;
  readonly title: string;
  /**
   * `imported` with all its objects, `named` by the user, a `guess` from the drivers and classes in use, `default` if nothing
   * tells.
   */
  readonly from: "imported" | "named" | "guess" | "default";
  /**
   * Drivers that the manifests use and that neither profile nor workspace installs: assumed to be installed, unless the name is
   * only a misspelling of another.
   */
  readonly assumedDrivers: readonly string[];
  /** Zones that the profile lacks and that are assumed because the manifests name them; none with an import. */
  readonly assumedZones?: readonly string[];
  /** Nodes that are assumed because the manifests' volumes are on them, or may be created there; none with an import. */
  readonly assumedNodes?: readonly string[];
  /** The version of the import's nodes, or the nearest that is simulated; absent if they do not tell. */
  readonly kubernetesVersion?: KubernetesVersion;
  /** The version of the import's nodes if it is not simulated. */
  readonly otherVersion?: string;
  /** Objects of the import that cannot be taken over; absent without an import. */
  readonly leftOut?: readonly LeftOut[];
}

export const profileNames: readonly string[] = distributions.map((d) => d.name);

/**
 * Returns the cluster for these objects; an unknown `name` is ignored. Drivers that the user has described are installed. If
 * objects were imported from a running cluster, the result is that cluster, and the profile only supplies what the import
 * lacks.
 */
export function assumeCluster(
  objects: readonly Manifest[],
  name?: string,
  imported: SavedCluster = { objects: [], isPartial: false },
  knowledge: DriverKnowledge = catalogueAlone,
): AssumedCluster {
  const assumed = assumedFor(objects, name, imported, knowledge);
  const describedDrivers = [...knowledge.described.values()];
  if (describedDrivers.length === 0) return assumed;
  return { ...assumed, cluster: { ...assumed.cluster, describedDrivers } };
}

function assumedFor(
  objects: readonly Manifest[],
  name: string | undefined,
  imported: SavedCluster,
  knowledge: DriverKnowledge,
): AssumedCluster {
  const named = distributions.find((distribution) => distribution.name === name);
  if (imported.objects.length > 0) {
    const like =
      named ??
      guess(usedDrivers([...withUnsavedVolumes(imported.objects, knowledge), ...objects])) ??
      generic;
    return { ...importedCluster(imported, objects, like, knowledge), from: "imported" };
  }
  const used = usedDrivers(objects);
  const guessed = named === undefined ? (guess(used) ?? guessByClasses(objects)) : undefined;
  const distribution = named ?? guessed ?? generic;
  // Filtered once: each driver searches these objects, and a large workspace has many others.
  const installation = objects.filter((o) => kindsOfInstallation.has(text(o["kind"])));
  const declared = [...declaredDrivers(installation), ...knowledge.described.keys()];
  const installed = new Set([...distribution.drivers, ...distribution.tellTale, ...declared]);
  const foreign = named === undefined ? new Set<string>() : tellTaleOfOthers(named);
  const assumedDrivers = used.filter(
    (driver) =>
      !installed.has(driver) &&
      !foreign.has(driver) &&
      (meantDriver(driver) === undefined || isRunByPods(driver, objects)),
  );
  const drivers = [
    ...new Set([
      ...distribution.drivers,
      ...used.filter((driver) => installed.has(driver)),
      ...declared,
      ...assumedDrivers,
    ]),
  ];
  const pathProvisioners = drivers.flatMap((name) =>
    declared.includes(name)
      ? []
      : (pathProvisionerOf(name, objects, distribution, knowledge) ?? []),
  );
  const own = new Set(objects.map(kindAndName));
  const shipped = distribution.manifests.filter((manifest) => !own.has(kindAndName(manifest)));
  const machines = ownNodes(installation)?.map((node) => withRegion(node, distribution));
  const hosts =
    machines === undefined && !distribution.hasRealNames ? namedHosts(objects) : noHosts;
  const usualZones = new Set(distribution.nodes.map(({ zone }) => zone));
  const zones = namedZones(machines === undefined ? objects : []);
  const placed = [distribution.nodes, distribution.otherNodes ?? []].flatMap((kind) =>
    withNamedZones(kind, zones),
  );
  const assumedNodes = withNamedHosts(placed, hosts);
  const nodes = machines ?? withPlugins(assumedNodes, drivers, distribution);
  return {
    cluster: {
      name: distribution.name,
      nodes: withPaths(nodes, assumedPaths(objects)),
      drivers: drivers
        .filter((driver) => pathProvisioners.every(({ name }) => name !== driver))
        .map((driver) => traits(driver, installation, knowledge)),
      pathProvisioners,
      manifests: [...shipped, ...secretsOfOperators([...shipped, ...objects])],
    },
    title: distribution.title,
    from: named !== undefined ? "named" : guessed !== undefined ? "guess" : "default",
    assumedDrivers,
    assumedZones: nodes.flatMap(({ zone = "" }) =>
      zones.zones.includes(zone) && !usualZones.has(zone) ? [zone] : [],
    ),
    assumedNodes: nodes.map(({ name }) => name).filter((name) => hosts.has(name)),
  };
}

/** Adds the label that the cloud gives a node, if its manifest names only the zone. */
function withRegion(node: NodeProfile, { regionOf }: DistributionProfile): NodeProfile {
  const region = node.zone === undefined ? undefined : regionOf?.(node.zone);
  return region === undefined
    ? node
    : { ...node, labels: { [regionLabel]: region, ...node.labels } };
}

const noHosts: NamedHosts = new Map();

/** Drivers of other clouds and machines: a cluster whose distribution the user has named has none of them. */
function tellTaleOfOthers(named: DistributionProfile): ReadonlySet<string> {
  const others = distributions.filter((d) => d !== named && d.isPortable !== true);
  return new Set(others.flatMap((d) => d.tellTale));
}

/** Kinds that describe machines or drivers' capabilities. */
const kindsOfInstallation: ReadonlySet<string> = new Set([
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "Node",
  "StorageClass",
]);

/** Returns the labels that each node will have: those that its kubelet sets, and its drivers' topology labels. */
export function labelsOfNodes({
  nodes,
  drivers,
}: ClusterProfile): readonly Readonly<Record<string, string>>[] {
  return nodes.map((node) => {
    const labels: Record<string, string> = { ...nodeLabels(node) };
    for (const driver of drivers) {
      const segment = segmentOf(driver, node);
      if (segment !== undefined) for (const key of topologyKeysOf(driver)) labels[key] ??= segment;
    }
    return labels;
  });
}

/** Returns each node's capacity: quantities by resource. */
export function capacitiesOfNodes({
  nodes,
}: ClusterProfile): readonly Readonly<Record<string, string>>[] {
  return nodes.map(nodeCapacity);
}

function guess(used: readonly string[]): DistributionProfile | undefined {
  const best = mostHits(
    ({ tellTale }) => used.filter((driver) => tellTale.includes(driver)).length,
  );
  const isMixed = best?.name === "eks" && used.includes(driverOfAutoMode);
  return isMixed ? eksWithAutoMode : best;
}

/** Limits the node plugins if not every driver runs on every node. */
function withPlugins(
  nodes: readonly NodeProfile[],
  drivers: readonly string[],
  { runsOn }: DistributionProfile,
): readonly NodeProfile[] {
  if (runsOn === undefined) return nodes;
  return nodes.map((node) => ({
    ...node,
    nodePlugins: Object.fromEntries(
      drivers
        .filter((driver) => runsOn(driver, node))
        .map((driver) => [driver, { nodeId: node.name }]),
    ),
  }));
}

/**
 * Returns everything in an object that influences the assumed cluster: drivers and paths that it relies on; classes that only
 * one distribution ships and that it requests, defines or is a volume of; its hosts and zones; and Secrets that an operator
 * creates.
 */
export function cluesOf(object: Manifest): readonly string[] {
  const classes = [...askedClasses(object), ...broughtClasses(object)];
  const paths = Object.entries(assumedPaths([object])).map((path) => JSON.stringify(path));
  const hosts = [...namedHosts([object])].map((host) => JSON.stringify(host));
  const { zones, regions } = namedZones([object]);
  return [
    ...usedDrivers([object]),
    ...paths,
    ...classes.filter((name) => shippedBy.has(name)),
    ...hosts,
    ...zones,
    ...regions,
    ...cluesOfSecrets(object),
  ];
}

/** Manifests of applications request classes that their cluster provides. */
function guessByClasses(objects: readonly Manifest[]): DistributionProfile | undefined {
  const brought = new Set(objects.flatMap(broughtClasses));
  const asked = new Set(objects.flatMap(askedClasses).filter((name) => !brought.has(name)));
  return mostHits((one) => [...asked].filter((name) => shippedBy.get(name) === one).length);
}

/**
 * The class that an object defines or, as a volume, has: claims find a volume by its class name even if no StorageClass exists.
 */
function broughtClasses(object: Manifest): readonly string[] {
  if (object["kind"] === "StorageClass") return [text(field(object, "metadata", "name"))];
  if (object["kind"] !== "PersistentVolume") return [];
  return [text(field(object, "spec", "storageClassName"))];
}

/** Class names that are too common to tell anything. */
const commonNames: ReadonlySet<string> = new Set(["default", "managed", "standard"]);

/** Classes by name, with the first distribution that ships each. */
const shippedBy: ReadonlyMap<string, DistributionProfile> = new Map(
  distributions.toReversed().flatMap((distribution) =>
    distribution.manifests
      .map((manifest) => text(field(manifest, "metadata", "name")))
      .filter((name) => !commonNames.has(name))
      .map((name): [string, DistributionProfile] => [name, distribution]),
  ),
);

/**
 * Returns a class as shipped by the distribution that is known for its name, if that can be installed anywhere; otherwise
 * undefined.
 */
export function shippedClass(
  name: string,
): { readonly distribution: string; readonly manifest: Manifest } | undefined {
  const distribution = shippedBy.get(name);
  if (distribution?.isPortable !== true) return undefined;
  const manifest = distribution.manifests.find(
    (one) => one["kind"] === "StorageClass" && field(one, "metadata", "name") === name,
  );
  return manifest && { distribution: distribution.name, manifest };
}

/** Returns the distribution that is known for the class's name, and the driver of that class; undefined if none is. */
export function shipperOf(
  name: string,
): { readonly title: string; readonly profile: string; readonly driver: string } | undefined {
  const distribution = shippedBy.get(name);
  const manifest = distribution?.manifests.find((one) => field(one, "metadata", "name") === name);
  if (distribution === undefined || manifest === undefined) return undefined;
  const provisioner = text(manifest["provisioner"]);
  const [title = ""] = distribution.title.split(/:| on three/);
  return { title, profile: distribution.name, driver: migratedDriver(provisioner) ?? provisioner };
}

/** Returns the distribution with the most hits, the first of several; undefined if none has any. */
function mostHits(
  hitsOf: (distribution: DistributionProfile) => number,
): DistributionProfile | undefined {
  let best: DistributionProfile | undefined;
  let bestHits = 0;
  for (const distribution of distributions) {
    const hits = hitsOf(distribution);
    if (hits > bestHits) [best, bestHits] = [distribution, hits];
  }
  return best;
}
