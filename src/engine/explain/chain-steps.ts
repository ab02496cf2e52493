/** Steps of a causal chain for what is behind a claim: its class, its driver, and the pod's node. */
import { type KubeObject, makeRef, type Ref, refOf } from "../api/meta.ts";
import {
  defaultStorageClass,
  effectiveClassName,
  isDefaultClass,
} from "../api/storage-class-name.ts";
import { zoneLabel } from "../api/well-known-labels.ts";
import { pathProvisionerType } from "../csi/catalogue/path-provisioners.ts";
import { makesVolumes } from "../matching/csi-migration.ts";
import { nodeAffinityText } from "../matching/node-affinity.ts";
import { readyCondition } from "../matching/node-state.ts";
import { absenceText } from "./refused-object.ts";
import type { RunFacts } from "./run-facts.ts";

export type StepState =
  /** As it should be. */
  | "right"
  /** Wrong by itself, or because of a later step. */
  | "wrong"
  /** Not there yet, but nothing is known to be wrong. */
  | "open";

export interface ChainStep {
  readonly ref: Ref;
  readonly state: StepState;
  readonly text: string;
  /** The reason of the event or condition that shows it; below, its message. */
  readonly reason?: string;
  readonly message?: string;
}

export function classStep(facts: RunFacts, name: string): ChainStep {
  const ref = makeRef("StorageClass", undefined, name);
  const storageClass = facts.get("StorageClass", undefined, name);
  if (storageClass === undefined) {
    // Static volumes need no class object: claim and volume only have to carry the same name.
    return facts.list("PersistentVolume").some((volume) => effectiveClassName(volume) === name)
      ? { ref, state: "right", text: "is a name that volumes made by hand carry, no class" }
      : { ref, state: "wrong", text: absenceText(facts, ref) };
  }
  const { provisioner, volumeBindingMode = "Immediate", reclaimPolicy = "Delete" } = storageClass;
  const mark = defaultText(facts, storageClass);
  const has = mark === "" ? "has" : `is ${mark}; it has`;
  const makes = makesVolumes(provisioner) ? "" : ", which makes no volumes";
  const text = `${has} provisioner ${provisioner}${makes}, ${volumeBindingMode}, ${reclaimPolicy}`;
  return { ref, state: "right", text };
}

/** Says whether claims that name no class get this one; "" for a class that is not marked as default. */
export function defaultText(facts: RunFacts, storageClass: KubeObject<"StorageClass">): string {
  if (!isDefaultClass(storageClass)) return "";
  const taken = defaultStorageClass(facts.list("StorageClass"))?.metadata.name;
  return taken === storageClass.metadata.name
    ? "the default class"
    : `marked as the default class, but class "${taken}" is taken`;
}

/** `missing` is the state of a driver that is not there: "wrong" if something waits for it. */
export function driverStep(facts: RunFacts, name: string, missing: "wrong" | "open"): ChainStep {
  const ref = makeRef("CSIDriver", undefined, name);
  const nodes = facts.list("Node").length;
  const registered = facts
    .list("CSINode")
    .filter(({ spec }) => spec.drivers.some((driver) => driver.name === name)).length;
  if (registered > 0)
    return { ref, state: "right", text: `is registered on ${registered} of ${nodes} nodes` };
  const hasActed = facts
    .list("PersistentVolumeClaim")
    .some(
      (claim) => facts.lastEvent(refOf(claim), ({ source }) => isBy(source, name)) !== undefined,
    );
  if (hasActed) return { ref, state: "right", text: "works for claims, and needs no node plugin" };
  // Path provisioners have neither a CSIDriver object nor a node plugin, so nothing shows whether one is installed.
  if (pathProvisionerType(name) !== undefined)
    return { ref, state: "open", text: "makes volumes, but is no CSI driver" };
  const text = facts.objects.has(ref)
    ? "has an object, but no node plugin has registered it"
    : "is not installed in this cluster";
  return { ref, state: missing, text };
}

/** True if the source of an event is the driver's sidecar: sources are the driver's name, or have more before or after it. */
function isBy(source: string, driver: string): boolean {
  return source === driver || source.endsWith(` ${driver}`) || source.startsWith(`${driver}_`);
}

export function volumeText(volume: KubeObject<"PersistentVolume">): string {
  const { capacity, accessModes = [], volumeMode = "Filesystem" } = volume.spec;
  const affinity = nodeAffinityText(volume);
  const where = affinity === "" ? "" : `, reachable where ${affinity}`;
  return `${capacity?.["storage"] ?? "no size"}, ${accessModes.join(" ")}, ${volumeMode}${where}`;
}

/** `drivers` are those that the volumes of the node's pod need. */
export function nodeStep(facts: RunFacts, name: string, drivers: readonly string[]): ChainStep {
  const ref = makeRef("Node", undefined, name);
  const node = facts.get("Node", undefined, name);
  if (node === undefined) return { ref, state: "wrong", text: absenceText(facts, ref) };
  const ready = readyCondition(node);
  if (ready?.status !== "True") {
    const message = ready?.message;
    const text = "does not answer";
    return { ref, state: "wrong", text, ...(message !== undefined && { message }) };
  }
  const registered = facts.get("CSINode", undefined, name)?.spec.drivers ?? [];
  const missing = drivers.filter((driver) => !registered.some((one) => one.name === driver));
  const zone = node.metadata.labels?.[zoneLabel];
  const place = zone === undefined ? "is ready" : `is ready, in zone ${zone}`;
  return missing.length === 0
    ? { ref, state: "right", text: place }
    : { ref, state: "open", text: `${place}; not registered there: ${missing.join(", ")}` };
}
