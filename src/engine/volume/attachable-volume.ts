/**
 * Volumes that have to be attached to a node before they are mounted, and their names in the attach-detach controller.
 * Upstream: pkg/volume/plugins.go FindAttachablePluginBySpec, pkg/volume/csi, iscsi, fc v1.36;
 * pkg/volume/util/operationexecutor IsMultiAttachAllowed. The attach of iSCSI and Fibre Channel does nothing.
 */
import type { CSIDriver, PersistentVolume, PersistentVolumeSpec, Volume } from "../api/types.ts";
import { translatedVolume } from "./csi-translation.ts";
import {
  csiPluginName,
  csiVolumeName,
  fcVolumeName,
  iscsiVolumeName,
  uniqueVolumeName,
} from "./volume-names.ts";

export interface AttachableVolume {
  /** `PLUGIN/VOLUME`: the same for all pods. */
  readonly name: string;
  /** Name of the PersistentVolume, or of the volume in the pod. */
  readonly specName: string;
  readonly isMultiAttachAllowed: boolean;
  /** Absent if the attach does nothing. */
  readonly csi?: { readonly driver: string; readonly handle: string };
  /** The spec that the VolumeAttachment carries if the volume has no PersistentVolume. */
  readonly inlineSpec?: PersistentVolumeSpec;
}

/** A driver without a CSIDriver object is assumed to need the attach. Upstream: csiPlugin.CanAttach. */
export function isAttachRequired(driver: CSIDriver | undefined): boolean {
  return driver?.spec.attachRequired !== false;
}

/** A cache by version of the volume: names are asked for at every change of its pods. */
const known = new WeakMap<
  PersistentVolume,
  { readonly attachable: AttachableVolume | undefined }
>();

/** Returns the volume as something to attach, migrated sources as their translation; undefined if it needs no attach. */
export function attachableVolume(
  volume: PersistentVolume,
  driverOf: (name: string) => CSIDriver | undefined,
): AttachableVolume | undefined {
  let entry = known.get(volume);
  if (entry === undefined) {
    entry = { attachable: whereRequired(translatedVolume(volume)) };
    known.set(volume, entry);
  }
  const { attachable } = entry;
  if (attachable?.csi === undefined) return attachable;
  return isAttachRequired(driverOf(attachable.csi.driver)) ? attachable : undefined;
}

/** Like `attachableVolume`, assuming that the driver requires the attach. */
function whereRequired(volume: PersistentVolume): AttachableVolume | undefined {
  const { spec } = volume;
  const specName = volume.metadata.name;
  const modes = spec.accessModes ?? [];
  const isMultiAttachAllowed =
    modes.length === 0 || modes.includes("ReadWriteMany") || modes.includes("ReadOnlyMany");
  if (spec.csi !== undefined) {
    const { driver, volumeHandle: handle } = spec.csi;
    const name = uniqueVolumeName(csiPluginName, csiVolumeName(driver, handle));
    return { name, specName, isMultiAttachAllowed, csi: { driver, handle } };
  }
  const name = networkVolumeName(spec);
  return name === undefined ? undefined : { name, specName, isMultiAttachAllowed };
}

/** A volume in the pod's spec. Inline CSI volumes are never attached. */
export function attachableInlineVolume(volume: Volume): AttachableVolume | undefined {
  const name = networkVolumeName(volume);
  if (name === undefined) return undefined;
  return { name, specName: volume.name, isMultiAttachAllowed: true };
}

function networkVolumeName(source: Pick<PersistentVolumeSpec, "iscsi" | "fc">): string | undefined {
  const { iscsi, fc } = source;
  if (iscsi !== undefined) return uniqueVolumeName("kubernetes.io/iscsi", iscsiVolumeName(iscsi));
  return fc === undefined ? undefined : uniqueVolumeName("kubernetes.io/fc", fcVolumeName(fc));
}

/** Returns driver and handle from a unique name; undefined if it is not that of a CSI volume. */
export function csiOfUniqueName(
  name: string,
): { readonly driver: string; readonly handle: string } | undefined {
  const prefix = `${csiPluginName}/`;
  const caret = name.indexOf("^");
  if (!name.startsWith(prefix) || caret < 0) return undefined;
  return { driver: name.slice(prefix.length, caret), handle: name.slice(caret + 1) };
}
