/**
 * The cluster that a workspace's manifests are meant for: the named profile, or a guess from the provisioners they use, or
 * from the classes that they ask for and do not have.
 * What the workspace itself says wins: its nodes, its drivers, its classes.
 */
import { catalogueAlone, type DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import { meantDriver } from "../csi/catalogue/mistyped-driver.ts";
import { pathProvisionerTypes } from "../csi/catalogue/path-provisioners.ts";
import { segmentOf, topologyKeysOf } from "../csi/driver-capabilities.ts";
import type { LeftOut } from "../existing/companions.ts";
import { nodeCapacity, nodeLabels } from "../kubelet/node-registration.ts";
import type { ClusterProfile, KubernetesVersion, Manifest, NodeProfile } from "../scenario.ts";
import { assumedPaths } from "./assumed-paths.ts";
import { cluesOfSecrets, secretsOfOperators } from "./assumed-secrets.ts";
import {
  askedClasses,
  asPathProvisioner,
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
import type { DistributionProfile } from "./profile.ts";
import { withUnsavedVolumes } from "./unsaved-storage.ts";

export interface AssumedCluster {
  readonly cluster: ClusterProfile;
  readonly title: string;
  /** `imported` with all its objects, `named` by the user, `guess` from the drivers and classes in use, `default` where nothing tells. */
  readonly from: "imported" | "named" | "guess" | "default";
  /**
   * Drivers that the manifests use and that neither profile nor workspace installs: taken to be there, as far as anybody can
   * know, but not under a name that is only mistyped.
   */
  readonly assumedDrivers: readonly string[];
  /** Zones of nodes that are not the profile's, because the manifests name them; none with an import. */
  readonly assumedZones?: readonly string[];
  /** Nodes that volumes of the manifests are on, or may be made on, and that are taken to be there, under those names; none with an import. */
  readonly assumedNodes?: readonly string[];
  /** What the import's nodes run, or the nearest that is simulated; absent where they do not tell. */
  readonly kubernetesVersion?: KubernetesVersion;
  /** What the import's nodes run, where that is not simulated. */
  readonly otherVersion?: string;
  /** Objects of the import that cannot be taken over; none without one. */
  readonly leftOut?: readonly LeftOut[];
}

export const profileNames: readonly string[] = distributions.map((d) => d.name);

/**
 * The cluster for these objects; an unknown `name` counts as none. Drivers that somebody has described are installed. Where there
 * are objects of a cluster that runs, it is that one: the profile then only tells of what the import is silent about.
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
  // Each driver looks for itself: in a large workspace among few objects.
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
  const own = new Set(objects.map(kindAndName));
  const shipped = distribution.manifests.filter((manifest) => !own.has(kindAndName(manifest)));
  const machines = ownNodes(installation);
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
        .filter((driver) => !pathProvisionerTypes.has(driver))
        .map((driver) => traits(driver, installation, knowledge)),
      pathProvisioners: drivers.flatMap((name) => asPathProvisioner(name, distribution)),
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

const noHosts: NamedHosts = new Map();

/** Drivers of other clouds and machines: who names the distribution has none of them. */
function tellTaleOfOthers(named: DistributionProfile): ReadonlySet<string> {
  const others = distributions.filter((d) => d !== named && d.isPortable !== true);
  return new Set(others.flatMap((d) => d.tellTale));
}

/** What tells of machines and of what drivers can do. */
const kindsOfInstallation: ReadonlySet<string> = new Set([
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "Node",
  "StorageClass",
]);

/** The labels that each node will have: what its kubelet gives it, and where its drivers' volumes are reachable. */
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

/** What there is room for on each node: quantities by resource. */
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

/** Of nodes on which not all drivers are. */
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
 * What an object tells of the cluster: drivers and paths that it relies on, classes that only one distribution ships, as far as
 * it asks for them, is one or carries one, hosts and zones that it is on, and Secrets that an operator makes where no file has
 * them.
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

/** Manifests of applications name the classes of their cluster, which brings them. */
function guessByClasses(objects: readonly Manifest[]): DistributionProfile | undefined {
  const brought = new Set(objects.flatMap(broughtClasses));
  const asked = new Set(objects.flatMap(askedClasses).filter((name) => !brought.has(name)));
  return mostHits((one) => [...asked].filter((name) => shippedBy.get(name) === one).length);
}

/** A volume's class needs no object: claims find the volume by the name alone. */
function broughtClasses(object: Manifest): readonly string[] {
  if (object["kind"] === "StorageClass") return [text(field(object, "metadata", "name"))];
  if (object["kind"] !== "PersistentVolume") return [];
  return [text(field(object, "spec", "storageClassName"))];
}

/** Anybody may have called a class so. */
const commonNames: ReadonlySet<string> = new Set(["default", "managed", "standard"]);

/** The first that ships it. */
const shippedBy: ReadonlyMap<string, DistributionProfile> = new Map(
  distributions.toReversed().flatMap((distribution) =>
    distribution.manifests
      .map((manifest) => text(field(manifest, "metadata", "name")))
      .filter((name) => !commonNames.has(name))
      .map((name): [string, DistributionProfile] => [name, distribution]),
  ),
);

/** As the distribution ships it that gives the class its name, if it can be installed wherever somebody wants it. */
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

/** The first where two have as many, none where nobody has any. */
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
