/** Compares the topology of a StorageClass with what its driver reports about nodes. */
import { renamedLabels } from "../../../engine/api/well-known-labels.ts";
import type { DriverKnowledge } from "../../../engine/csi/catalogue/driver-knowledge.ts";
import { pathProvisionerType } from "../../../engine/csi/catalogue/path-provisioners.ts";
import { noProvisioner } from "../../../engine/matching/csi-migration.ts";
import { own } from "../../own.ts";
import { itemsOf, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { listNames } from "../missing-reference.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const kinds = ["StorageClass"] as const;

export const classImmediateTopologyDriver: DocumentRule = objectRule(
  "class-immediate-topology-driver",
  "warning",
  { kinds, yieldsTo: ["pod-stays-pending"] },
  function* ({ value }, { drivers }) {
    const driver = textAt(value, "provisioner") ?? "";
    if (!isImmediate(value) || listAt(value, "allowedTopologies").length > 0) return;
    const keys = topologyKeys(driver, drivers);
    if (keys.length === 0 || isBoundToOneRegion(keys) || isNetworkShare(driver, drivers)) return;
    const path = ["volumeBindingMode"];
    yield {
      path: value["volumeBindingMode"] === undefined ? ["provisioner"] : path,
      message:
        "The volume is placed before the Pod is scheduled; the Pod may become unschedulable. Use WaitForFirstConsumer",
      fix: {
        title: "Set volumeBindingMode to WaitForFirstConsumer",
        path,
        value: "WaitForFirstConsumer",
      },
    };
  },
);

export const classImmediateAllowedTopologies: DocumentRule = objectRule(
  "class-immediate-allowed-topologies",
  "information",
  { kinds },
  function* ({ value }) {
    if (!isImmediate(value) || listAt(value, "allowedTopologies").length === 0) return;
    const mode = ["volumeBindingMode"];
    yield {
      path: ["allowedTopologies"],
      message: "The topology is chosen among the allowed ones before any Pod is scheduled",
      atKey: true,
      fix: {
        title: "Set volumeBindingMode to WaitForFirstConsumer",
        path: mode,
        value: "WaitForFirstConsumer",
      },
    };
  },
);

export const classTopologyKeyUnknown: DocumentRule = objectRule(
  "class-topology-key-unknown",
  "warning",
  { kinds, explainsOutcome: true },
  function* ({ value }, { drivers }) {
    const driver = textAt(value, "provisioner") ?? "";
    const keys = topologyKeys(driver, drivers);
    if (keys.length === 0 || drivers.find(driver)?.reportsNodeLabels === true) return;
    for (const term of itemsOf(value["allowedTopologies"], ["allowedTopologies"])) {
      const place = [...term.path, "matchLabelExpressions"];
      for (const { fields, path } of itemsOf(term.fields["matchLabelExpressions"], place)) {
        const key = textAt(fields, "key");
        if (key === undefined || keys.includes(key)) continue;
        const message = `Driver “${driver}” reports ${listNames(keys)}; key “${key}” can never match`;
        yield {
          path: [...path, "key"],
          message,
          meant: successorIn(keys, key) ?? sameLabel(key, keys),
        };
      }
    }
  },
);

/** The present name of a deprecated label, if the driver reports it. */
function successorIn(keys: readonly string[], key: string): string | undefined {
  const successor = own(renamedLabels, key);
  return successor !== undefined && keys.includes(successor) ? successor : undefined;
}

/**
 * The only label with the same name after the slash, which has the same values: `topology.gke.io/zone` for
 * `topology.kubernetes.io/zone`.
 */
function sameLabel(key: string, keys: readonly string[]): string | undefined {
  const nameOf = (label: string): string => label.slice(label.lastIndexOf("/") + 1);
  const [same, ...others] = keys.filter((one) => nameOf(one) === nameOf(key));
  return others.length === 0 ? same : undefined;
}

export const classExpansionDriver: DocumentRule = objectRule(
  "class-expansion-driver",
  "warning",
  { kinds },
  function* ({ value }, { drivers }) {
    const driver = textAt(value, "provisioner") ?? "";
    if (value["allowVolumeExpansion"] !== true) return;
    const path = ["allowVolumeExpansion"];
    const fix = { title: "Remove allowVolumeExpansion", path, value: null };
    const type = pathProvisionerType(driver);
    // The program of a FlexVolume driver may expand its volumes.
    if ((type !== undefined && type !== "flex-volume") || driver === noProvisioner)
      yield {
        path,
        message: `Nothing expands volumes of “${driver}”: a claim that asks for more waits forever`,
        severity: "information",
        fix,
      };
    const expansion = drivers.find(driver)?.traits.expansion;
    if (expansion === undefined || expansion.controller || expansion.node) return;
    yield {
      path,
      message: `Driver “${driver}” cannot expand volumes; resizing will hang in Resizing`,
      fix,
    };
  },
);

function isImmediate(value: ManifestObject["value"]): boolean {
  const mode = value["volumeBindingMode"];
  return mode === undefined || mode === "Immediate";
}

/** Empty if the driver is unknown, or its volumes can be reached from everywhere. */
function topologyKeys(driver: string, drivers: DriverKnowledge): readonly string[] {
  const traits = drivers.find(driver)?.traits;
  if (traits?.topologyKey === undefined || traits.topologyKey === "") return [];
  return [traits.topologyKey, ...(traits.extraTopologyKeys ?? [])];
}

/** True if volumes can be reached from every zone: network shares, and some disks. */
function isNetworkShare(driver: string, drivers: DriverKnowledge): boolean {
  const { traits = {} } = drivers.find(driver) ?? {};
  if (traits.reachesAllSegments === true) return true;
  const { attachRequired, accessModes, topologyFrom } = traits;
  const isShared = attachRequired === false && accessModes?.includes("ReadWriteMany") === true;
  return isShared && topologyFrom !== "node";
}

/** Few clusters span several regions. */
function isBoundToOneRegion(keys: readonly string[]): boolean {
  return keys.every((key) => /(?:^|\/)(?:region|location)$/.test(key));
}
