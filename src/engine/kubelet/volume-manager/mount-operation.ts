/**
 * One attempt to mount a volume for a pod. Upstream: pkg/volume/util/operationexecutor/operation_generator.go
 * GenerateMountVolumeFunc v1.36.
 */
import { makeRef, type Ref, refOf } from "../../api/meta.ts";
import { isReachableFrom, nodeAffinityMismatch } from "../../matching/node-affinity.ts";
import { event, type Task } from "../../runtime/effects.ts";
import type { MountRequest, VolumeFailure, VolumeHost, VolumeSpec } from "../volumes/plugin.ts";
import { type ActualState, type ActualVolume, stateAfterFailure } from "./actual-state.ts";
import type { DesiredPod, DesiredVolume } from "./desired-state.ts";
import { expandAtMount } from "./node-expansion.ts";

export interface MountContext {
  readonly host: VolumeHost;
  readonly actual: ActualState;
}

/** True where the volume is mounted afterwards. */
export function* mountVolume(
  context: MountContext,
  volume: DesiredVolume,
  pod: DesiredPod,
): Task<boolean> {
  const failed = yield* attempt(context, volume, pod);
  if (failed === undefined) return true;
  const message = `${failed.step} for volume "${pod.spec.name}" : ${failed.error}`;
  yield* event(refOf(pod.pod), "Warning", "FailedMount", message);
  context.host.context.decide(refOf(pod.pod), {
    reason: "FailedMount",
    text: message,
    because: objectsBehind(pod.spec),
  });
  return false;
}

/** The objects that a volume comes from. */
export function objectsBehind({ persistentVolume }: VolumeSpec): readonly Ref[] {
  if (persistentVolume === undefined) return [];
  const { claimRef, csi } = persistentVolume.spec;
  const refs = [makeRef("PersistentVolume", undefined, persistentVolume.metadata.name)];
  if (claimRef?.name !== undefined) {
    refs.push(makeRef("PersistentVolumeClaim", claimRef.namespace, claimRef.name));
  }
  if (csi !== undefined) refs.push(makeRef("CSIDriver", undefined, csi.driver));
  return refs;
}

interface Failed {
  readonly step: string;
  readonly error: string;
}

function* attempt(
  { host, actual }: MountContext,
  volume: DesiredVolume,
  pod: DesiredPod,
): Task<Failed | undefined> {
  const { plugin } = volume;
  const { spec } = pod;
  const attached = actual.volumes.get(volume.uniqueName);
  // The volume was dropped between the decision to mount and the mount.
  if (attached === undefined)
    return { step: "MountVolume.WaitForAttach failed", error: "volume is gone" };
  const unreachable = nodeAffinityError(host, spec);
  if (unreachable !== undefined) {
    return { step: "MountVolume.NodeAffinity check failed", error: unreachable };
  }
  const request = mountRequest(attached, pod);
  const mounterError = yield* plugin.newMounterError?.(host, request) ?? nothing();
  if (mounterError !== undefined) {
    return { step: "MountVolume.NewMounter initialization failed", error: mounterError };
  }
  if ((spec.persistentVolume?.spec.mountOptions ?? []).length > 0 && !plugin.supportsMountOptions) {
    const error = "mount options are not supported for this volume type";
    return { step: "MountVolume.MountOptionSupport check failed", error };
  }
  if (isTakenByOtherPod(attached, pod)) {
    return { step: "MountVolume.SetUp failed", error: takenByOtherPod };
  }
  if (volume.isAttachable) {
    const failure = yield* plugin.waitForAttach?.(host, spec) ?? nothing();
    if (failure !== undefined)
      return { step: "MountVolume.WaitForAttach failed", error: failure.error };
  }
  if (volume.isDeviceMountable && attached.device !== "GloballyMounted") {
    const failure = yield* plugin.mountDevice?.(host, request) ?? nothing();
    if (failure !== undefined) {
      attached.device = stateAfterFailure<"GloballyMounted">(
        attached.device,
        failure,
        attached.isReconstructed,
      );
      return { step: "MountVolume.MountDevice failed", error: failure.error };
    }
    attached.device = "GloballyMounted";
  }
  const failure = yield* plugin.setUp(host, request);
  if (failure !== undefined) {
    notePodFailure(actual, attached, pod, failure, false);
    return { step: "MountVolume.SetUp failed", error: failure.error };
  }
  const expansion = yield* expandAtMount(host, attached, pod);
  if (expansion !== undefined) {
    notePodFailure(actual, attached, pod, { kind: "uncertain", error: expansion }, false);
    return { step: "MountVolume.Setup failed while expanding volume", error: expansion };
  }
  markMounted(actual, attached, pod, false);
  return undefined;
}

export function* nothing(): Task<undefined> {
  return undefined;
}

export const takenByOtherPod =
  "volume uses the ReadWriteOncePod access mode and is already in use by another pod";

export function isTakenByOtherPod(volume: ActualVolume, { pod, spec }: DesiredPod): boolean {
  const modes = spec.persistentVolume?.spec.accessModes ?? [];
  if (modes.length !== 1 || modes[0] !== "ReadWriteOncePod") return false;
  return [...volume.pods.keys()].some((uid) => uid !== pod.metadata.uid);
}

/** Upstream: checkNodeAffinity, with kubelet volume_host.go GetNodeLabels: without its Node a kubelet mounts no PersistentVolume. */
export function nodeAffinityError(host: VolumeHost, spec: VolumeSpec): string | undefined {
  const { persistentVolume } = spec;
  if (persistentVolume === undefined) return undefined;
  const node = host.context.informer("Node").get(host.nodeName);
  if (node === undefined) return `error retrieving node: node "${host.nodeName}" not found`;
  const isReachable = isReachableFrom(persistentVolume, node.metadata.labels);
  return isReachable ? undefined : nodeAffinityMismatch;
}

export function mountRequest(volume: ActualVolume, { pod, spec }: DesiredPod): MountRequest {
  const others = [...volume.pods.keys()].filter((uid) => uid !== pod.metadata.uid);
  return { spec, pod, isShared: others.length > 0 };
}

export function notePodFailure(
  actual: ActualState,
  volume: ActualVolume,
  { pod, spec }: DesiredPod,
  failure: VolumeFailure,
  isBlock: boolean,
): void {
  const podUid = pod.metadata.uid;
  const before = volume.pods.get(podUid);
  const isReconstructed = before?.isReconstructed === true;
  const state = stateAfterFailure<"Mounted">(
    before?.state ?? "NotMounted",
    failure,
    isReconstructed,
  );
  if (state === "NotMounted") {
    actual.removePod(volume, podUid);
  } else if (before !== undefined) {
    before.state = state;
  } else {
    actual.setPod(volume, {
      podUid,
      podRef: refOf(pod),
      spec,
      isBlock,
      isReconstructed: false,
      state,
      isRemountRequired: false,
    });
  }
}

export function markMounted(
  actual: ActualState,
  volume: ActualVolume,
  { pod, spec }: DesiredPod,
  isBlock: boolean,
): void {
  actual.setPod(volume, {
    podUid: pod.metadata.uid,
    podRef: refOf(pod),
    spec,
    isBlock,
    isReconstructed: false,
    state: "Mounted",
    isRemountRequired: false,
  });
}
