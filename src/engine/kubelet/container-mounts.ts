/**
 * Checks and prepares what the runtime mounts into a container; sub-paths are made and bound first. Upstream:
 * pkg/kubelet/kubelet_pods.go makeBlockVolumes, makeMounts, pkg/volume/util/subpath v1.36. Not modeled: symbolic links that
 * lead out of a volume.
 */
import { joinFilePath } from "../api/go/file-path.ts";
import { compareText } from "../api/go/text-order.ts";
import type { Container, Pod, VolumeMount } from "../api/types.ts";
import { expand } from "./container-environment.ts";
import type { MountedPod } from "./volume-manager/actual-state.ts";
import type { VolumeManager } from "./volume-manager/volume-manager.ts";
import { imagePlugin } from "./volumes/other.ts";
import { podVolumeDirectory, subPathsDirectory } from "./volumes/paths.ts";
import type { VolumeHost, VolumePlugin } from "./volumes/plugin.ts";

export type PodVolumes = Pick<VolumeManager, "desired" | "actual">;

/** Returns why a raw device cannot be given to the container; undefined if all can. Upstream: makeBlockVolumes. */
export function deviceError(
  volumes: PodVolumes,
  pod: Pod,
  { name, volumeDevices = [] }: Container,
): string | undefined {
  if (volumeDevices.length === 0) return undefined;
  const mounted = mountedVolumes(volumes, pod);
  for (const { name: volumeName, devicePath } of volumeDevices) {
    if (!devicePath.startsWith("/"))
      return `error DevicePath \`${devicePath}\` must be an absolute path`;
    if (!mounted.has(volumeName))
      return `cannot find volume "${volumeName}" to pass into container "${name}"`;
  }
  return undefined;
}

/** Returns why the container's mounts cannot be prepared; undefined if they can. */
export function mountError(
  host: VolumeHost,
  volumes: PodVolumes,
  pod: Pod,
  container: Container,
  values: ReadonlyMap<string, string>,
): string | undefined {
  const mounted = mountedVolumes(volumes, pod);
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const volume = mounted.get(mount.name);
    if (volume === undefined) {
      return `cannot find volume "${mount.name}" to mount into container "${container.name}"`;
    }
    const subPath = subPathOf(mount, values);
    if (!subPath.ok) return subPath.error;
    const error =
      subPathError(host, pod, container, { mount, index, volume }, subPath.text) ??
      recursiveReadOnlyError(host, mount);
    if (error !== undefined) return error;
    makeHostPath(host, volume);
  }
  return undefined;
}

/**
 * Assumes that a program of the pod has written the file with variables, if programs run here at all. Upstream:
 * makeEnvironmentVariables, FileKeyRef.
 */
export function environmentFileError(
  { machine }: VolumeHost,
  volumes: PodVolumes,
  pod: Pod,
  volumeName: string,
): string | undefined {
  if (!mountedVolumes(volumes, pod).has(volumeName)) {
    return `cannot find the volume "${volumeName}" referenced by FileKeyRef`;
  }
  return machine.mountsAreReal ? undefined : "couldn't parse env file";
}

/** Real runtimes support this; one that only records mounts reports that it does not. Upstream: resolveRecursiveReadOnly. */
function recursiveReadOnlyError(
  { machine }: VolumeHost,
  { name, recursiveReadOnly }: VolumeMount,
): string | undefined {
  if (recursiveReadOnly !== "Enabled" || machine.mountsAreReal) return undefined;
  const why = `volume "${name}" requested recursive read-only mode, but it is not supported by the runtime`;
  return `failed to resolve recursive read-only mode: ${why}`;
}

interface MountedVolume {
  readonly plugin: VolumePlugin;
  readonly pod: MountedPod;
}

/** The pod's mounted volumes, by their names in its spec. Upstream: volumeManager.GetMountedVolumesForPod. */
function mountedVolumes(
  { desired, actual }: PodVolumes,
  pod: Pod,
): ReadonlyMap<string, MountedVolume> {
  const { uid } = pod.metadata;
  const found = new Map<string, MountedVolume>();
  for (const uniqueName of desired.volumesOf(uid)) {
    const volume = desired.volumes.get(uniqueName);
    const mounted = actual.mountedPod(uniqueName, uid);
    if (volume === undefined || mounted?.state !== "Mounted") continue;
    for (const name of volume.pods.get(uid)?.podVolumeNames ?? [])
      found.set(name, { plugin: volume.plugin, pod: mounted });
  }
  return found;
}

function hostPathOf({ pod: { spec } }: MountedVolume): string | undefined {
  const { persistentVolume, volume } = spec;
  return (persistentVolume === undefined ? volume?.hostPath : persistentVolume.spec.hostPath)?.path;
}

/** The volume's path on the machine. */
function pathOf(volume: MountedVolume): string {
  const { plugin, pod } = volume;
  const { spec, podUid } = pod;
  const hostPath = hostPathOf(volume);
  if (hostPath !== undefined) return hostPath;
  const directory = podVolumeDirectory(podUid, plugin.name, spec.name);
  return plugin.name === "kubernetes.io/csi" ? `${directory}/mount` : directory;
}

/**
 * Makes a missing hostPath directory, as container runtimes do. If the hostPath has a type, the kubelet has checked it before.
 */
function makeHostPath({ machine }: VolumeHost, volume: MountedVolume): void {
  const path = hostPathOf(volume);
  if (path === undefined || !machine.mountsAreReal) return;
  if (!machine.files.exists(path)) machine.files.makeDirectories(path);
}

type SubPath =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string };

function subPathOf(
  { subPath = "", subPathExpr = "" }: VolumeMount,
  values: ReadonlyMap<string, string>,
): SubPath {
  // Unlike in the environment, an empty value counts as missing here.
  const filled = new Map([...values].filter(([, value]) => value !== ""));
  const { text, missing } =
    subPathExpr === "" ? { text: subPath, missing: [] } : expand(subPathExpr, filled);
  if (missing.length > 0) {
    const names = [...new Set(missing)].sort(compareText);
    return { ok: false, error: `missing value for ${names.join(", ")}` };
  }
  if (text.startsWith("/"))
    return { ok: false, error: `error SubPath \`${text}\` must not be an absolute path` };
  if (text.split("/").includes("..")) {
    return {
      ok: false,
      error: `unable to provision SubPath \`${text}\`: must not contain '..'`,
    };
  }
  return { ok: true, text };
}

function subPathError(
  { machine }: VolumeHost,
  pod: Pod,
  container: Container,
  { mount, index, volume }: { mount: VolumeMount; index: number; volume: MountedVolume },
  subPath: string,
): string | undefined {
  // Sub-paths of image volumes are resolved by the runtime.
  if (subPath === "" || volume.plugin === imagePlugin) return undefined;
  const volumePath = pathOf(volume);
  const path = joinFilePath(volumePath, subPath);
  const where = `for volumeMount "${mount.name}" of container "${container.name}"`;
  // The kubelet stats the volume for the mode of new directories; the runtime makes a missing hostPath only later.
  if (!machine.files.exists(volumePath)) return `stat ${volumePath}: no such file or directory`;
  const isThere = machine.files.exists(path);
  // For a path below a file the kubelet cannot tell whether it exists, so it makes nothing and fails only when it binds.
  const nearest = machine.files.get(machine.files.nearest(path));
  if (!isThere && nearest?.type !== "directory") return `failed to prepare subPath ${where}`;
  // Nothing can be created in a file system that is mounted read-only.
  const isWritable = !volume.pod.spec.readOnly || !machine.mountsAreReal;
  if (!isThere && !(isWritable && machine.files.makeDirectories(path))) {
    return `failed to create subPath directory ${where}`;
  }
  const directory = subPathsDirectory(pod.metadata.uid, volume.pod.spec.name);
  const target = `${directory}/${container.name}/${index}`;
  machine.files.makeDirectories(target);
  const options = mount.readOnly === true ? ["bind", "ro"] : ["bind"];
  machine.mounts.mount({ source: path, target, fsType: "", options });
  return undefined;
}
