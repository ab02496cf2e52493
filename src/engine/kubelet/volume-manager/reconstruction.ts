/**
 * Finds the volumes that a kubelet's predecessor left mounted. Each counts as uncertain: it is mounted again if a pod wants it,
 * and can be unmounted if none does. Upstream: pkg/kubelet/volumemanager/reconciler/reconstruct.go v1.36.
 */
import type { PersistentVolume } from "../../api/types.ts";
import { kubeletRoot } from "../../node/machine.ts";
import { getLive, sleep, type Task } from "../../runtime/effects.ts";
import {
  csiPluginName,
  uniqueCsiVolumeName,
  uniqueVolumeNameWithPod,
} from "../../volume/volume-names.ts";
import { csiBlockDataPath, podBlockDirectory, podVolumeDirectory } from "../volumes/paths.ts";
import type { VolumeHost, VolumePlugin, VolumeSpec } from "../volumes/plugin.ts";
import { pluginNamed } from "../volumes/plugins.ts";
import type { ActualState } from "./actual-state.ts";

const loopMs = 100;

/** What the path of a directory tells about a volume. */
interface FoundVolume {
  readonly plugin: VolumePlugin;
  readonly podUid: string;
  readonly specName: string;
  readonly isBlock: boolean;
}

/** Fills the actual state from the pods' directories. */
export function reconstruct(host: VolumeHost, actual: ActualState): void {
  const found = /^([^/]+)\/(volumes|volumeDevices)\/([^/]+)\/([^/]+)$/;
  for (const path of host.machine.files.below(`${kubeletRoot}/pods`)) {
    const match = found.exec(path.slice(`${kubeletRoot}/pods/`.length));
    if (match === null) continue;
    const [, podUid = "", kind, directory = "", specName = ""] = match;
    const plugin = pluginNamed(directory.replace("~", "/"));
    if (plugin === undefined) continue;
    const isBlock = kind === "volumeDevices";
    addReconstructed(host, actual, { plugin, podUid, specName, isBlock });
  }
}

/**
 * Takes from the Node which of the found volumes are attachable: those that its status lists as attached. Others are not
 * reported in use. Upstream: updateReconstructedFromNodeStatus.
 */
export function* updateFromNodeStatus(host: VolumeHost, actual: ActualState): Task {
  const found = [...actual.volumes.values()].filter((volume) => volume.isReconstructed);
  while (found.length > 0) {
    const node = yield* getLive("Node", undefined, host.nodeName);
    if (node.ok) {
      const { volumesAttached = [] } = node.object.status ?? {};
      for (const volume of found)
        volume.isAttachable = volumesAttached.some(({ name }) => name === volume.uniqueName);
      return;
    }
    yield* sleep(loopMs);
  }
}

function addReconstructed(host: VolumeHost, actual: ActualState, found: FoundVolume): void {
  const { plugin, podUid, specName, isBlock } = found;
  const spec = specOf(host, found);
  const source = spec.persistentVolume?.spec.csi;
  const uniqueName =
    source !== undefined
      ? uniqueCsiVolumeName(source.driver, source.volumeHandle)
      : plugin.isDeviceMountable(spec)
        ? (networkDisk(host, found) ?? `${plugin.name}/${specName}`)
        : uniqueVolumeNameWithPod(plugin.name, podUid, specName);
  const volume = actual.attach({
    uniqueName,
    plugin,
    isAttachable: false,
    specName,
    isBlock,
    isReconstructed: true,
    claimSize: undefined,
  });
  if (plugin.isDeviceMountable(spec)) volume.device = "Uncertain";
  actual.setPod(volume, {
    podUid,
    spec,
    isBlock,
    state: "Uncertain",
    isRemountRequired: false,
    isReconstructed: true,
  });
}

/**
 * The unique name of a found iSCSI or FC disk: its pod mount leads to the mount that all pods share, and that to the disk; a
 * raw device is found by its link. Undefined if there is none.
 * Upstream: ConstructVolumeSpec and ConstructBlockVolumeSpec of iscsi and fc.
 */
function networkDisk(
  { machine }: VolumeHost,
  { plugin: { name }, podUid, specName, isBlock }: FoundVolume,
): string | undefined {
  if (isBlock) return machine.readData(`${podBlockDirectory(podUid, name)}/${specName}`)?.["disk"];
  const { mounts } = machine;
  const shared = mounts.get(podVolumeDirectory(podUid, name, specName))?.source;
  const disk = shared === undefined ? undefined : mounts.get(shared)?.source;
  return disk?.startsWith(`${name}/`) === true ? disk : undefined;
}

/** Rebuilds as much of the spec as the disk has. Upstream: ConstructVolumeSpec of the plugins. */
function specOf(host: VolumeHost, { plugin, podUid, specName, isBlock }: FoundVolume): VolumeSpec {
  if (plugin.name === "kubernetes.io/local-volume") {
    return {
      name: specName,
      persistentVolume: volumeNamed(specName, { local: { path: "" } }),
      readOnly: false,
    };
  }
  if (plugin.name !== csiPluginName)
    return { name: specName, volume: { name: specName }, readOnly: false };
  const directory = podVolumeDirectory(podUid, csiPluginName, specName);
  const path = isBlock ? csiBlockDataPath(specName) : `${directory}/vol_data.json`;
  const data = host.machine.readData(path) ?? {};
  const driver = data["driverName"] ?? "";
  if (data["volumeLifecycleMode"] === "Ephemeral") {
    return { name: specName, volume: { name: specName, csi: { driver } }, readOnly: false };
  }
  const csi = { driver, volumeHandle: data["volumeHandle"] ?? "" };
  return { name: specName, persistentVolume: volumeNamed(specName, { csi }), readOnly: false };
}

function volumeNamed(name: string, spec: PersistentVolume["spec"]): PersistentVolume {
  const metadata = { name, uid: "", resourceVersion: "", creationTimestamp: "", generation: 1 };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata, spec };
}
