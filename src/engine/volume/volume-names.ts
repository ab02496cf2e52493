/**
 * Names that attach-detach controller, attacher and kubelet must agree on. Upstream: pkg/volume/util GetUniqueVolumeName…,
 * pkg/volume/csi csi_attacher.go getAttachmentName, csi_plugin.go GetVolumeName v1.36.
 */
import type { FcSource } from "./fc-devices.ts";
import { sha256 } from "./sha256.ts";

export const csiPluginName = "kubernetes.io/csi";

/** Name of a volume of an attachable or device-mountable plugin: the same for all pods. */
export function uniqueVolumeName(plugin: string, volumeName: string): string {
  return `${plugin}/${volumeName}`;
}

/** Name of a volume of any other plugin: each pod has its own. */
export function uniqueVolumeNameWithPod(plugin: string, podUid: string, specName: string): string {
  return `${plugin}/${podUid}-${specName}`;
}

export function csiVolumeName(driver: string, volumeHandle: string): string {
  return `${driver}^${volumeHandle}`;
}

export function uniqueCsiVolumeName(driver: string, volumeHandle: string): string {
  return uniqueVolumeName(csiPluginName, csiVolumeName(driver, volumeHandle));
}

/** Name of the VolumeAttachment object. */
export function attachmentName(volumeHandle: string, driver: string, node: string): string {
  return `csi-${sha256(volumeHandle + driver + node)}`;
}

/** Volume handle of a CSI volume in a pod's spec. Upstream: makeVolumeHandle. */
export function inlineVolumeHandle(podUid: string, podVolumeName: string): string {
  return `csi-${sha256(podUid + podVolumeName)}`;
}

/** Upstream: iscsiPlugin.GetVolumeName. */
export function iscsiVolumeName(source: {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
}): string {
  return `${source.targetPortal}:${source.iqn}:${source.lun}`;
}

/** Upstream: fcPlugin.GetVolumeName. */
export function fcVolumeName({ targetWWNs = [], lun = 0, wwids = [] }: FcSource): string {
  return targetWWNs.length > 0 ? `[${targetWWNs.join(" ")}]:${lun}` : `[${wwids.join(" ")}]`;
}
