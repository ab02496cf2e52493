/** Parameters of classes: those that the driver reads, those that the sidecars read, and documented values. */
import {
  catalogueAlone,
  type DriverKnowledge,
  type KnownDriver,
} from "../../engine/csi/catalogue/driver-knowledge.ts";
import { pathProvisionerType } from "../../engine/csi/catalogue/path-provisioners.ts";
import { sidecarKeys, snapshotSecretKeys } from "../../engine/csi/catalogue/sidecar-parameters.ts";
import { knownParameters } from "../diagnostics/facts/known-parameters.ts";
import { parameterMeaning } from "../hover/meanings.ts";
import { own } from "../own.ts";
import { classDriverFields } from "../workspace/objects/class-driver.ts";
import { plainText, valueAt } from "../yaml/manifest.ts";
import { type Item, type Place, textItem, withText } from "./item.ts";

/** Read by the sidecars, whatever the driver is. */
const sharedKeys: Readonly<Record<string, readonly string[]>> = {
  StorageClass: [...sidecarKeys],
  VolumeSnapshotClass: [snapshotSecretKeys.snapshotter, snapshotSecretKeys.snapshotterList].flatMap(
    ({ names, namespaces }) => [...names, ...namespaces],
  ),
  VolumeAttributesClass: [],
};

export function parameterItems({ analysis, object, path, probe }: Place): readonly Item[] {
  const { kind, value } = object;
  const [first, key] = path;
  const field = own(classDriverFields, kind);
  if (field === undefined || first !== "parameters" || path.length !== 2) return [];
  const name = plainText(valueAt(value, [field]) ?? "");
  const { drivers } = analysis?.environment.project ?? { drivers: catalogueAlone };
  if (probe.part === "value") return parameterValues(drivers.find(name), String(key)).map(textItem);
  const present = Object.keys(valueAt(value, ["parameters"]) ?? {});
  return parametersOf(kind, name, drivers)
    .filter(({ label }) => !present.includes(label))
    .map(({ label, detail }) =>
      withText({ label, detail, kind: "field", insert: `${label}: ` }, parameterMeaning(label)),
    );
}

interface Parameter {
  readonly label: string;
  readonly detail: string;
}

function parametersOf(kind: string, name: string, drivers: DriverKnowledge): readonly Parameter[] {
  const driver = drivers.find(name);
  const ownKeys = (knownParameters(kind, name, drivers)?.names ?? []).map((label) => ({
    label,
    detail: `${driver?.title ?? name}${isRequired(driver, kind, label) ? ", required" : ""}`,
  }));
  const shared = pathProvisionerType(name) !== undefined ? [] : (own(sharedKeys, kind) ?? []);
  return [...ownKeys, ...shared.map((label) => ({ label, detail: "CSI sidecars" }))];
}

function isRequired(driver: KnownDriver | undefined, kind: string, label: string): boolean {
  return kind === "StorageClass" && driver?.requiredParameters?.includes(label) === true;
}

function parameterValues(driver: KnownDriver | undefined, key: string): readonly string[] {
  if (key === "csi.storage.k8s.io/fstype") return ["ext4", "xfs", "btrfs"];
  return driver?.parameterValues?.[key] ?? [];
}
