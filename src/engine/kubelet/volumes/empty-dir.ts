/**
 * emptyDir volumes: a directory of the pod, or a tmpfs. Upstream: pkg/volume/emptydir/empty_dir.go v1.36.
 * Not modelled: huge pages, and the kubelet's eviction of pods that outgrow sizeLimit, for nobody writes into volumes here.
 */
import { compareQuantities, parseQuantity, quantityBytes } from "../../api/quantity.ts";
import type { Pod } from "../../api/types.ts";
import { podVolumeDirectory } from "./paths.ts";
import {
  final,
  immediately,
  type MountRequest,
  type UnmountRequest,
  type VolumeHost,
  type VolumePlugin,
  type VolumeResult,
} from "./plugin.ts";

const name = "kubernetes.io/empty-dir";

export const emptyDirPlugin: VolumePlugin = {
  name,
  supportsMountOptions: false,
  supports: (spec) => spec.volume?.emptyDir !== undefined,
  volumeName: (spec) => spec.name,
  requiresRemount: () => false,
  isAttachable: () => false,
  isDeviceMountable: () => false,
  setUp: (host, request) => immediately(setUp(host, request)),
  tearDown: (host, request) => immediately(tearDownDirectory(host, name, request)),
};

function setUp(host: VolumeHost, { spec, pod }: MountRequest): VolumeResult {
  const directory = podVolumeDirectory(pod.metadata.uid, name, spec.name);
  const medium = spec.volume?.emptyDir?.medium ?? "";
  if (medium !== "" && medium !== "Memory" && !medium.startsWith("HugePages")) {
    return final(`unknown storage medium "${medium}"`);
  }
  host.machine.files.makeDirectories(directory, 0o777);
  const group = pod.spec.securityContext?.fsGroup;
  if (group !== undefined) host.machine.files.setGroup(directory, group);
  if (medium === "Memory") {
    const size = memoryLimit(host, pod, spec.volume?.emptyDir?.sizeLimit);
    host.machine.mounts.mount({
      source: "tmpfs",
      target: directory,
      fsType: "tmpfs",
      options: [`size=${size}`],
    });
  } else if (medium !== "") {
    host.machine.mounts.mount({
      source: "nodev",
      target: directory,
      fsType: "hugetlbfs",
      options: [],
    });
  }
  return undefined;
}

/** The least of the node's memory, the pod's limit and the volume's own. Upstream: calculateEmptyDirMemorySize. */
function memoryLimit(host: VolumeHost, pod: Pod, sizeLimit: string | undefined): string {
  const limits = pod.spec.containers.map((c) => c.resources?.limits?.["memory"]);
  const pods = limits.reduce((sum, limit) => sum + quantityBytes(limit), 0n);
  const node = host.context.informer("Node").get(host.nodeName)?.status?.allocatable?.["memory"];
  let least = quantityBytes(node);
  if (!limits.includes(undefined) && pods < least) least = pods;
  const own = parseQuantity(sizeLimit ?? "0");
  const zero = parseQuantity("0");
  if (own !== undefined && zero !== undefined && compareQuantities(own, zero) > 0) {
    const bytes = quantityBytes(sizeLimit);
    if (bytes < least) least = bytes;
  }
  return String(least);
}

/** Takes a pod's volume directory away with all that is in it. */
export function tearDownDirectory(
  host: VolumeHost,
  plugin: string,
  request: UnmountRequest,
): VolumeResult {
  const directory = podVolumeDirectory(request.podUid, plugin, request.specName);
  host.machine.mounts.unmount(directory);
  host.machine.removeAll(directory);
  return undefined;
}
