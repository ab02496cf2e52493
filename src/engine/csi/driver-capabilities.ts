/** The capabilities that a driver reports, and where its volumes can be reached. */
import { compareText } from "../api/go/text-order.ts";
import type { NodeProfile } from "../scenario.ts";
import type { DriverProfile } from "./driver-profile.ts";

/** Names of ControllerGetCapabilities. */
export function controllerCapabilities(driver: DriverProfile): ReadonlySet<string> {
  const names = new Set(["CREATE_DELETE_VOLUME"]);
  const add = (name: string, has: boolean): void => {
    if (has) names.add(name);
  };
  add("PUBLISH_UNPUBLISH_VOLUME", driver.attachRequired);
  add("PUBLISH_READONLY", driver.attachRequired && driver.publishReadonly);
  add("GET_CAPACITY", driver.storageCapacity);
  add("CREATE_DELETE_SNAPSHOT", driver.snapshots);
  add("LIST_SNAPSHOTS", driver.snapshots && driver.listSnapshots);
  add("CLONE_VOLUME", driver.clone);
  add("EXPAND_VOLUME", driver.expansion.controller);
  add("SINGLE_NODE_MULTI_WRITER", driver.singleNodeMultiWriter);
  add("MODIFY_VOLUME", driver.modify);
  return names;
}

const nodeCapabilitiesByDriver = new WeakMap<DriverProfile, ReadonlySet<string>>();

/** Names of NodeGetCapabilities. Cached by driver, because every mount asks. */
export function nodeCapabilities(driver: DriverProfile): ReadonlySet<string> {
  const known = nodeCapabilitiesByDriver.get(driver);
  if (known !== undefined) return known;
  const names = new Set<string>();
  nodeCapabilitiesByDriver.set(driver, names);
  if (driver.stageUnstage) names.add("STAGE_UNSTAGE_VOLUME");
  if (driver.volumeStats) names.add("GET_VOLUME_STATS");
  if (driver.expansion.node) names.add("EXPAND_VOLUME");
  if (driver.singleNodeMultiWriter) names.add("SINGLE_NODE_MULTI_WRITER");
  if (driver.volumeMountGroup === true) names.add("VOLUME_MOUNT_GROUP");
  return names;
}

/** VOLUME_ACCESSIBILITY_CONSTRAINTS of GetPluginCapabilities. */
export function hasTopology(driver: DriverProfile): boolean {
  return driver.topologyKey !== "";
}

/** The topology segment of a node, as NodeGetInfo reports it; undefined if it has none. */
export function segmentOf(driver: DriverProfile, node: NodeProfile): string | undefined {
  if (driver.topologyKey === "") return undefined;
  const usual = driver.topologyFrom === "node" ? node.name : node.zone;
  // A label that the node has already came from the driver; on Azure it is empty if machines have no zones.
  const given = equalKeysOf(driver).find((key) => node.labels?.[key] !== undefined);
  if (given !== undefined) return node.labels?.[given];
  return usual === "" ? undefined : usual;
}

/** The keys with the same value: a driver may report its zone by its own key and by the standard one. */
function equalKeysOf({ topologyKey, extraTopologyKeys = [] }: DriverProfile): readonly string[] {
  const named = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
  return [topologyKey, ...extraTopologyKeys.filter((key) => named(key) === named(topologyKey))];
}

/** Every topology key that the driver's nodes report, sorted as CSINode lists them. */
export function topologyKeysOf(driver: DriverProfile): readonly string[] {
  const { topologyKey, extraTopologyKeys = [] } = driver;
  return topologyKey === "" ? [] : [topologyKey, ...extraTopologyKeys].sort(compareText);
}

/** The node's id at the driver's controller. */
export function nodeIdOf(driver: string, node: NodeProfile): string {
  return node.nodePlugins?.[driver]?.nodeId ?? node.name;
}

/** True if the driver's plugin runs on the node. */
export function hasNodePlugin(driver: string, { nodePlugins }: NodeProfile): boolean {
  return nodePlugins === undefined || nodePlugins[driver] !== undefined;
}
