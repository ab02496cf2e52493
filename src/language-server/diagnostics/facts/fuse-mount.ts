/** Whom the mount of a claim's volume lets in and lets write, where its driver mounts by FUSE. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import type { FuseMount } from "../../../engine/csi/catalogue/entry.ts";
import { pathProvisionerTypes } from "../../../engine/csi/catalogue/path-provisioners.ts";
import { nfsDrivers, smbDrivers } from "../../../engine/csi/catalogue/shares-and-buckets.ts";
import { fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import type { ClaimFacts } from "./claim-facts.ts";

export interface FuseOptions {
  readonly fuse: FuseMount;
  /** The volume, or the class that it is made by. */
  readonly entry: WorkspaceObject;
  /** Of the list of mount options. */
  readonly path: Path;
  readonly count: number;
  /** Without dashes and values. */
  readonly names: ReadonlySet<string>;
}

/** Undefined where the driver mounts otherwise, or no file says how. */
export function fuseOptionsOf(claim: ClaimFacts): FuseOptions | undefined {
  const { driver, volume, classEntry } = claim;
  const fuse = driver === undefined ? undefined : knownDriver(driver)?.fuse;
  const entry = volume ?? classEntry;
  if (fuse === undefined || entry === undefined || speaksNfs(claim)) return undefined;
  const place = volume === undefined ? [] : ["spec"];
  const listed = listAt(entry.object.value, ...place, "mountOptions").map(String);
  // Blob of Azure takes several flags in one text.
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

/** Azure's drivers for files and blobs do where class or volume say so. */
export function speaksNfs(claim: ClaimFacts): boolean {
  return /^(?:az)?nfs/i.test(settingOf(claim, "protocol"));
}

/** All files of the share belong to whom the mount says. */
export function isSmb(claim: ClaimFacts): boolean {
  return smbDrivers.has(claim.driver) && !speaksNfs(claim);
}

/** By the volume itself, its driver or provisioner, or what class or volume tell a driver that has several protocols. */
export function isNfs(claim: ClaimFacts): boolean {
  const { driver = "", volume } = claim;
  if (fieldsAt(volume?.object.value ?? {}, "spec")["nfs"] !== undefined) return true;
  return (
    nfsDrivers.has(driver) ||
    pathProvisionerTypes.get(driver) === "nfs-subdir" ||
    (severalProtocols.has(driver) && speaksNfs(claim))
  );
}

const severalProtocols: ReadonlySet<string> = new Set(["file.csi.azure.com", "blob.csi.azure.com"]);

/** What the volume tells its driver, else the class; "" for nothing. Its key may be in any letters. */
function settingOf({ volume, storageClass = {} }: ClaimFacts, name: string): string {
  const settings =
    volume === undefined
      ? fieldsAt(storageClass, "parameters")
      : fieldsAt(volume.object.value, "spec", "csi", "volumeAttributes");
  const key = Object.keys(settings).find((given) => given.toLowerCase() === name.toLowerCase());
  return textAt(settings, key ?? name) ?? "";
}

/** `-o allow_other`, `--allow-other` and `allow-other` are one option. */
export function optionName(option: string): string {
  const [name = ""] = option
    .trim()
    .replace(/^(?:-o\s*|-+)/, "")
    .split(/[=\s]/);
  return name.replaceAll("_", "-");
}

const ownerOptions: readonly string[] = ["uid", "gid", "dir-mode", "file-mode", "umask"];

/** Others than root get in, and may not write. Where they do not get in, mount-root-only says so. */
export function isOwnersToWrite(claim: ClaimFacts): boolean {
  const options = fuseOptionsOf(claim);
  if (options?.fuse.isOwnersToWrite !== true || isShut(options)) return false;
  return !ownerOptions.some((name) => options.names.has(name));
}

/** Whether the mount lets nobody in but root. */
export function isShut({ fuse: { letsOthersIn }, names }: FuseOptions): boolean {
  return letsOthersIn !== undefined && !names.has(optionName(letsOthersIn));
}
