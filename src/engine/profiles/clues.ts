/** Reads from manifests and imported objects which drivers, non-CSI provisioners and machines there are. */
import { makesBuckets } from "../csi/catalogue/bucket-provisioners.ts";
import type { DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import { isNobody } from "../csi/catalogue/mistyped-driver.ts";
import { type DriverProfile, driverProfile, type NodeTaint } from "../csi/driver-profile.ts";
import { isInTreeName, migratedDriver, migratedPluginOf } from "../matching/csi-migration.ts";
import type { HostPathType, Manifest, NodePlugin, NodeProfile } from "../scenario.ts";

/**
 * Returns the driver's traits as described. A driver that is not in the catalogue is assumed to be capable of everything that
 * its description does not deny. The workspace's CSIDriver object takes precedence.
 */
export function traits(
  name: string,
  objects: readonly Manifest[],
  knowledge: DriverKnowledge,
): DriverProfile {
  const { source, traits: known } = knowledge.find(name) ?? {};
  const taken = source === undefined ? capable : {};
  const declared = declaredTraits(name, objects, known?.topologyKey);
  return driverProfile({ name, ...taken, ...known, ...declared });
}

const bothModes: DriverProfile["lifecycleModes"] = ["Persistent", "Ephemeral"];
const capable: Partial<DriverProfile> = {
  snapshots: true,
  clone: true,
  modify: true,
  modifyParameters: "any",
  lifecycleModes: bothModes,
};

/** The traits that CSINode and CSIDriver objects state. */
function declaredTraits(
  name: string,
  objects: readonly Manifest[],
  usualKey: string | undefined,
): Partial<DriverProfile> {
  return { ...topologyTraits(name, objects, usualKey), ...driverTraits(name, objects) };
}

/** The driver's topology keys, as its nodes report them. */
function topologyTraits(
  name: string,
  objects: readonly Manifest[],
  usualKey: string | undefined,
): Partial<DriverProfile> {
  const keys = objects
    .flatMap(driversOfNode)
    .filter((driver) => driver["name"] === name)
    .map((driver) => driver["topologyKeys"])
    .find((given): given is unknown[] => Array.isArray(given) && given.length > 0);
  const [first, ...rest] = (keys ?? []).map(text).filter((key) => key !== "");
  if (first === undefined || (usualKey !== undefined && keys?.includes(usualKey))) return {};
  return { topologyKey: first, extraTopologyKeys: rest };
}

/** Returns the drivers that a CSINode object lists; none for other objects. */
export function driversOfNode(object: Manifest): readonly Manifest[] {
  const drivers = object["kind"] === "CSINode" ? field(object, "spec", "drivers") : undefined;
  return Array.isArray(drivers) ? drivers.filter(isRecord) : [];
}

/** Reads the CSIDriver object, with the API server's defaults for absent fields. */
function driverTraits(name: string, objects: readonly Manifest[]): Partial<DriverProfile> {
  const object = objects.find(
    (o) => o["kind"] === "CSIDriver" && field(o, "metadata", "name") === name,
  );
  if (object === undefined) return {};
  const modes = field(object, "spec", "volumeLifecycleModes");
  const policy = field(object, "spec", "fsGroupPolicy");
  const flag = (key: string): boolean => field(object, "spec", key) === true;
  return {
    attachRequired: field(object, "spec", "attachRequired") !== false,
    podInfoOnMount: flag("podInfoOnMount"),
    // If the workspace itself has CSIStorageCapacity objects, the driver publishes none.
    storageCapacity: flag("storageCapacity") && !hasOwnCapacity(name, objects),
    requiresRepublish: flag("requiresRepublish"),
    fsGroupPolicy: policy === "File" || policy === "None" ? policy : "ReadWriteOnceWithFSType",
    lifecycleModes: Array.isArray(modes)
      ? bothModes.filter((mode) => modes.includes(mode))
      : ["Persistent"],
  };
}

/** True if the workspace has a CSIStorageCapacity for one of the driver's classes. */
function hasOwnCapacity(driver: string, objects: readonly Manifest[]): boolean {
  const classes = objects
    .filter((o) => o["kind"] === "StorageClass" && o["provisioner"] === driver)
    .map((o) => text(field(o, "metadata", "name")));
  return objects.some(
    (o) => o["kind"] === "CSIStorageCapacity" && classes.includes(text(o["storageClassName"])),
  );
}

/** Returns the drivers and provisioners that classes, volumes, snapshot classes and pods name, in order of first use. */
export function usedDrivers(objects: readonly Manifest[]): readonly string[] {
  const used = new Set<string>();
  const use = (value: unknown): void => {
    const name = text(value);
    const driver = migratedDriver(name);
    if (driver !== undefined) used.add(driver);
    else if (name !== "" && !isInTreeName(name) && !makesBuckets(name) && !isNobody(name))
      used.add(name);
  };
  const usePlugin = (source: unknown): void => {
    if (isRecord(source)) use(migratedPluginOf(source));
  };
  for (const object of objects) {
    switch (object["kind"]) {
      case "StorageClass":
        use(object["provisioner"]);
        break;
      case "PersistentVolume":
        use(field(object, "spec", "csi", "driver"));
        usePlugin(object["spec"]);
        break;
      case "VolumeSnapshotContent":
        use(field(object, "spec", "driver"));
        break;
      case "VolumeSnapshotClass":
        use(object["driver"]);
        break;
      default:
        for (const volume of podVolumes(object)) {
          use(field(volume, "csi", "driver"));
          usePlugin(volume);
        }
    }
  }
  return [...used];
}

/** Returns the classes that claims, claim templates and ephemeral volumes request. */
export function askedClasses(object: Manifest): readonly string[] {
  const own = object["kind"] === "PersistentVolumeClaim" ? [object] : [];
  const templates = field(object, "spec", "volumeClaimTemplates");
  const ephemeral = podVolumes(object).map((volume) =>
    field(volume, "ephemeral", "volumeClaimTemplate"),
  );
  return [...own, ...(Array.isArray(templates) ? templates : []), ...ephemeral]
    .map((claim) => text(field(claim, "spec", "storageClassName")))
    .filter((name) => name !== "");
}

function podVolumes(object: Manifest): readonly Manifest[] {
  const volumes = field(podSpec(object), "volumes");
  return Array.isArray(volumes) ? volumes.filter(isRecord) : [];
}

/** Returns the spec of a pod, or of the pods that the object creates. */
export function podSpec({ spec }: Manifest): unknown {
  const template = field(spec, "template") ?? field(spec, "jobTemplate", "spec", "template");
  return template === undefined ? spec : field(template, "spec");
}

/** Returns the drivers that the workspace installs: by its CSIDriver objects, or by its CSINodes. */
export function declaredDrivers(objects: readonly Manifest[]): readonly string[] {
  const declared = objects
    .filter((o) => o["kind"] === "CSIDriver")
    .map((o) => text(field(o, "metadata", "name")));
  const onNodes = objects.flatMap(driversOfNode).map((driver) => text(driver["name"]));
  return [...new Set([...declared, ...onNodes])].filter((name) => name !== "");
}

/** True if a pod of the workspace contains the name, as a provisioner's pod that is configured with it would. */
export function isRunByPods(name: string, objects: readonly Manifest[]): boolean {
  return objects.some(
    (object) =>
      podKinds.has(text(object["kind"])) && JSON.stringify(object["spec"] ?? {}).includes(name),
  );
}

const podKinds: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet", "Pod"]);

export function withPaths(
  nodes: readonly NodeProfile[],
  hostPaths: Readonly<Record<string, HostPathType>>,
): readonly NodeProfile[] {
  if (Object.keys(hostPaths).length === 0) return nodes;
  // Machines whose paths are the same object share their file trees: see node/host-files.ts.
  return nodes.map((node) =>
    node.hostPaths === undefined
      ? { ...node, hostPaths }
      : { ...node, hostPaths: { ...hostPaths, ...node.hostPaths } },
  );
}

/** Returns the workspace's Nodes as machines; undefined if it has none. */
export function ownNodes(objects: readonly Manifest[]): readonly NodeProfile[] | undefined {
  const nodes = objects.filter(
    (o) => o["kind"] === "Node" && text(field(o, "metadata", "name")) !== "",
  );
  if (nodes.length === 0) return undefined;
  const limits = attachLimits(objects);
  const plugins = pluginsByNode(objects);
  return nodes.map((node) => machineOf(node, limits, plugins));
}

function machineOf(
  node: Manifest,
  limits: ReadonlyMap<string, AttachLimits>,
  plugins: ReadonlyMap<string, NodePlugins>,
): NodeProfile {
  const name = text(field(node, "metadata", "name"));
  const attachLimits = limits.get(name);
  const nodePlugins = plugins.get(name);
  const labels = stringMap(field(node, "metadata", "labels"));
  const zone =
    labels["topology.kubernetes.io/zone"] ?? labels["failure-domain.beta.kubernetes.io/zone"];
  const taints = field(node, "spec", "taints");
  // The scheduler uses allocatable, so that takes precedence.
  const capacity = {
    ...stringMap(field(node, "status", "capacity")),
    ...stringMap(field(node, "status", "allocatable")),
  };
  return {
    name,
    labels,
    ...(zone !== undefined && { zone }),
    ...(Array.isArray(taints) && { taints: taints.filter(isTaint) }),
    ...(field(node, "spec", "unschedulable") === true && { isCordoned: true }),
    ...(Object.keys(capacity).length > 0 && { capacity }),
    ...(attachLimits !== undefined && { attachLimits }),
    ...(nodePlugins !== undefined && { nodePlugins }),
  };
}

/** Returns the node plugins that CSINode objects list, by node name. */
export function pluginsByNode(objects: readonly Manifest[]): ReadonlyMap<string, NodePlugins> {
  const plugins = new Map<string, Record<string, NodePlugin>>();
  for (const object of objects) {
    if (object["kind"] !== "CSINode") continue;
    const name = text(field(object, "metadata", "name"));
    const entries = driversOfNode(object).map((entry): [string, NodePlugin] => [
      text(entry["name"]),
      { nodeId: text(entry["nodeID"]) || name },
    ]);
    plugins.set(name, Object.fromEntries(entries));
  }
  return plugins;
}

type NodePlugins = Readonly<Record<string, NodePlugin>>;

type AttachLimits = Readonly<Record<string, number>>;

/** Returns the attach limits in CSINode objects, by node name. */
function attachLimits(objects: readonly Manifest[]): ReadonlyMap<string, AttachLimits> {
  const limits = new Map<string, AttachLimits>();
  for (const object of objects) {
    const counts = driversOfNode(object).flatMap((driver): [string, number][] => {
      const count = field(driver, "allocatable", "count");
      return typeof count === "number" && count >= 0 ? [[text(driver["name"]), count]] : [];
    });
    if (counts.length > 0)
      limits.set(text(field(object, "metadata", "name")), Object.fromEntries(counts));
  }
  return limits;
}

export function isRecord(value: unknown): value is Manifest {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTaint(value: unknown): value is NodeTaint {
  return isRecord(value) && typeof value["key"] === "string" && typeof value["effect"] === "string";
}

export function field(object: unknown, ...path: readonly string[]): unknown {
  let value = object;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  return value;
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function stringMap(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, v]) =>
      typeof v === "string" || typeof v === "number" ? [[key, String(v)]] : [],
    ),
  );
}

export function kindAndName(object: Manifest): string {
  return `${text(object["kind"])}/${text(field(object, "metadata", "name"))}`;
}
