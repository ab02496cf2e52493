/**
 * CSI volumes as raw devices: staged once per node, published once per pod. Upstream: pkg/volume/csi/csi_block.go v1.36.
 */
import type { CSIPersistentVolumeSource } from "../../api/types.ts";
import { callDriver, type Task } from "../../runtime/effects.ts";
import { csiOfUniqueName } from "../../volume/attachable-volume.ts";
import { attachmentName } from "../../volume/volume-names.ts";
import {
  callFailure,
  capabilitiesError,
  csiCallLimitMs,
  nonEmpty,
  unregistered,
} from "./csi-call.ts";
import {
  csiDriverObject,
  csiSource,
  devicePathOf,
  hasNodeCapability,
  isReadOnly,
  podInfo,
  publishContext,
  readSecrets,
  volumeCapability,
} from "./csi-source.ts";
import {
  csiBlockDataPath,
  csiBlockDirectory,
  csiBlockMapDirectory,
  csiBlockPublishDirectory,
  csiBlockPublishPath,
  csiBlockStagingPath,
} from "./paths.ts";
import {
  type BlockPlugin,
  type DeviceRecord,
  final,
  type MountRequest,
  transient,
  type UnmountRequest,
  type VolumeFailure,
  type VolumeHost,
  type VolumeResult,
} from "./plugin.ts";

export const csiBlock: BlockPlugin = {
  globalMapDirectory: (spec) => csiBlockMapDirectory(spec.name),
  setUpDevice,
  mapPodDevice,
  unmapPodDevice,
  tearDownDevice,
};

function clientError(host: VolumeHost, driver: string, step: string): VolumeResult {
  const missing = unregistered(host, driver);
  if (missing === undefined) return undefined;
  return transient(`kubernetes.io/csi: blockMapper.${step} failed to get CSI client: ${missing}`);
}

/** Upstream: NodeSupportsStageUnstage. */
function stagingError(host: VolumeHost, driver: string, step: string): Task<VolumeResult> {
  const asking = `blockMapper.${step} failed to check STAGE_UNSTAGE_VOLUME capability`;
  return capabilitiesError(host, driver, `kubernetes.io/csi: ${asking}: `);
}

function attachmentError(
  { nodeName }: VolumeHost,
  { driver, volumeHandle }: CSIPersistentVolumeSource,
  step: string,
  why: string,
): VolumeFailure {
  const id = attachmentName(volumeHandle, driver, nodeName);
  const text = `blockMapper.${step} failed to get volume attachment [id=${id}]: ${why}`;
  return transient(`kubernetes.io/csi: ${text}`);
}

function* setUpDevice(host: VolumeHost, { spec }: MountRequest): Task<VolumeResult> {
  const source = csiSource(spec);
  if (source === undefined) return final("CSIPersistentVolumeSource not defined in spec");
  const { driver, volumeHandle } = source;
  const published = yield* publishContext(host, spec);
  if (!published.ok) return attachmentError(host, source, "SetupDevice", published.error);
  const missing = clientError(host, driver, "SetUpDevice");
  if (missing !== undefined) return missing;
  host.machine.writeData(csiBlockDataPath(spec.name), { driverName: driver, volumeHandle });
  const unanswered = yield* stagingError(host, driver, "stageVolumeForBlock");
  if (unanswered !== undefined) return unanswered;
  if (!hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME")) return undefined;
  const step = "kubernetes.io/csi: failed to get NodeStageSecretRef";
  const read = yield* readSecrets(step, source.nodeStageSecretRef);
  if (!read.ok) return transient(read.error);
  const target = csiBlockStagingPath(spec.name);
  host.machine.files.makeDirectories(target, 0o750);
  const stage = {
    volume_id: volumeHandle,
    ...(published.context !== undefined && { publish_context: published.context }),
    staging_target_path: target,
    volume_capability: volumeCapability(host, spec),
    ...read.field,
    ...nonEmpty("volume_context", source.volumeAttributes),
  };
  const call = "NodeStageVolume";
  // The access mode depends on the plugin's capabilities.
  const unknown = yield* capabilitiesError(host, driver);
  const failure =
    unknown ?? callFailure(yield* callDriver(driver, host.nodeName, call, stage, csiCallLimitMs));
  if (failure?.kind === "final") removeOrphans(host, spec.name);
  return failure;
}

function* mapPodDevice(host: VolumeHost, request: MountRequest): Task<VolumeResult> {
  const { spec, pod } = request;
  const source = csiSource(spec);
  if (source === undefined) return final("CSIPersistentVolumeSource not defined in spec");
  const { driver, volumeHandle } = source;
  const published = yield* publishContext(host, spec);
  if (!published.ok) return attachmentError(host, source, "MapPodDevice", published.error);
  const missing = clientError(host, driver, "MapPodDevice");
  if (missing !== undefined) return missing;
  const step = "blockMapper.publishVolumeForBlock failed to get NodePublishSecretRef";
  const read = yield* readSecrets(`kubernetes.io/csi: ${step}`, source.nodePublishSecretRef);
  if (!read.ok) return transient(read.error);
  const stages = hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME");
  const wantsPodInfo = csiDriverObject(host, driver)?.spec.podInfoOnMount === true;
  host.machine.files.makeDirectories(csiBlockPublishDirectory(spec.name), 0o750);
  const target = csiBlockPublishPath(spec.name, pod.metadata.uid);
  const publish = {
    volume_id: volumeHandle,
    ...(published.context !== undefined && { publish_context: published.context }),
    ...(stages && { staging_target_path: csiBlockStagingPath(spec.name) }),
    target_path: target,
    volume_capability: volumeCapability(host, spec),
    ...read.field,
    ...(isReadOnly(spec) && { readonly: true }),
    ...nonEmpty("volume_context", {
      ...source.volumeAttributes,
      ...(wantsPodInfo && podInfo(request)),
    }),
  };
  const call = "NodePublishVolume";
  const unknown = yield* capabilitiesError(host, driver);
  const failure =
    unknown ?? callFailure(yield* callDriver(driver, host.nodeName, call, publish, csiCallLimitMs));
  if (failure !== undefined) return failure;
  const device = devicePathOf(published.context, volumeHandle);
  host.machine.files.makeFile(target);
  host.machine.mounts.mount({ source: device, target, fsType: "", options: [], device: true });
  return undefined;
}

function* unmapPodDevice(host: VolumeHost, request: UnmountRequest): Task<VolumeResult> {
  const data = host.machine.readData(csiBlockDataPath(request.specName));
  if (data === undefined) return undefined;
  const driver = data["driverName"] ?? "";
  const missing = clientError(host, driver, "UnmapPodDevice");
  if (missing !== undefined) return missing;
  const target = csiBlockPublishPath(request.specName, request.podUid);
  const unpublish = { volume_id: data["volumeHandle"], target_path: target };
  const call = "NodeUnpublishVolume";
  const result = yield* callDriver(driver, host.nodeName, call, unpublish, csiCallLimitMs);
  const failure = callFailure(result);
  if (failure === undefined) {
    host.machine.mounts.unmount(target);
    host.machine.removeAll(target);
  }
  return failure;
}

function* tearDownDevice(host: VolumeHost, device: DeviceRecord): Task<VolumeResult> {
  const { driver = "", handle: volumeHandle = "" } = csiOfUniqueName(device.uniqueName) ?? {};
  const target = csiBlockStagingPath(device.specName);
  const missing = clientError(host, driver, "TearDownDevice");
  if (missing !== undefined) return missing;
  const isThere = host.machine.files.exists(target);
  const unanswered = isThere
    ? yield* stagingError(host, driver, "unstageVolumeForBlock")
    : undefined;
  if (unanswered !== undefined) return unanswered;
  if (isThere && hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME")) {
    const unstage = { volume_id: volumeHandle, staging_target_path: target };
    const call = "NodeUnstageVolume";
    const result = yield* callDriver(driver, host.nodeName, call, unstage, csiCallLimitMs);
    const failure = callFailure(result);
    if (failure !== undefined) return failure;
  }
  removeOrphans(host, device.specName);
  return undefined;
}

/**
 * Removes the volume's files; none while the device is published to a pod, when upstream's rmdir fails. Upstream:
 * cleanupOrphanDeviceFiles.
 */
function removeOrphans({ machine }: VolumeHost, specName: string): void {
  if (machine.files.below(csiBlockPublishDirectory(specName)).length > 0) return;
  machine.removeAll(csiBlockPublishDirectory(specName));
  machine.removeAll(csiBlockStagingPath(specName));
  machine.removeAll(csiBlockDirectory(specName));
}
