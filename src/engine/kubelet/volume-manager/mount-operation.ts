/**
 * One attempt to mount a volume for a pod. Upstream: pkg/volume/util/operationexecutor/operation_generator.go
 * GenerateMountVolumeFunc v1.36.
 */
import { withFields } from "../../api/json.ts";
import type { Task } from "../../runtime/effects.ts";
import { mountOptions } from "../volumes/mount-options.ts";
import { markDevice } from "./actual-state.ts";
import type { DesiredPod, DesiredVolume } from "./desired-state.ts";
import {
  type FailedStep,
  isTakenByOtherPod,
  type MountContext,
  mountedElsewhere,
  nodeAffinityError,
  nothing,
  panicOver,
  takenByOtherPod,
  tellFailure,
} from "./mount-attempt.ts";
import { expandAtMount } from "./node-expansion.ts";

/** Returns true if the volume is mounted afterwards. */
export function* mountVolume(
  context: MountContext,
  volume: DesiredVolume,
  pod: DesiredPod,
): Task<boolean> {
  const failed = yield* attempt(context, volume, pod);
  if (failed !== undefined) yield* tellFailure(context, pod, "FailedMount", failed);
  return failed === undefined;
}

function* attempt(
  { host, actual }: MountContext,
  volume: DesiredVolume,
  pod: DesiredPod,
): Task<FailedStep | undefined> {
  const { plugin } = volume;
  const { spec } = pod;
  const attached = actual.volumes.get(volume.uniqueName);
  // The volume was dropped after the decision to mount it.
  if (attached === undefined)
    return { step: "MountVolume.WaitForAttach failed", error: "volume is gone" };
  const unreachable = nodeAffinityError(host, spec);
  if (unreachable !== undefined) {
    return { step: "MountVolume.NodeAffinity check failed", error: unreachable };
  }
  const mounterError = yield* plugin.newMounterError?.(host, pod) ?? nothing();
  if (mounterError !== undefined) {
    return { step: "MountVolume.NewMounter initialization failed", error: mounterError };
  }
  if (mountOptions(spec).length > 0 && !plugin.supportsMountOptions) {
    const error = "mount options are not supported for this volume type";
    return { step: "MountVolume.MountOptionSupport check failed", error };
  }
  const others = spec.persistentVolume === undefined ? mountedElsewhere(attached, pod) : [];
  if (others.length > 0) return panicOver(others);
  if (isTakenByOtherPod(attached, pod)) {
    return { step: "MountVolume.SetUp failed", error: takenByOtherPod };
  }
  if (volume.isAttachable) {
    const failure = yield* plugin.waitForAttach?.(host, spec) ?? nothing();
    if (failure !== undefined)
      return { step: "MountVolume.WaitForAttach failed", error: failure.error };
  }
  if (volume.isDeviceMountable && attached.device !== "GloballyMounted") {
    const failure = yield* plugin.mountDevice?.(host, pod) ?? nothing();
    markDevice(attached, failure);
    if (failure !== undefined)
      return { step: "MountVolume.MountDevice failed", error: failure.error };
  }
  const isReconstructed = attached.pods.get(pod.pod.metadata.uid)?.isReconstructed === true;
  const failure = yield* plugin.setUp(host, withFields(pod, { isReconstructed }));
  if (failure !== undefined) {
    actual.markPodFailure(attached, pod, failure);
    return { step: "MountVolume.SetUp failed", error: failure.error };
  }
  const expansion = yield* expandAtMount(host, attached, pod);
  if (expansion !== undefined) {
    actual.markUnusable(attached, pod);
    return { step: "MountVolume.Setup failed while expanding volume", error: expansion };
  }
  actual.markMounted(attached, pod);
  return undefined;
}
