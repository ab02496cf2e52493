/**
 * CSI volumes with a file system: NodeStageVolume once per node, NodePublishVolume once per pod, and back.
 * Upstream: pkg/volume/csi/csi_attacher.go, csi_mounter.go, csi_plugin.go v1.36.
 * Not modeled: SELinux mount options; no simulated node has SELinux.
 */
import type { VolumeCapability } from "../../csi/messages.ts";
import type { SecretField } from "../../csi/read-secret.ts";
import { callDriver, getLive, type Task } from "../../runtime/effects.ts";
import { keepsRecordsOfFoundVolumes } from "../../version-differences.ts";
import { csiOfUniqueName } from "../../volume/attachable-volume.ts";
import { attachmentName, csiPluginName, csiVolumeName } from "../../volume/volume-names.ts";
import { csiBlock } from "./csi-block.ts";
import {
  callFailure,
  capabilitiesError,
  csiCallLimitMs,
  nonEmpty,
  unregistered,
} from "./csi-call.ts";
import { expandOnNode } from "./csi-expansion.ts";
import {
  csiDriverName,
  csiDriverObject,
  csiSource,
  csiVolumeHandle,
  devicePathOf,
  hasNodeCapability,
  isReadOnly,
  needsAttach,
  podInfo,
  publishContext,
  readSecrets,
  tokenContext,
  tokenError,
  volumeCapability,
  withTokens,
} from "./csi-source.ts";
import { changeOwnership, needsFsGroupChange } from "./fs-group.ts";
import { csiDeviceDirectory, csiStagingPath, podVolumeDirectory } from "./paths.ts";
import {
  type DeviceRecord,
  final,
  type MountRequest,
  transient,
  type UnmountRequest,
  type VolumeHost,
  type VolumePlugin,
  type VolumeResult,
  type VolumeSpec,
} from "./plugin.ts";

export const csiPlugin: VolumePlugin = {
  name: csiPluginName,
  supportsMountOptions: true,
  supports: (spec) => csiDriverName(spec) !== "",
  volumeName: (spec) => csiVolumeName(csiDriverName(spec), csiSource(spec)?.volumeHandle ?? ""),
  requiresRemount: (host, spec) =>
    csiDriverObject(host, csiDriverName(spec))?.spec.requiresRepublish === true,
  isAttachable: (host, spec) =>
    csiSource(spec) !== undefined && needsAttach(host, csiDriverName(spec)),
  isDeviceMountable: (spec) => csiSource(spec) !== undefined,
  waitForAttach,
  mountDevice,
  setUp,
  tearDown,
  unmountDevice,
  nodeExpand: expandOnNode,
  block: csiBlock,
};

/** Checks the VolumeAttachment once. Upstream: csiAttacher.WaitForAttach, verifyAttachmentStatus. */
function* waitForAttach(host: VolumeHost, spec: VolumeSpec): Task<VolumeResult> {
  const source = csiSource(spec);
  if (source === undefined || !needsAttach(host, source.driver)) return undefined;
  const { volumeHandle, driver } = source;
  const name = attachmentName(volumeHandle, driver, host.nodeName);
  const found = yield* getLive("VolumeAttachment", undefined, name);
  if (!found.ok) {
    return final(
      `volume ${volumeHandle} has GET error for volume attachment ${name}: ${found.error.message}`,
    );
  }
  const { metadata, status } = found.object;
  if (metadata.deletionTimestamp !== undefined) return final("volume attachment is being deleted");
  if (status?.attached === true) return undefined;
  if (status?.attachError !== undefined) return final(status.attachError.message ?? "");
  return final(`volume ${volumeHandle} is not attached for volume attachment ${name}`);
}

function* mountDevice(host: VolumeHost, request: MountRequest): Task<VolumeResult> {
  const { spec } = request;
  const source = csiSource(spec);
  if (source === undefined) {
    const step = "attacher.MountDevice failed to get CSIPersistentVolumeSource";
    return final(`kubernetes.io/csi: ${step}: unexpected api.CSIVolumeSource found in volume.Spec`);
  }
  const { driver, volumeHandle } = source;
  const missing = unregistered(host, driver);
  if (missing !== undefined) {
    const step = "attacher.MountDevice failed to create newCsiDriverClient";
    return transient(`kubernetes.io/csi: ${step}: ${missing}`);
  }
  const unanswered = yield* capabilitiesError(host, driver);
  if (unanswered !== undefined) return unanswered;
  const stages = hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME");
  const published = yield* publishContext(host, spec);
  if (!published.ok) return transient(published.error);
  const secret = stages ? source.nodeStageSecretRef : undefined;
  const read = yield* readSecrets("fetching NodeStageSecretRef", secret, " failed");
  if (!read.ok) return transient(read.error);
  const directory = csiDeviceDirectory(driver, volumeHandle);
  const target = csiStagingPath(driver, volumeHandle);
  host.machine.files.makeDirectories(target, 0o750);
  host.machine.writeData(`${directory}/vol_data.json`, { driverName: driver, volumeHandle });
  if (!stages) return undefined;
  const stage = {
    volume_id: volumeHandle,
    ...(published.context !== undefined && { publish_context: published.context }),
    staging_target_path: target,
    volume_capability: mountCapability(host, request),
    ...read.field,
    ...nonEmpty("volume_context", source.volumeAttributes),
  };
  // The access mode depends on the plugin's capabilities.
  const unknown =
    (yield* mountGroupError(host, driver, "attacher.MountDevice")) ??
    (yield* capabilitiesError(host, driver));
  const failure =
    unknown ??
    callFailure(yield* callDriver(driver, host.nodeName, "NodeStageVolume", stage, csiCallLimitMs));
  // An existing mount stays: a restarted kubelet may have tried this again. Upstream: removeMountDir.
  const isMountPoint = host.machine.mountsAreReal && host.machine.mounts.get(target) !== undefined;
  if (failure?.kind === "final" && !isMountPoint) host.machine.removeAll(directory);
  if (failure === undefined) {
    host.machine.mounts.mount({
      source: devicePathOf(published.context, volumeHandle),
      target,
      fsType: source.fsType ?? "ext4",
      options: spec.persistentVolume?.spec.mountOptions ?? [],
    });
  }
  return failure;
}

/**
 * Returns why the driver does not serve this kind of volume; undefined if it does. Upstream:
 * csiPlugin.supportsVolumeLifecycleMode.
 */
function lifecycleError(host: VolumeHost, spec: VolumeSpec): string | undefined {
  const driver = csiDriverName(spec);
  const mode = csiSource(spec) === undefined ? "Ephemeral" : "Persistent";
  const object = csiDriverObject(host, driver);
  const refused = `volume mode "${mode}" not supported by driver ${driver}`;
  if (object === undefined) {
    return mode === "Persistent" ? undefined : `${refused} (no CSIDriver object)`;
  }
  const modes = object.spec.volumeLifecycleModes ?? [];
  const known = modes.length === 0 ? ["Persistent"] : modes;
  if (known.includes(mode)) return undefined;
  return `${refused} (only supports [${known.map((m) => `"${m}"`).join(" ")}])`;
}

function* setUp(host: VolumeHost, request: MountRequest): Task<VolumeResult> {
  const { spec, pod } = request;
  const driver = csiDriverName(spec);
  const missing = unregistered(host, driver);
  if (missing !== undefined) {
    return transient(`kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ${missing}`);
  }
  const refused = lifecycleError(host, spec);
  if (refused !== undefined) {
    const step = "mounter.SetupAt failed to check volume lifecycle mode";
    return transient(`kubernetes.io/csi: ${step}: ${refused}`);
  }
  if (csiSource(spec) !== undefined) {
    const step = "mounter.SetUpAt failed to check for STAGE_UNSTAGE_VOLUME capability";
    const unanswered = yield* capabilitiesError(host, driver, `kubernetes.io/csi: ${step}: `);
    if (unanswered !== undefined) return unanswered;
  }
  const found = yield* publishContext(host, spec);
  if (!found.ok) {
    const step = "mounter.SetUpAt failed to fetch publishContext";
    return transient(`kubernetes.io/csi: ${step}: ${found.error}`);
  }
  const fetching = "fetching NodePublishSecretRef";
  const read = yield* readSecrets(fetching, publishSecret(request), " failed");
  if (!read.ok) return transient(read.error);
  const noToken = yield* tokenError(host, csiDriverObject(host, driver), pod);
  if (noToken !== undefined) {
    const step = "mounter.SetUpAt failed to get service accoount token attributes";
    return transient(`kubernetes.io/csi: ${step}: ${noToken}`);
  }
  const ungrouped = yield* mountGroupError(host, driver, "mounter.SetUpAt");
  if (ungrouped !== undefined) return ungrouped;
  const directory = podVolumeDirectory(pod.metadata.uid, csiPluginName, spec.name);
  const volumeHandle = csiVolumeHandle(spec, pod.metadata.uid);
  host.machine.writeData(`${directory}/vol_data.json`, dataOf(host, spec, volumeHandle));
  const isStaged =
    csiSource(spec) !== undefined && hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME");
  const published: Published = {
    context: found.context,
    staging: isStaged ? csiStagingPath(driver, volumeHandle) : undefined,
    target: `${directory}/mount`,
  };
  const publish = publishRequest(host, request, published, read.field);
  const call = "NodePublishVolume";
  const unknown = yield* capabilitiesError(host, driver);
  const failure =
    unknown ?? callFailure(yield* callDriver(driver, host.nodeName, call, publish, csiCallLimitMs));
  // Keeps an existing mount after a failed remount, and records of one that may still have to be unpublished.
  const isKept =
    host.machine.mounts.get(published.target) !== undefined ||
    (request.isReconstructed === true && keepsRecordsOfFoundVolumes(host.context.version));
  if (failure?.kind === "final" && !isKept) host.machine.removeAll(directory);
  if (failure !== undefined) return failure;
  notePublished(host, request, published);
  const group = pod.spec.securityContext?.fsGroup;
  if (group === undefined) return undefined;
  const { target } = published;
  if (hasNodeCapability(host, driver, "VOLUME_MOUNT_GROUP")) {
    host.machine.files.setGroup(target, group);
  } else if (needsFsGroupChange(csiDriverObject(host, driver), spec)) {
    yield* changeOwnership(host, { pod, target, group, driver, volumeHandle });
  }
  return undefined;
}

/** Its failure is transient: what is mounted stays. Upstream: NodeSupportsVolumeMountGroup. */
function* mountGroupError(host: VolumeHost, driver: string, step: string): Task<VolumeResult> {
  const asking = "failed to determine if the node service has VOLUME_MOUNT_GROUP capability";
  const unanswered = yield* capabilitiesError(
    host,
    driver,
    `kubernetes.io/csi: ${step} ${asking}: `,
  );
  return unanswered && transient(unanswered.error);
}

/** Passes the pod's fsGroup to drivers with VOLUME_MOUNT_GROUP. */
function mountCapability(
  host: VolumeHost,
  { spec, pod }: Pick<MountRequest, "spec" | "pod">,
): VolumeCapability {
  const capability = volumeCapability(host, spec);
  const group = pod.spec.securityContext?.fsGroup;
  const isTold = hasNodeCapability(host, csiDriverName(spec), "VOLUME_MOUNT_GROUP");
  if (group === undefined || !isTold) return capability;
  return { ...capability, mount: { ...capability.mount, volume_mount_group: String(group) } };
}

function publishSecret(
  request: MountRequest,
): { readonly namespace?: string; readonly name?: string } | undefined {
  const inline = request.spec.volume?.csi?.nodePublishSecretRef;
  const namespace = request.pod.metadata.namespace;
  if (inline !== undefined) return { ...inline, ...(namespace !== undefined && { namespace }) };
  return csiSource(request.spec)?.nodePublishSecretRef;
}

function dataOf(
  host: VolumeHost,
  spec: VolumeSpec,
  volumeHandle: string,
): Readonly<Record<string, string>> {
  const driver = csiDriverName(spec);
  const isPersistent = csiSource(spec) !== undefined;
  return {
    specVolID: spec.name,
    volumeHandle,
    driverName: driver,
    nodeName: host.nodeName,
    attachmentID: attachmentName(volumeHandle, driver, host.nodeName),
    volumeLifecycleMode: isPersistent ? "Persistent" : "Ephemeral",
  };
}

/** Where a volume is published for a pod, and from where. */
interface Published {
  /** What ControllerPublishVolume answered. */
  readonly context: Readonly<Record<string, string>> | undefined;
  /** Undefined if the driver does not stage. */
  readonly staging: string | undefined;
  readonly target: string;
}

function publishRequest(
  host: VolumeHost,
  request: MountRequest,
  { context, staging, target }: Published,
  secrets: SecretField,
): Readonly<Record<string, unknown>> {
  const { spec, pod } = request;
  const source = csiSource(spec);
  const driver = csiDriverName(spec);
  const volumeHandle = csiVolumeHandle(spec, pod.metadata.uid);
  const object = csiDriverObject(host, driver);
  const wantsPodInfo = object?.spec.podInfoOnMount === true;
  const attributes = source?.volumeAttributes ?? spec.volume?.csi?.volumeAttributes;
  return {
    volume_id: volumeHandle,
    ...(context !== undefined && { publish_context: context }),
    ...(staging !== undefined && { staging_target_path: staging }),
    target_path: target,
    volume_capability: mountCapability(host, request),
    ...withTokens(object, secrets),
    ...(isReadOnly(spec) && { readonly: true }),
    ...nonEmpty("volume_context", {
      ...attributes,
      ...(wantsPodInfo && podInfo(request)),
      ...tokenContext(object),
    }),
  };
}

/** Records the mount. */
function notePublished(
  host: VolumeHost,
  { spec, pod }: MountRequest,
  { context, staging, target }: Published,
): void {
  const source = csiSource(spec);
  host.machine.files.makeDirectories(target);
  host.machine.mounts.mount({
    source: staging ?? devicePathOf(context, csiVolumeHandle(spec, pod.metadata.uid)),
    target,
    fsType: source?.fsType ?? spec.volume?.csi?.fsType ?? "ext4",
    options: [
      ...(spec.persistentVolume?.spec.mountOptions ?? []),
      ...(isReadOnly(spec) ? ["ro"] : []),
    ],
  });
}

function* tearDown(host: VolumeHost, request: UnmountRequest): Task<VolumeResult> {
  const directory = podVolumeDirectory(request.podUid, csiPluginName, request.specName);
  const file = `${directory}/vol_data.json`;
  const data = host.machine.readData(file);
  // Its record was removed after a failed mount, but a kubelet before 1.36 that found the volume at its start still tries to
  // unmount it. Upstream: NewUnmounter.
  if (data === undefined) {
    const why = `failed to open volume data file [${file}]: open ${file}: no such file or directory`;
    const step = `unmounter failed to load volume data file [${directory}/mount]`;
    return transient(`kubernetes.io/csi: ${step}: kubernetes.io/csi: ${why}`);
  }
  const driver = data["driverName"] ?? "";
  const missing = unregistered(host, driver);
  if (missing !== undefined) {
    return transient(
      `kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: ${missing}`,
    );
  }
  const unpublish = { volume_id: data["volumeHandle"], target_path: `${directory}/mount` };
  const call = "NodeUnpublishVolume";
  const result = yield* callDriver(driver, host.nodeName, call, unpublish, csiCallLimitMs);
  const failure = callFailure(result, "kubernetes.io/csi: Unmounter.TearDownAt failed: ");
  if (failure !== undefined) return failure;
  host.machine.mounts.unmount(`${directory}/mount`);
  host.machine.removeAll(directory);
  return undefined;
}

function* unmountDevice(host: VolumeHost, device: DeviceRecord): Task<VolumeResult> {
  const { driver = "", handle: volumeHandle = "" } = csiOfUniqueName(device.uniqueName) ?? {};
  const directory = csiDeviceDirectory(driver, volumeHandle);
  if (host.machine.readData(`${directory}/vol_data.json`) === undefined) return undefined;
  const target = csiStagingPath(driver, volumeHandle);
  const missing = unregistered(host, driver);
  if (missing !== undefined) {
    const step = "attacher.UnmountDevice failed to create newCsiDriverClient";
    return transient(`kubernetes.io/csi: ${step}: ${missing}`);
  }
  const asking = "attacher.UnmountDevice failed to check whether STAGE_UNSTAGE_VOLUME set";
  const unanswered = yield* capabilitiesError(host, driver, `kubernetes.io/csi: ${asking}: `);
  if (unanswered !== undefined) return unanswered;
  if (hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME")) {
    const unstage = { volume_id: volumeHandle, staging_target_path: target };
    const call = "NodeUnstageVolume";
    const result = yield* callDriver(driver, host.nodeName, call, unstage, csiCallLimitMs);
    const failure = callFailure(result);
    if (failure !== undefined) return failure;
  }
  host.machine.mounts.unmount(target);
  host.machine.removeAll(directory);
  return undefined;
}
