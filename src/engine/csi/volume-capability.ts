/** Access modes as CSI capabilities, and which of them a driver supports. */
import type { CSIPersistentVolumeSource, PersistentVolumeSpec } from "../api/types.ts";
import type { VolumeCapability } from "./messages.ts";

/** The Kubernetes access mode for each CSI access mode. */
const accessModes: Readonly<Record<string, string>> = {
  SINGLE_NODE_WRITER: "ReadWriteOnce",
  SINGLE_NODE_MULTI_WRITER: "ReadWriteOnce",
  SINGLE_NODE_SINGLE_WRITER: "ReadWriteOncePod",
  SINGLE_NODE_READER_ONLY: "ReadWriteOnce",
  MULTI_NODE_READER_ONLY: "ReadOnlyMany",
  MULTI_NODE_SINGLE_WRITER: "ReadWriteMany",
  MULTI_NODE_MULTI_WRITER: "ReadWriteMany",
};

/** In the order of their numbers in csi.proto. */
const modeNumbers: readonly string[] = [
  "UNKNOWN",
  "SINGLE_NODE_WRITER",
  "SINGLE_NODE_READER_ONLY",
  "MULTI_NODE_READER_ONLY",
  "MULTI_NODE_SINGLE_WRITER",
  "MULTI_NODE_MULTI_WRITER",
  "SINGLE_NODE_SINGLE_WRITER",
  "SINGLE_NODE_MULTI_WRITER",
];

/** The CSI modes for ReadWriteOnce and ReadWriteOncePod. */
export const singleNodeModes: readonly string[] = [
  "SINGLE_NODE_WRITER",
  "SINGLE_NODE_MULTI_WRITER",
  "SINGLE_NODE_SINGLE_WRITER",
];

/**
 * The CSI mode for a single access mode. Upstream: csi-lib-utils accessmodes ToCSIAccessMode; pkg/volume/csi
 * asSingleNodeMultiWriterCapableCSIAccessMode.
 */
export function csiAccessMode(mode: string, singleNodeMultiWriter: boolean): string {
  switch (mode) {
    case "ReadWriteMany":
      return "MULTI_NODE_MULTI_WRITER";
    case "ReadOnlyMany":
      return "MULTI_NODE_READER_ONLY";
    case "ReadWriteOncePod":
      return singleNodeMultiWriter ? "SINGLE_NODE_SINGLE_WRITER" : "SINGLE_NODE_WRITER";
    default:
      return singleNodeMultiWriter ? "SINGLE_NODE_MULTI_WRITER" : "SINGLE_NODE_WRITER";
  }
}

/**
 * The one CSI mode for all access modes of a volume, or why there is none.
 * Upstream: csi-lib-utils v0.23 accessmodes/access_modes.go ToCSIAccessMode.
 */
export function combinedAccessMode(
  modes: readonly string[],
  singleNodeMultiWriter: boolean,
): { readonly mode: string } | { readonly error: string } {
  const distinct = new Set(modes);
  const [only] = distinct;
  if (only === undefined) return { error: "unsupported AccessMode combination: []" };
  if (distinct.has("ReadWriteOncePod") && distinct.size > 1) {
    return {
      error:
        "Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume",
    };
  }
  if (distinct.has("ReadWriteMany")) return { mode: "MULTI_NODE_MULTI_WRITER" };
  if (distinct.has("ReadOnlyMany") && distinct.has("ReadWriteOnce")) {
    return {
      error: "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume",
    };
  }
  return { mode: csiAccessMode(only, singleNodeMultiWriter) };
}

/** The capability that the attacher requests for a volume, or why there is none. */
export function volumeCapabilityOf(
  spec: PersistentVolumeSpec,
  csi: CSIPersistentVolumeSource,
  singleNodeMultiWriter: boolean,
): VolumeCapability | { readonly error: string } {
  const mode = combinedAccessMode(spec.accessModes ?? [], singleNodeMultiWriter);
  if ("error" in mode) return mode;
  if (spec.volumeMode === "Block") return { block: {}, access_mode: mode };
  const flags = spec.mountOptions ?? [];
  const fsType = csi.fsType ?? "";
  const mount = {
    ...(fsType !== "" && { fs_type: fsType }),
    ...(flags.length > 0 && { mount_flags: flags }),
  };
  return { mount, access_mode: mode };
}

export function isSingleNode(capability: VolumeCapability): boolean {
  return modeName(capability).startsWith("SINGLE_NODE");
}

export function modeName(capability: VolumeCapability): string {
  return capability.access_mode?.mode ?? "UNKNOWN";
}

export function accessType(capability: VolumeCapability): "Block" | "Filesystem" {
  return capability.block === undefined ? "Filesystem" : "Block";
}

export interface CapabilityLimits {
  readonly name: string;
  readonly accessModes: readonly string[];
  readonly volumeModes: readonly string[];
  readonly blockAccessModes?: readonly string[];
  readonly capabilityRefusal?: string;
  readonly volumeModeRefusal?: string;
  readonly publishRefusal?: string;
}

/** The driver's words about a use of a volume that it does not support; undefined if it does, or does not check. */
export function publishError(
  driver: CapabilityLimits,
  capability: VolumeCapability,
): string | undefined {
  const { publishRefusal } = driver;
  if (publishRefusal === undefined || capabilityError(driver, capability) === undefined)
    return undefined;
  return inWords(publishRefusal, modeName(capability));
}

export function modeNumber(csiMode: string): string {
  return String(modeNumbers.indexOf(csiMode));
}

function inWords(words: string, csiMode: string): string {
  return words.replaceAll("<MODE>", csiMode).replaceAll("<NUMBER>", modeNumber(csiMode));
}

/** Why a driver refuses a capability; undefined if it supports it. */
export function capabilityError(
  driver: CapabilityLimits,
  capability: VolumeCapability,
): string | undefined {
  const csiMode = modeName(capability);
  const mode = accessModes[csiMode];
  if (mode === undefined) return `access mode ${csiMode} is not known`;
  if (capability.block === undefined && capability.mount === undefined) {
    return "access type is missing";
  }
  const type = accessType(capability);
  const { accessModes: fileModes, blockAccessModes = fileModes } = driver;
  const modes = type === "Block" ? blockAccessModes : fileModes;
  // Without SINGLE_NODE_MULTI_WRITER, ReadWriteOncePod too is sent as SINGLE_NODE_WRITER.
  const taken =
    modes.includes(mode) ||
    (csiMode === "SINGLE_NODE_WRITER" && modes.includes("ReadWriteOncePod"));
  if (taken && driver.volumeModes.includes(type)) return undefined;
  const { capabilityRefusal, volumeModeRefusal = capabilityRefusal } = driver;
  const ownWords = taken ? volumeModeRefusal : capabilityRefusal;
  if (ownWords !== undefined) return inWords(ownWords, csiMode);
  const what = taken ? `volume mode ${type}` : `access mode ${csiMode}`;
  return `${what} is not supported by ${driver.name}`;
}
