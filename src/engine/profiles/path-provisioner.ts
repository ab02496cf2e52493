/** Which provisioners are not CSI drivers, and what kind of volumes they make. */
import type { DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import { isNfsByName, mayBeCsi, pathProvisionerType } from "../csi/catalogue/path-provisioners.ts";
import { migratedDriver } from "../matching/csi-migration.ts";
import type { Manifest, PathProvisioner } from "../scenario.ts";
import { field, isRecord, podSpec, text } from "./clues.ts";
import type { DistributionProfile } from "./profile.ts";

type ProvisionerType = PathProvisioner["type"];

/** Returns the provisioner of that name, or undefined if the name is, or may be, that of a CSI driver. */
export function pathProvisionerOf(
  name: string,
  objects: readonly Manifest[],
  { localPath }: Pick<DistributionProfile, "localPath">,
  knowledge: DriverKnowledge,
): PathProvisioner | undefined {
  const type = pathProvisionerType(name) ?? otherType(name, objects, knowledge);
  if (type === undefined) return undefined;
  const path = type === "local-path" ? localPath : undefined;
  return { name, type, ...(path !== undefined && { path }) };
}

/**
 * Judges a name that the catalogue does not know by the pods that run it and the volumes that it has made, then by its words.
 * Of any other name that no CSI driver may have, nothing is known.
 */
function otherType(
  name: string,
  objects: readonly Manifest[],
  knowledge: DriverKnowledge,
): ProvisionerType | undefined {
  if (migratedDriver(name) !== undefined || knowledge.find(name) !== undefined) return undefined;
  const made = objects.find(
    (object) =>
      object["kind"] === "PersistentVolume" &&
      field(object, "metadata", "annotations", "pv.kubernetes.io/provisioned-by") === name,
  );
  if (field(made, "spec", "csi") !== undefined) return undefined;
  const known = typeByVolume.find(([source]) => field(made, "spec", source) !== undefined);
  if (known !== undefined) return known[1];
  if (isNfsByName(name) || objects.some((object) => runsNfsProvisioner(object, name)))
    return "nfs-subdir";
  return mayBeCsi(name) ? undefined : "unknown";
}

/** By the source of the volumes that a provisioner makes. */
const typeByVolume: readonly (readonly [source: string, type: ProvisionerType])[] = [
  ["hostPath", "local-path"],
  ["local", "local-path"],
  ["nfs", "nfs-subdir"],
  ["iscsi", "iscsi"],
  ["flexVolume", "flex-volume"],
  ["glusterfs", "gluster-fs"],
];

/** nfs-client-provisioner, nfs-subdir-external-provisioner and the provisioner with a server of its own, under any registry. */
const nfsProvisionerImage = /(?:^|\/)nfs-(?:[a-z0-9-]+-)?provisioner(?:[-:@]|$)/;

function runsNfsProvisioner(object: Manifest, name: string): boolean {
  const containers = field(podSpec(object), "containers");
  return (Array.isArray(containers) ? containers : []).some(
    (container) =>
      nfsProvisionerImage.test(text(field(container, "image"))) && givesName(container, name),
  );
}

/** By the variable PROVISIONER_NAME or the argument -provisioner. */
function givesName(container: unknown, name: string): boolean {
  const list = (key: string): readonly unknown[] => {
    const value = field(container, key);
    return Array.isArray(value) ? value : [];
  };
  return (
    list("env").some(
      (variable) =>
        isRecord(variable) &&
        variable["name"] === "PROVISIONER_NAME" &&
        text(variable["value"]) === name,
    ) || list("args").some((argument) => /^--?provisioner=(.+)$/.exec(text(argument))?.[1] === name)
  );
}
