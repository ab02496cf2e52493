/** One attempt to map a raw device into a pod. Upstream: operation_generator.go GenerateMapVolumeFunc v1.36. */
import { refOf } from "../../api/meta.ts";
import { event, type Task } from "../../runtime/effects.ts";
import { podBlockDirectory } from "../volumes/paths.ts";
import {
  type BlockPlugin,
  uncertain,
  type VolumeFailure,
  type VolumeHost,
  type VolumePlugin,
} from "../volumes/plugin.ts";
import { markDevice } from "./actual-state.ts";
import type { DesiredPod, DesiredVolume } from "./desired-state.ts";
import {
  type FailedStep,
  isTakenByOtherPod,
  type MountContext,
  nodeAffinityError,
  nothing,
  takenByOtherPod,
  tellFailure,
} from "./mount-attempt.ts";
import { expandAtMount } from "./node-expansion.ts";

interface Failed extends FailedStep {
  readonly reason: "FailedMapVolume" | "FailedMount";
}

/** Returns true if the device is mapped afterwards. */
export function* mapVolume(
  context: MountContext,
  volume: DesiredVolume,
  block: BlockPlugin,
  pod: DesiredPod,
): Task<boolean> {
  const failed = yield* attempt(context, volume, block, pod);
  if (failed !== undefined) yield* tellFailure(context, pod, failed.reason, failed);
  return failed === undefined;
}

function* attempt(
  { host, actual }: MountContext,
  volume: DesiredVolume,
  block: BlockPlugin,
  pod: DesiredPod,
): Task<Failed | undefined> {
  const fail = (step: string, error: string): Failed => ({
    reason: "FailedMapVolume",
    step,
    error,
  });
  const { plugin } = volume;
  const attached = actual.volumes.get(volume.uniqueName);
  if (attached === undefined) return fail("MapVolume.WaitForAttach failed", "volume is gone");
  const unreachable = nodeAffinityError(host, pod.spec);
  if (unreachable !== undefined) {
    return {
      reason: "FailedMount",
      step: "MapVolume.NodeAffinity check failed",
      error: unreachable,
    };
  }
  const mapperError = yield* block.newMapperError?.(host, pod) ?? nothing();
  if (mapperError !== undefined)
    return fail("MapVolume.NewBlockVolumeMapper initialization failed", mapperError);
  if (isTakenByOtherPod(attached, pod))
    return fail("MapVolume.SetUpDevice failed", takenByOtherPod);
  if (volume.isAttachable) {
    const failure = yield* plugin.waitForAttach?.(host, pod.spec) ?? nothing();
    if (failure !== undefined) return fail("MapVolume.WaitForAttach failed", failure.error);
  }
  if (attached.device !== "GloballyMounted") {
    const failure = yield* block.setUpDevice(host, pod);
    markDevice(attached, failure);
    if (failure !== undefined) return fail("MapVolume.SetUpDevice failed", failure.error);
  }
  const failForPod = (step: string, failure: VolumeFailure): Failed => {
    actual.markPodFailure(attached, pod, failure);
    return fail(step, failure.error);
  };
  const failure = yield* block.mapPodDevice(host, pod);
  if (failure !== undefined) return failForPod("MapVolume.MapPodDevice failed", failure);
  const device = block.devicePath?.(pod.spec);
  const missing = missingDevice(host, device);
  if (missing !== undefined)
    return failForPod("MapVolume.EvalHostSymlinks failed", uncertain(missing));
  const links = block.globalMapDirectory(pod.spec);
  const unbindable = directoryError(host, device, links, pod);
  if (unbindable !== undefined)
    return failForPod("MapVolume.MapBlockVolume failed", uncertain(unbindable));
  yield* linkDevice(host, plugin, links, pod);
  const expansion = yield* expandAtMount(host, attached, pod);
  if (expansion !== undefined) {
    actual.markUnusable(attached, pod);
    return fail("MapVolume.MarkVolumeAsMounted failed while expanding volume", expansion);
  }
  actual.markMounted(attached, pod);
  return undefined;
}

/** Returns why the device path cannot be resolved; undefined if it can. Upstream: hostutil EvalHostSymlinks. */
function missingDevice({ machine }: VolumeHost, path: string | undefined): string | undefined {
  const missing = path === undefined ? undefined : machine.files.firstMissing(path);
  return missing && `lstat ${missing}: no such file or directory`;
}

/**
 * Returns the mount error if the path is a directory: it cannot be bind-mounted onto the file that links a device. Upstream:
 * util.go MapBlockVolume, volume_path_handler.go mapBindMountDevice.
 */
function directoryError(
  { machine }: VolumeHost,
  path: string | undefined,
  globalMapPath: string,
  { pod }: DesiredPod,
): string | undefined {
  if (path === undefined || !machine.mountsAreReal) return undefined;
  if (machine.files.get(path)?.type !== "directory") return undefined;
  const { uid } = pod.metadata;
  const link = `${globalMapPath}/${uid}`;
  const mount = [
    "mount failed: exit status 32",
    "Mounting command: mount",
    `Mounting arguments: -o bind ${path} ${link}`,
    `Output: mount: ${link}: mount point is not a directory.`,
    "",
  ];
  return `blkUtil.MapDevice failed. devicePath: ${path}, globalMapPath:${globalMapPath}, podUID: ${uid}, bindMount: true: failed to bind mount devicePath: ${path} to linkPath ${link}: ${mount.join("\n")}`;
}

/** Makes the links by which kubelet and runtime find the device, and the two events about them. */
export function* linkDevice(
  { machine }: VolumeHost,
  plugin: VolumePlugin,
  globalMapPath: string,
  { pod, spec }: DesiredPod,
): Task {
  const { uid } = pod.metadata;
  const volumeMapPath = podBlockDirectory(uid, plugin.name);
  for (const directory of [globalMapPath, volumeMapPath]) machine.files.makeDirectories(directory);
  machine.files.makeFile(`${globalMapPath}/${uid}`);
  const disk = `${plugin.name}/${plugin.volumeName(spec)}`;
  machine.writeData(`${volumeMapPath}/${spec.name}`, { globalMapPath, disk });
  const done = `MapVolume.MapPodDevice succeeded for volume "${spec.name}"`;
  const mapped = (what: string, path: string): Task =>
    event(refOf(pod), "Normal", "SuccessfulMountVolume", `${done} ${what} "${path}"`);
  yield* mapped("globalMapPath", globalMapPath);
  yield* mapped("volumeMapPath", volumeMapPath);
}

/** Removes a pod's links, and their folder with the last one. Upstream: UnmapBlockVolume, RemoveMapPath. */
export function unlinkDevice(
  { machine }: VolumeHost,
  plugin: string,
  specName: string,
  podUid: string,
): void {
  const link = `${podBlockDirectory(podUid, plugin)}/${specName}`;
  const { globalMapPath } = machine.readData(link) ?? {};
  if (globalMapPath !== undefined) {
    machine.removeAll(`${globalMapPath}/${podUid}`);
    if (machine.files.below(globalMapPath).length === 0) machine.removeAll(globalMapPath);
  }
  machine.removeAll(link);
}
