/** The parameters of a class that its driver is known to read. */
import { knownDriver, knownRefusals } from "../../../engine/csi/catalogue/catalogue.ts";
import type { DriverKnowledge } from "../../../engine/csi/catalogue/driver-knowledge.ts";
import {
  pathProvisionerParameters,
  pathProvisionerType,
} from "../../../engine/csi/catalogue/path-provisioners.ts";
import { sidecarPrefix } from "../../../engine/csi/catalogue/sidecar-parameters.ts";

export interface KnownParameters {
  readonly names: readonly string[];
  /** Accepted as well, but without effect. */
  readonly ignored?: readonly string[] | undefined;
  readonly prefixes?: readonly string[] | undefined;
  /** If false, newer versions of the driver than the catalog's may read more. */
  readonly refusesOthers: boolean;
  /** The driver does not read a key in another case. */
  readonly isExact: boolean;
}

/** By kind of class; undefined if the driver, or what it reads, is unknown. */
export function knownParameters(
  kind: string,
  driver: string,
  drivers: DriverKnowledge,
): KnownParameters | undefined {
  switch (kind) {
    case "StorageClass":
      return knownOfVolumes(driver, drivers);
    case "VolumeSnapshotClass":
      return knownOfSnapshots(driver);
    case "VolumeAttributesClass":
      return knownOfAttributes(driver, drivers);
    default:
      return undefined;
  }
}

function knownOfVolumes(
  provisioner: string,
  drivers: DriverKnowledge,
): KnownParameters | undefined {
  const type = pathProvisionerType(provisioner);
  if (type !== undefined) {
    const names = pathProvisionerParameters[type];
    return names && { names, refusesOthers: false, isExact: true };
  }
  const { parameters, parameterPrefixes: prefixes, traits } = drivers.find(provisioner) ?? {};
  if (parameters === undefined || traits === undefined) return undefined;
  const refusals = knownRefusals(provisioner);
  const isDescribed = drivers.described.get(provisioner)?.parameters !== undefined;
  const refusesOthers =
    isDescribed || refusals.some(({ keyOtherThan }) => keyOtherThan !== undefined);
  return { names: parameters, prefixes, refusesOthers, isExact: traits.hasExactKeys === true };
}

function knownOfSnapshots(driver: string): KnownParameters | undefined {
  const refusals = knownDriver(driver)?.traits.snapshotRefusals ?? [];
  for (const { keyOtherThan: names = [], keyPrefixes: prefixes } of refusals)
    if (names.length > 0) return { names, prefixes, refusesOthers: true, isExact: false };
  return undefined;
}

function knownOfAttributes(driver: string, drivers: DriverKnowledge): KnownParameters | undefined {
  const { modifyParameters, modifyIgnored, modifyPrefixes, foldsAttributes } =
    drivers.find(driver)?.traits ?? {};
  if (modifyParameters === undefined || modifyParameters === "any") return undefined;
  return {
    names: modifyParameters,
    ignored: modifyIgnored,
    prefixes: modifyPrefixes,
    refusesOthers: true,
    isExact: foldsAttributes !== true,
  };
}

/** Most drivers ignore case, so a difference in case alone is no mistake. */
export function isKnownParameter(
  { names, ignored = [], prefixes = [], isExact }: KnownParameters,
  key: string,
): boolean {
  const all = [...names, ...ignored];
  const folded = key.toLowerCase();
  return (
    key.startsWith(sidecarPrefix) ||
    folded === "fstype" ||
    all.includes(key) ||
    (!isExact && inOtherCase(key, all) !== undefined) ||
    prefixes.some((prefix) => folded.startsWith(prefix.toLowerCase()))
  );
}

export function inOtherCase(key: string, names: readonly string[]): string | undefined {
  return names.find((name) => name.toLowerCase() === key.toLowerCase());
}
