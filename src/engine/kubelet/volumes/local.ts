/**
 * local PersistentVolumes: a directory of one machine, or a device that is formatted. Upstream: pkg/volume/local/local.go
 * v1.36.
 */
import { refOf } from "../../api/meta.ts";
import { kubeletRoot, type Machine } from "../../node/machine.ts";
import { event, type Task } from "../../runtime/effects.ts";
import { tearDownDirectory } from "./empty-dir.ts";
import { mountOptions } from "./mount-options.ts";
import { blockDirectory, podVolumeDirectory } from "./paths.ts";
import {
  immediately,
  type MountRequest,
  type NodeExpansion,
  type VolumeHost,
  type VolumePlugin,
  type VolumeResult,
} from "./plugin.ts";

const name = "kubernetes.io/local-volume";

export const localPlugin: VolumePlugin = {
  name,
  supportsMountOptions: true,
  supports: (spec) => spec.persistentVolume?.spec.local !== undefined,
  volumeName: (spec) => spec.name,
  requiresRemount: () => false,
  isAttachable: () => false,
  isDeviceMountable: () => true,
  *newMounterError(host, { spec }) {
    return pathError(host, spec.persistentVolume?.spec.local?.path ?? "");
  },
  mountDevice: () => immediately(),
  setUp,
  tearDown: (host, request) => immediately(tearDownDirectory(host, name, request)),
  unmountDevice: () => immediately(),
  nodeExpand,
  block: {
    globalMapDirectory: (spec) => `${blockDirectory(name.replace("/", "~"))}/${spec.name}`,
    devicePath: (spec) => spec.persistentVolume?.spec.local?.path ?? "",
    setUpDevice: () => immediately(),
    mapPodDevice: () => immediately(),
    unmapPodDevice: () => immediately(),
    tearDownDevice: () => immediately(),
  },
};

function pathError(host: VolumeHost, path: string): string | undefined {
  const { files } = host.machine;
  const found = files.get(path);
  if (found === undefined) {
    const isBelowFile = files.get(files.nearest(path))?.type !== "directory";
    return isBelowFile ? `stat ${path}: not a directory` : `path "${path}" does not exist`;
  }
  if (found.type === "directory" || found.type === "blockDevice") return undefined;
  return "only directory and block device are supported";
}

/** Leaves directories and raw devices as they are; resize2fs and the like are assumed to succeed. Upstream: NodeExpand. */
function* nodeExpand(): Task<NodeExpansion> {
  return { type: "ok" };
}

/** True if the path is mounted for a pod, even by another volume. Upstream: SetUpAt, filterPodMounts. */
function isInUse({ mounts }: Machine, path: string): boolean {
  return mounts.entries.some(
    ({ source, target }) => source === path && target.startsWith(`${kubeletRoot}/pods/`),
  );
}

function* setUp(host: VolumeHost, { spec, pod }: MountRequest): Task<VolumeResult> {
  const { machine } = host;
  const target = podVolumeDirectory(pod.metadata.uid, name, spec.name);
  // A restarted kubelet finds what its predecessor has mounted.
  if (machine.mounts.get(target) !== undefined) return undefined;
  const source = spec.persistentVolume?.spec.local;
  const path = source?.path ?? "";
  const group = pod.spec.securityContext?.fsGroup;
  const owner = machine.files.get(path)?.group ?? 0;
  const isShared = group !== undefined && isInUse(machine, path);
  if (group !== undefined && isShared && group !== owner) {
    const asked = `The requested fsGroup is ${group}, but the volume ${spec.name} has GID ${owner}.`;
    const message = `${asked} The volume may not be shareable.`;
    yield* event(refOf(pod), "Warning", "AlreadyMountedVolume", message);
  }
  machine.files.makeDirectories(target, 0o750);
  const options = mountOptions(spec, spec.readOnly ? ["bind", "ro"] : ["bind"]);
  machine.mounts.mount({ source: path, target, fsType: source?.fsType ?? "", options });
  // Only the first pod sets the group.
  if (group !== undefined && !isShared && !spec.readOnly) {
    machine.files.setGroup(machine.mountsAreReal ? path : target, group);
  }
  return undefined;
}
