/** Parameters of classes: what the driver at hand reads, what the sidecars read, and the values that are documented. */
import { catalogueAlone, type KnownDriver } from "../../engine/csi/catalogue/driver-knowledge.ts";
import {
  pathProvisionerParameters,
  pathProvisionerTypes,
} from "../../engine/csi/catalogue/path-provisioners.ts";
import { sidecarKeys, snapshotSecretKeys } from "../../engine/csi/catalogue/sidecar-parameters.ts";
import { parameterMeaning } from "../hover/meanings.ts";
import { own } from "../own.ts";
import { classDriverFields } from "../workspace/class-driver.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type Item, type Place, textItem, withText } from "./item.ts";

/** Read by the sidecars, whatever the driver. */
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
  const name = valueAt(value, [field]);
  const { drivers } = analysis?.environment.project ?? { drivers: catalogueAlone };
  const driver = typeof name === "string" ? drivers.find(name) : undefined;
  if (probe.part === "value") return parameterValues(driver, String(key)).map(textItem);
  const present = Object.keys(valueAt(value, ["parameters"]) ?? {});
  return (ofPathProvisioner(kind, name) ?? ofDriver(kind, driver))
    .filter(({ label }) => !present.includes(label))
    .map(({ label, detail }) =>
      withText({ label, detail, kind: "field", insert: `${label}: ` }, parameterMeaning(label)),
    );
}

interface Parameter {
  readonly label: string;
  readonly detail: string;
}

function ofPathProvisioner(kind: string, name: unknown): readonly Parameter[] | undefined {
  if (kind !== "StorageClass" || typeof name !== "string") return undefined;
  const type = pathProvisionerTypes.get(name);
  if (type === undefined) return undefined;
  return pathProvisionerParameters[type].map((label) => ({ label, detail: name }));
}

function ofDriver(kind: string, driver: KnownDriver | undefined): readonly Parameter[] {
  const ownKeys = parametersOf(kind, driver).map((label) => ({
    label,
    detail: `${driver?.title}${isRequired(driver, kind, label) ? ", required" : ""}`,
  }));
  const shared = (own(sharedKeys, kind) ?? []).map((label) => ({ label, detail: "CSI sidecars" }));
  return [...ownKeys, ...shared];
}

function parametersOf(kind: string, driver: KnownDriver | undefined): readonly string[] {
  if (kind === "StorageClass") return driver?.parameters ?? [];
  const keys = kind === "VolumeAttributesClass" ? driver?.traits.modifyParameters : undefined;
  return keys === undefined || keys === "any" ? [] : keys;
}

function isRequired(driver: KnownDriver | undefined, kind: string, label: string): boolean {
  return kind === "StorageClass" && driver?.requiredParameters?.includes(label) === true;
}

function parameterValues(driver: KnownDriver | undefined, key: string): readonly string[] {
  if (key === "csi.storage.k8s.io/fstype") return ["ext4", "xfs", "btrfs"];
  return driver?.parameterValues?.[key] ?? [];
}
