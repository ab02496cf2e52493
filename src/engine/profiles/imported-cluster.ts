/**
 * A running cluster, described by the objects that its API server returned: its Nodes are the machines, and CSINodes tell where
 * each driver's plugin runs. What a driver is capable of still comes from the catalogue, because no object states it.
 */
import type { DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import type { DriverProfile } from "../csi/driver-profile.ts";
import type { LeftOut } from "../existing/companions.ts";
import { readState } from "../existing/read-state.ts";
import {
  type ClusterProfile,
  type KubernetesVersion,
  kubernetesVersions,
  type Manifest,
  type NodeAilment,
  type NodePlugin,
  type NodeProfile,
  oldestVersion,
} from "../scenario.ts";
import { assumedPaths } from "./assumed-paths.ts";
import { secretsInUse } from "./assumed-secrets.ts";
import {
  declaredDrivers,
  driversOfNode,
  field,
  isRecord,
  kindAndName,
  ownNodes,
  pluginsByNode,
  stringMap,
  text,
  traits,
  usedDrivers,
  withPaths,
} from "./clues.ts";
import { pathProvisionerOf } from "./path-provisioner.ts";
import type { DistributionProfile } from "./profile.ts";
import { unsavedClasses, withUnsavedVolumes } from "./unsaved-storage.ts";

export interface SavedCluster {
  readonly objects: readonly Manifest[];
  /** True if not all that was saved can be read. */
  readonly isPartial: boolean;
}

export interface ImportedCluster {
  readonly cluster: ClusterProfile;
  readonly title: string;
  /** Drivers that the objects use but the cluster does not list: assumed to be installed. */
  readonly assumedDrivers: readonly string[];
  /** The version of its nodes, or the nearest that is simulated; absent if they do not tell. */
  readonly kubernetesVersion?: KubernetesVersion;
  /** The version of its nodes if it is not simulated. */
  readonly otherVersion?: string;
  /** Objects that cannot be taken over. */
  readonly leftOut: readonly LeftOut[];
}

/** `objects` are the workspace's; `like` is the profile for kinds of which the import has no objects. */
export function importedCluster(
  { objects: given, isPartial }: SavedCluster,
  objects: readonly Manifest[],
  like: DistributionProfile,
  knowledge: DriverKnowledge,
): ImportedCluster {
  const imported = isPartial ? given : withUnsavedVolumes(given, knowledge);
  const saved = { state: imported, ...(isPartial && { isStatePartial: true }) };
  const own = new Set(objects.map(kindAndName));
  const classes = unsavedClasses(imported).filter((one) => !own.has(kindAndName(one)));
  const known = new Set([...own, ...classes.map(kindAndName)]);
  const all = [...imported, ...classes, ...objects];
  const kinds = new Set(given.map((object) => text(object["kind"])));
  const declared = declaredDrivers(all);
  const pathProvisioners = usedDrivers(all).flatMap(
    (name) => pathProvisionerOf(name, all, like, knowledge) ?? [],
  );
  const isPath = (name: string): boolean => pathProvisioners.some((p) => p.name === name);
  // An import with any CSIDrivers or CSINodes has all of them.
  const isListed = kinds.has("CSIDriver") || kinds.has("CSINode");
  const likely = isListed ? [] : [...new Set([...like.drivers, ...usedDrivers(all)])];
  const assumedDrivers = likely.filter((name) => !declared.includes(name) && !isPath(name));
  const drivers = [...new Set([...declared, ...assumedDrivers])].filter((name) => !isPath(name));
  const added = declaredDrivers(objects).filter(
    (name) => !declaredDrivers(imported).includes(name),
  );
  const machines = machinesOf(imported, like, isListed ? added : undefined);
  return {
    cluster: {
      name: "imported cluster",
      nodes: withPaths(machines, assumedPaths(all)),
      drivers: drivers.map((name) => ({
        ...traits(name, all, knowledge),
        ...topologyOf(name, imported, knowledge),
        // Capacity comes from the imported objects: the driver itself cannot be asked.
        ...(kinds.has("CSIStorageCapacity") && { storageCapacity: false }),
      })),
      pathProvisioners,
      manifests: [
        ...classes,
        ...like.manifests.filter(
          (manifest) => !kinds.has(text(manifest["kind"])) && !known.has(kindAndName(manifest)),
        ),
        // An import with any Secrets has all of them.
        ...(kinds.has("Secret") ? [] : secretsInUse(imported, objects)),
      ],
      ...saved,
    },
    title: `imported cluster, ${machines.length} node${machines.length === 1 ? "" : "s"}`,
    assumedDrivers,
    ...versionOf(imported),
    leftOut: readState(saved).leftOut,
  };
}

/** Returns the version of the newest kubelet, because the API server is at least as new, or the nearest that is simulated. */
function versionOf(
  imported: readonly Manifest[],
): Pick<ImportedCluster, "kubernetesVersion" | "otherVersion"> {
  const minors = imported.flatMap((node) => {
    const given = text(field(node, "status", "nodeInfo", "kubeletVersion"));
    const minor = /^v1\.(\d+)\./.exec(given)?.[1];
    return minor === undefined ? [] : [Number(minor)];
  });
  if (minors.length === 0) return {};
  const newest = Math.max(...minors);
  const version = kubernetesVersions.findLast((known) => Number(known.slice(2)) <= newest);
  const nearest = version ?? oldestVersion;
  const minor = `1.${newest}`;
  return { kubernetesVersion: nearest, ...(nearest !== minor && { otherVersion: minor }) };
}

/** Returns all topology keys that the driver's nodes report, not only the one in the catalogue. */
function topologyOf(
  driver: string,
  imported: readonly Manifest[],
  knowledge: DriverKnowledge,
): Pick<Partial<DriverProfile>, "topologyKey" | "extraTopologyKeys"> {
  const entries = imported.flatMap(driversOfNode).filter((entry) => entry["name"] === driver);
  if (entries.length === 0) return {};
  const keys = entries
    .map((entry) => entry["topologyKeys"])
    .flatMap((given) => (Array.isArray(given) ? given.map(text) : []));
  const [first] = keys;
  if (first === undefined) return { topologyKey: "" };
  const usual = knowledge.find(driver)?.traits.topologyKey;
  const topologyKey = usual !== undefined && keys.includes(usual) ? usual : first;
  const extraTopologyKeys = [...new Set(keys)].filter((key) => key !== topologyKey);
  return { topologyKey, extraTopologyKeys };
}

/** `added` are drivers that the workspace installs; undefined if the import does not list drivers. */
function machinesOf(
  imported: readonly Manifest[],
  like: DistributionProfile,
  added: readonly string[] | undefined,
): readonly NodeProfile[] {
  const plugins = pluginsByNode(imported);
  const own = ownNodes(imported);
  const machines = own ?? namedNodes(imported, like);
  if (machines.length === 0) return like.nodes;
  const objects = new Map(
    imported
      .filter((object) => object["kind"] === "Node")
      .map((node) => [text(field(node, "metadata", "name")), node]),
  );
  return machines.map((machine) => {
    const nodePlugins: Record<string, NodePlugin> = { ...plugins.get(machine.name) };
    for (const driver of added ?? []) nodePlugins[driver] ??= { nodeId: machine.name };
    return {
      ...machine,
      ...(plugins.size > 0 && { nodePlugins }),
      ...healthOf(objects.get(machine.name)),
    };
  });
}

/**
 * Without imported Nodes, other objects tell their names, and pods' node selectors their labels; their zones are taken from
 * `like`.
 */
function namedNodes(
  imported: readonly Manifest[],
  like: DistributionProfile,
): readonly NodeProfile[] {
  const nodes = new Map<string, Pick<NodeProfile, "address" | "labels">>();
  for (const object of imported) {
    const name =
      object["kind"] === "CSINode"
        ? field(object, "metadata", "name")
        : object["kind"] === "Pod" || object["kind"] === "VolumeAttachment"
          ? field(object, "spec", "nodeName")
          : undefined;
    if (typeof name !== "string" || name === "") continue;
    const { address = text(field(object, "status", "hostIP")), labels } = nodes.get(name) ?? {};
    const selected = stringMap(field(object, "spec", "nodeSelector"));
    nodes.set(name, {
      labels: { ...labels, ...selected },
      ...(address !== "" && { address }),
    });
  }
  return [...nodes].map(([name, told], i) => {
    const { zone } = like.nodes[i % like.nodes.length] ?? {};
    return { name, ...told, ...(zone !== undefined && { zone }) };
  });
}

const healthy: Readonly<Record<string, string>> = {
  Ready: "True",
  MemoryPressure: "False",
  DiskPressure: "False",
  PIDPressure: "False",
};

function healthOf(
  node: Manifest | undefined,
): Pick<NodeProfile, "address" | "ailments" | "isKubeletDown"> {
  const addresses = recordsAt(node, "status", "addresses");
  const address = text(addresses.find(({ type }) => type === "InternalIP")?.["address"]);
  const conditions = recordsAt(node, "status", "conditions");
  const ailments = conditions.flatMap(({ type, status, reason, message }): NodeAilment[] => {
    const wanted = healthy[text(type)];
    if (wanted === undefined || status === wanted || status === "Unknown") return [];
    return [
      { type: text(type), status: text(status), reason: text(reason), message: text(message) },
    ];
  });
  const isKubeletDown = conditions.some((c) => c["type"] === "Ready" && c["status"] === "Unknown");
  return {
    ...(address !== "" && { address }),
    ...(ailments.length > 0 && { ailments }),
    ...(isKubeletDown && { isKubeletDown }),
  };
}

function recordsAt(object: unknown, ...path: readonly string[]): readonly Manifest[] {
  const list = field(object, ...path);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
