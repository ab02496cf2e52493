/** Which users a volume's mount admits and lets write, for drivers that mount with FUSE or as network shares. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import type { FuseMount } from "../../../engine/csi/catalogue/entry.ts";
import { pathProvisionerType } from "../../../engine/csi/catalogue/path-provisioners.ts";
import { nfsDrivers, smbDrivers } from "../../../engine/csi/catalogue/shares-and-buckets.ts";
import { fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import type { ClaimFacts } from "./claim-facts.ts";

export interface FuseOptions {
  readonly fuse: FuseMount;
  /** The volume, or the class that provisions it. */
  readonly entry: WorkspaceObject;
  /** Path of the mount options. */
  readonly path: Path;
  readonly count: number;
  /** Without dashes and values. */
  readonly names: ReadonlySet<string>;
}

/** Undefined if the driver does not use FUSE, or no file has the volume or class. */
export function fuseOptionsOf(claim: ClaimFacts): FuseOptions | undefined {
  const { driver, volume, classEntry } = claim;
  const fuse = driver === undefined ? undefined : knownDriver(driver)?.fuse;
  const entry = volume ?? classEntry;
  if (fuse === undefined || entry === undefined || speaksNfs(claim)) return undefined;
  const place = volume === undefined ? [] : ["spec"];
  const listed = listAt(entry.object.value, ...place, "mountOptions").map(String);
  // Azure's blob driver takes several flags in one text.
  const names = [...listed, settingOf(claim, "mountOptions")].flatMap((text) =>
    text.split(/,|\s(?=-)/),
  );
  return {
    fuse,
    entry,
    path: [...place, "mountOptions"],
    count: listed.length,
    names: new Set(names.map(optionName)),
  };
}

/** True for Azure's file and blob drivers if the class or volume chooses NFS. */
export function speaksNfs(claim: ClaimFacts): boolean {
  return /^(?:az)?nfs/i.test(settingOf(claim, "protocol"));
}

/** True for SMB, where all files belong to the user that the mount options name. */
export function isSmb(claim: ClaimFacts): boolean {
  return smbDrivers.has(claim.driver) && !speaksNfs(claim);
}

/** True for NFS: an NFS volume, an NFS driver or provisioner, or a driver with several protocols that is told to use it. */
export function isNfs(claim: ClaimFacts): boolean {
  const { driver = "", volume } = claim;
  if (fieldsAt(volume?.object.value ?? {}, "spec")["nfs"] !== undefined) return true;
  return (
    nfsDrivers.has(driver) ||
    pathProvisionerType(driver) === "nfs-subdir" ||
    (severalProtocols.has(driver) && speaksNfs(claim)) ||
    isSharedLonghorn(claim)
  );
}

/** Longhorn exports volumes that several nodes may write to over NFS, from a pod of its own (share manager). */
function isSharedLonghorn({ driver, modes, volumeMode }: ClaimFacts): boolean {
  return (
    driver === "driver.longhorn.io" && volumeMode !== "Block" && modes.includes("ReadWriteMany")
  );
}

const severalProtocols: ReadonlySet<string> = new Set(["file.csi.azure.com", "blob.csi.azure.com"]);

/** A setting of the volume for its driver, else of the class; "" if unset. Keys are case-insensitive. */
function settingOf({ volume, storageClass = {} }: ClaimFacts, name: string): string {
  const settings =
    volume === undefined
      ? fieldsAt(storageClass, "parameters")
      : fieldsAt(volume.object.value, "spec", "csi", "volumeAttributes");
  const key = Object.keys(settings).find((given) => given.toLowerCase() === name.toLowerCase());
  return textAt(settings, key ?? name) ?? "";
}

/** `-o allow_other`, `--allow-other` and `allow-other` are the same option. */
export function optionName(option: string): string {
  const [name = ""] = option
    .trim()
    .replace(/^(?:-o\s*|-+)/, "")
    .split(/[=\s]/);
  return name.replaceAll("_", "-");
}

const ownerOptions: readonly string[] = ["uid", "gid", "dir-mode", "file-mode", "umask"];

/** True if users other than root are admitted but may not write. Mounts that do not admit them are left to mount-root-only. */
export function isOwnersToWrite(claim: ClaimFacts): boolean {
  const options = fuseOptionsOf(claim);
  if (options?.fuse.isOwnersToWrite !== true || isShut(options)) return false;
  return !ownerOptions.some((name) => options.names.has(name));
}

/** True if the mount admits only root. */
export function isShut({ fuse: { letsOthersIn }, names }: FuseOptions): boolean {
  return letsOthersIn !== undefined && !names.has(optionName(letsOthersIn));
}
