/**
 * Brings the actual state of volumes closer to the desired one: unmounts, then mounts, then takes devices down. Operations run
 * concurrently. Upstream: pkg/kubelet/volumemanager/reconciler reconciler_common.go v1.36. A pass covers only volumes that
 * something happened to, instead of all of them each 100 ms; the result is the same.
 */
import { grantedStorage } from "../../api/claim-size.ts";
import { type Key, makeKey, makeRef, refOf } from "../../api/meta.ts";
import { compareQuantityTexts } from "../../api/quantity.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import type { Instant } from "../../trace/instant.ts";
import type { OperationKey, PendingOperations } from "../../volume/pending-operations.ts";
import { subPathsDirectory } from "../volumes/paths.ts";
import { isBlockVolume, type VolumeFailure, type VolumeHost } from "../volumes/plugin.ts";
import type { ActualState, ActualVolume, MountedPod } from "./actual-state.ts";
import type { DesiredPod, DesiredState, DesiredVolume } from "./desired-state.ts";
import { mapVolume, unlinkDevice } from "./map-operation.ts";
import { objectsBehind } from "./mount-attempt.ts";
import { mountVolume } from "./mount-operation.ts";
import { expandInUse } from "./node-expansion.ts";

export interface ReconcilerHost {
  readonly host: VolumeHost;
  readonly desired: DesiredState;
  readonly actual: ActualState;
  readonly operations: PendingOperations;
  /** Includes the volume in the next pass, or in the first one after an instant. */
  touch(uniqueName: string): void;
  touchAt(uniqueName: string, at: Instant): void;
  /** Includes the volume in a pass once its claim has changed. */
  waitForClaim(uniqueName: string, claim: Key): void;
  /** Tells waiters that something has changed for the pod. */
  podChanged(podUid: string): void;
  volumesInUseChanged(): void;
}

/** One pass over the given volumes. Unmounts nothing before `canUnmount`, so that no device is taken for unused too early. */
export function reconcile(
  manager: ReconcilerHost,
  names: readonly string[],
  canUnmount: boolean,
): void {
  const { actual, desired } = manager;
  if (canUnmount) {
    for (const name of names) {
      const volume = actual.volumes.get(name);
      if (volume === undefined) continue;
      for (const pod of [...volume.pods.values()]) {
        if (!desired.has(name, pod.podUid)) unmountPod(manager, volume, pod);
      }
    }
  }
  for (const name of names) {
    const volume = desired.volumes.get(name);
    if (volume === undefined) continue;
    for (const pod of [...volume.pods.values()]) mountPod(manager, volume, pod);
  }
  for (const name of names) {
    const volume = actual.volumes.get(name);
    if (volume !== undefined && volume.pods.size === 0 && !desired.volumes.has(name))
      takeDown(manager, volume);
  }
}

/** Starts an operation unless another one runs or the last failure is too recent. */
function start(
  manager: ReconcilerHost,
  key: OperationKey,
  operation: string,
  podUid: string | undefined,
  task: () => Task<boolean>,
): void {
  const { operations, host } = manager;
  const { context } = host;
  if (!operations.begin(key, operation)) {
    const retryAt = operations.retryAt(key, operation);
    if (retryAt !== undefined) manager.touchAt(key.volume, retryAt);
    return;
  }
  context.go(task(), (ok) => {
    operations.end(key, ok);
    if (!ok && podUid !== undefined) manager.desired.putLast(key.volume, podUid);
    manager.touch(key.volume);
    if (podUid !== undefined) manager.podChanged(podUid);
  });
}

function mountPod(manager: ReconcilerHost, volume: DesiredVolume, pod: DesiredPod): void {
  const { actual, host } = manager;
  const attached = actual.volumes.get(volume.uniqueName);
  if (attached === undefined) {
    waitForAttach(manager, volume, pod);
    return;
  }
  const mounted = attached.pods.get(pod.pod.metadata.uid);
  if (mounted?.state === "Mounted" && !mounted.isRemountRequired) {
    if (needsExpansion(volume, attached)) expandVolume(manager, volume, attached, pod);
    return;
  }
  const key = { volume: volume.uniqueName, pod: "", node: "" };
  const podUid = pod.pod.metadata.uid;
  const { block } = volume.plugin;
  if (!isBlockVolume(pod.spec)) {
    start(manager, key, "volume_mount", podUid, () => mountVolume({ host, actual }, volume, pod));
  } else if (block === undefined) {
    noteMissingMapper(host.context, pod);
  } else {
    const map = (): Task<boolean> => mapVolume({ host, actual }, volume, block, pod);
    start(manager, key, "map_volume", podUid, map);
  }
}

/** Without a block plugin no operation starts, and no event is made. Upstream: GenerateMapVolumeFunc. */
function noteMissingMapper(context: ComponentContext, { pod, spec }: DesiredPod): void {
  const step =
    "MapVolume.FindMapperPluginBySpec failed to find BlockVolumeMapper plugin. Volume plugin is nil.";
  const text = `${step} for volume "${spec.name}"`;
  context.decide(refOf(pod), { reason: "NoBlockPlugin", text, because: objectsBehind(spec) });
}

/** Upstream: volumeNeedsExpansion. */
function needsExpansion({ size, plugin }: DesiredVolume, attached: ActualVolume): boolean {
  if (size === undefined || attached.claimSize === undefined) return false;
  if (attached.isExpansionInUse || attached.isExpansionWaiting) return false;
  return plugin.nodeExpand !== undefined && compareQuantityTexts(size, attached.claimSize) > 0;
}

function expandVolume(
  manager: ReconcilerHost,
  volume: DesiredVolume,
  attached: ActualVolume,
  pod: DesiredPod,
): void {
  const key = { volume: volume.uniqueName, pod: "", node: "" };
  start(manager, key, "volume_fs_resize", undefined, function* expand(): Task<boolean> {
    const result = yield* expandInUse(manager.host, attached, pod);
    if (result.type === "failed") return false;
    if ("size" in result) attached.claimSize = result.size;
    if (result.type === "read-only") {
      manager.desired.putLast(volume.uniqueName, pod.pod.metadata.uid);
    } else if (result.type !== "repeats" && needsExpansion(volume, attached)) {
      waitForClaim(manager, attached, pod);
    }
    return true;
  });
}

/** Waits for a change of the claim. Upstream checks it each 100 ms and finds the same until somebody changes it. */
function waitForClaim(manager: ReconcilerHost, attached: ActualVolume, { spec }: DesiredPod): void {
  const { namespace, name = "" } = spec.persistentVolume?.spec.claimRef ?? {};
  attached.isExpansionWaiting = true;
  manager.waitForClaim(attached.uniqueName, makeKey(namespace, name));
}

/** The attach-detach controller attaches; this node only has to learn of it. Upstream: waitForVolumeAttach. */
function waitForAttach(manager: ReconcilerHost, volume: DesiredVolume, pod: DesiredPod): void {
  const { host } = manager;
  if (!volume.isAttachable && pod.spec.persistentVolume === undefined) {
    markAttached(manager, volume, pod, undefined);
    mountPod(manager, volume, pod);
    return;
  }
  // Waits until the node's status lists the volume in use; writing that touches the volume again.
  if (volume.isAttachable && !volume.isReportedInUse) return;
  if (volume.isAttachable && !isReportedAttached(host.context, host.nodeName, volume.uniqueName)) {
    const text = `volume "${pod.spec.name}" is not attached to node "${host.nodeName}" yet`;
    const because = objectsBehind(pod.spec);
    host.context.decide(refOf(pod.pod), { reason: "WaitForAttach", text, because });
    return;
  }
  const key = { volume: volume.uniqueName, pod: "", node: "" };
  start(manager, key, "verify_controller_attached_volume", pod.pod.metadata.uid, () =>
    verifyAttached(manager, volume, pod),
  );
}

function isReportedAttached(
  context: ComponentContext,
  nodeName: string,
  uniqueName: string,
): boolean {
  const attached = context.informer("Node").get(nodeName)?.status?.volumesAttached ?? [];
  return attached.some((a) => a.name === uniqueName);
}

/**
 * Assumes that the volume on this node is as large as its claim's capacity is now. Upstream:
 * GenerateVerifyControllerAttachedVolumeFunc.
 */
function* verifyAttached(
  manager: ReconcilerHost,
  volume: DesiredVolume,
  pod: DesiredPod,
): Task<boolean> {
  const { persistentVolume, isMigratedInline } = pod.spec;
  let claimSize: string | undefined;
  if (persistentVolume !== undefined && isMigratedInline !== true) {
    const { namespace, name = "" } = persistentVolume.spec.claimRef ?? {};
    const claim = yield* getLive("PersistentVolumeClaim", namespace, name);
    if (!claim.ok) return false;
    claimSize = grantedStorage(claim.object);
  }
  if (volume.isAttachable) {
    const node = yield* getLive("Node", undefined, manager.host.nodeName);
    const attached = node.ok ? (node.object.status?.volumesAttached ?? []) : [];
    if (!attached.some((a) => a.name === volume.uniqueName)) return false;
  }
  markAttached(manager, volume, pod, claimSize);
  return true;
}

function markAttached(
  { actual }: ReconcilerHost,
  volume: DesiredVolume,
  pod: DesiredPod,
  claimSize: string | undefined,
): void {
  const { uniqueName, plugin, isAttachable } = volume;
  actual.attach({
    uniqueName,
    plugin,
    isAttachable,
    specName: pod.spec.name,
    isBlock: isBlockVolume(pod.spec),
    isReconstructed: false,
    claimSize,
  });
}

function unmountPod(manager: ReconcilerHost, volume: ActualVolume, pod: MountedPod): void {
  const { uniqueName, plugin } = volume;
  const { podUid, isBlock } = pod;
  const specName = pod.spec.name;
  const request = { uniqueName, podUid, specName };
  const key = { volume: uniqueName, pod: podUid, node: "" };
  start(manager, key, isBlock ? "unmap_volume" : "volume_unmount", podUid, () => unmount());

  function* unmount(): Task<boolean> {
    const { host, actual } = manager;
    let failure: VolumeFailure | undefined;
    if (isBlock && plugin.block !== undefined) {
      unlinkDevice(host, plugin.name, specName, podUid);
      failure = yield* plugin.block.unmapPodDevice(host, request);
    } else {
      removeSubPaths(host, podUid, specName);
      failure = yield* plugin.tearDown(host, request);
    }
    if (failure === undefined) {
      actual.removePod(volume, podUid);
      return true;
    }
    pod.state = "Uncertain";
    // There is no event for this; the pod stays terminating.
    if (pod.podRef !== undefined) {
      const text = `UnmountVolume.TearDown failed for volume "${specName}" : ${failure.error}`;
      host.context.decide(pod.podRef, {
        reason: "UnmountFailed",
        text,
        because: objectsBehind(pod.spec),
      });
    }
    return false;
  }
}

/** Removes the sub-path mounts, which lie on the volume's mount. Upstream: subpather.CleanSubPaths. */
function removeSubPaths(host: VolumeHost, podUid: string, specName: string): void {
  const directory = subPathsDirectory(podUid, specName);
  const { machine } = host;
  if (!machine.files.exists(directory)) return;
  for (const { target } of machine.mounts.entries) {
    if (target.startsWith(`${directory}/`)) machine.mounts.unmount(target);
  }
  machine.removeAll(directory);
}

/** Unmounts the device; once that is done, forgets the volume. Upstream: unmountDetachDevices. */
function takeDown(manager: ReconcilerHost, volume: ActualVolume): void {
  const { actual, host, operations } = manager;
  const { uniqueName, plugin, specName, isBlock } = volume;
  const key = { volume: uniqueName, pod: "", node: "" };
  if (operations.isPending(key)) return;
  if (volume.device === "NotMounted") {
    actual.detach(uniqueName);
    if (volume.isAttachable) manager.volumesInUseChanged();
    return;
  }
  start(manager, key, isBlock ? "unmap_device" : "unmount_device", undefined, () =>
    unmountDevice(),
  );

  function* unmountDevice(): Task<boolean> {
    const device = { uniqueName, specName };
    const failure =
      isBlock && plugin.block !== undefined
        ? yield* plugin.block.tearDownDevice(host, device)
        : plugin.unmountDevice === undefined
          ? undefined
          : yield* plugin.unmountDevice(host, device);
    if (failure === undefined) {
      volume.device = "NotMounted";
      return true;
    }
    // Uncertain whatever the error, so the next pod mounts the device again.
    volume.device = "Uncertain";
    const text = `UnmountDevice failed for volume "${specName}" on node "${host.nodeName}" : ${failure.error}`;
    host.context.decide(makeRef("PersistentVolume", undefined, specName), {
      reason: "UnmountFailed",
      text,
    });
    return false;
  }
}
