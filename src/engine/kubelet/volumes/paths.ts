/** The kubelet's paths on its machine. Upstream: pkg/kubelet/kubelet_getters.go, pkg/volume/csi/csi_util.go v1.36. */
import { kubeletRoot } from "../../node/machine.ts";
import { sha256 } from "../../volume/sha256.ts";

export function podDirectory(podUid: string): string {
  return `${kubeletRoot}/pods/${podUid}`;
}

export function podVolumeDirectory(podUid: string, plugin: string, specName: string): string {
  return `${podDirectory(podUid)}/volumes/${plugin.replace("/", "~")}/${specName}`;
}

export function podBlockDirectory(podUid: string, plugin: string): string {
  return `${podDirectory(podUid)}/volumeDevices/${plugin.replace("/", "~")}`;
}

/** Where the sub-paths of a volume are bind-mounted, in a folder for each container. */
export function subPathsDirectory(podUid: string, specName: string): string {
  return `${podDirectory(podUid)}/volume-subpaths/${specName}`;
}

/** The directory of an in-tree plugin's raw devices. Upstream: getVolumeDevicePluginDir. */
export function blockDirectory(plugin: string): string {
  return `${kubeletRoot}/plugins/${plugin}/volumeDevices`;
}

const csiPlugins = `${kubeletRoot}/plugins/kubernetes.io/csi`;

/** Directory of a volume's staging mount and its vol_data.json. */
export function csiDeviceDirectory(driver: string, volumeHandle: string): string {
  return `${csiPlugins}/${driver}/${sha256(volumeHandle)}`;
}

export function csiStagingPath(driver: string, volumeHandle: string): string {
  return `${csiDeviceDirectory(driver, volumeHandle)}/globalmount`;
}

export function csiBlockStagingPath(specName: string): string {
  return `${csiPlugins}/volumeDevices/staging/${specName}`;
}
export function csiBlockPublishDirectory(specName: string): string {
  return `${csiPlugins}/volumeDevices/publish/${specName}`;
}
export function csiBlockPublishPath(specName: string, podUid: string): string {
  return `${csiBlockPublishDirectory(specName)}/${podUid}`;
}
export function csiBlockDirectory(specName: string): string {
  return `${csiPlugins}/volumeDevices/${specName}`;
}
export function csiBlockMapDirectory(specName: string): string {
  return `${csiBlockDirectory(specName)}/dev`;
}
export function csiBlockDataPath(specName: string): string {
  return `${csiBlockDirectory(specName)}/data/vol_data.json`;
}
