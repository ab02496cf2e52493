/** What the class, the driver and the node behind a claim have to do with its outcome. */
import { type KubeObject, makeRef, type Ref, refOf } from "../api/meta.ts";
import {
  defaultStorageClass,
  effectiveClassName,
  isDefaultClass,
} from "../api/storage-class-name.ts";
import { zoneLabel } from "../api/well-known-labels.ts";
import { pathProvisionerTypes } from "../csi/catalogue/path-provisioners.ts";
import { makesVolumes } from "../matching/csi-migration.ts";
import { nodeAffinityText } from "../matching/node-affinity.ts";
import { readyCondition } from "../matching/node-state.ts";
import { absenceText } from "./refused-object.ts";
import type { RunFacts } from "./run-facts.ts";

export type StepState =
  /** As it should be. */
  | "right"
  /** Here it goes wrong, or goes wrong because of what follows. */
  | "wrong"
  /** Not there yet; nothing is known to be wrong. */
  | "open";

export interface ChainStep {
  readonly ref: Ref;
  readonly state: StepState;
  readonly text: string;
  /** The event or condition that shows it. */
  readonly reason?: string;
  readonly message?: string;
}

export function classStep(facts: RunFacts, name: string): ChainStep {
  const ref = makeRef("StorageClass", undefined, name);
  const storageClass = facts.get("StorageClass", undefined, name);
  if (storageClass === undefined) {
    // A name that volumes carry need not be a class: it only has to be the same on both sides.
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

/** Whether claims that name no class get this one; "" of a class that is not marked. */
export function defaultText(facts: RunFacts, storageClass: KubeObject<"StorageClass">): string {
  if (!isDefaultClass(storageClass)) return "";
  const taken = defaultStorageClass(facts.list("StorageClass"))?.metadata.name;
  return taken === storageClass.metadata.name
    ? "the default class"
    : `marked as the default class, but class "${taken}" is taken`;
}

/** `missing` is what it would mean that there is no such driver: wrong where somebody waits for its work. */
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
  // Such a one has neither an object nor a node plugin that would show whether it is there.
  if (pathProvisionerTypes.has(name))
    return { ref, state: "open", text: "makes volumes, but is no CSI driver" };
  const text = facts.objects.has(ref)
    ? "has an object, but no node plugin has registered it"
    : "is not installed in this cluster";
  return { ref, state: missing, text };
}

/** Sidecars sign with the driver's name, some with a role in front or behind. */
function isBy(source: string, driver: string): boolean {
  return source === driver || source.endsWith(` ${driver}`) || source.startsWith(`${driver}_`);
}

export function volumeText(volume: KubeObject<"PersistentVolume">): string {
  const { capacity, accessModes = [], volumeMode = "Filesystem" } = volume.spec;
  const affinity = nodeAffinityText(volume);
  const where = affinity === "" ? "" : `, reachable where ${affinity}`;
  return `${capacity?.["storage"] ?? "no size"}, ${accessModes.join(" ")}, ${volumeMode}${where}`;
}

/** The node of a pod, with the drivers that its volumes need. */
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
