/**
 * emptyDir volumes: a directory of the pod, or a tmpfs. Upstream: pkg/volume/emptydir/empty_dir.go v1.36.
 */
import { containersAtCreation } from "../../api/pod-containers.ts";
import {
  compareQuantities,
  compareQuantityTexts,
  parseQuantity,
  parseQuantityOrError,
  quantityBytes,
  quantityCeiling,
} from "../../api/quantity.ts";
import { podTotalWithOverhead } from "../../api/resource-totals.ts";
import type { Pod, ResourceRequirements } from "../../api/types.ts";
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
const anyPages = "HugePages";
const pagesPrefix = "HugePages-";

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
  if (medium !== "" && medium !== "Memory" && !isHugePages(medium)) {
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
    const pages = hugePageOption(pod, medium);
    if (pages.error !== undefined) return final(pages.error);
    const options = [pages.option];
    host.machine.mounts.mount({ source: "nodev", target: directory, fsType: "hugetlbfs", options });
  }
  return undefined;
}

function isHugePages(medium: string): boolean {
  return medium === anyPages || medium.startsWith(pagesPrefix);
}

type HugePages =
  | { readonly option: string; readonly error?: undefined }
  | { readonly error: string };

/** The page size, which the pod's containers have to request. Upstream: getPageSizeMountOption. */
function hugePageOption(pod: Pod, medium: string): HugePages {
  const wanted = medium === anyPages ? undefined : medium.slice(pagesPrefix.length);
  const problem = wanted === undefined ? undefined : parseQuantityOrError(wanted);
  if (typeof problem === "string") return { error: problem };
  const requests = [pod.spec.resources, ...containersAtCreation(pod.spec).map((c) => c.resources)];
  let found: string | undefined;
  for (const name of requests.flatMap((r) => Object.keys(r?.requests ?? {}))) {
    if (!name.startsWith("hugepages-")) continue;
    const size = name.slice("hugepages-".length);
    if (wanted !== undefined && compareQuantityTexts(size, wanted) !== 0) continue;
    if (found !== undefined && compareQuantityTexts(found, size) !== 0) {
      const error = `medium: ${medium} can't be used if container requests multiple huge page sizes`;
      return { error };
    }
    found = size;
  }
  if (found !== undefined) return { option: `pagesize=${found}` };
  const why = "hugePages storage requested, but there is no resource request for huge pages";
  return { error: `medium ${medium}: ${why}` };
}

/** The smallest of the node's memory, the pod's limit and the volume's own. Upstream: calculateEmptyDirMemorySize. */
function memoryLimit(host: VolumeHost, pod: Pod, sizeLimit: string | undefined): string {
  const pods = podMemoryLimit(pod);
  const node = host.context.informer("Node").get(host.nodeName)?.status?.allocatable?.["memory"];
  let least = quantityBytes(node);
  if (pods > 0n && pods < least) least = pods;
  const own = parseQuantity(sizeLimit ?? "0");
  const zero = parseQuantity("0");
  if (own !== undefined && zero !== undefined && compareQuantities(own, zero) > 0) {
    const bytes = quantityBytes(sizeLimit);
    if (bytes < least) least = bytes;
  }
  return String(least);
}

/**
 * The memory limit of the pod's cgroup; 0 if there is none. One container without a limit leaves the pod unlimited, unless the
 * pod has a limit of its own. Upstream: pkg/kubelet/cm helpers_linux.go ResourceConfigForPod.
 */
function podMemoryLimit({ spec }: Pod): bigint {
  const isNamed = (r: ResourceRequirements | undefined): boolean =>
    quantityBytes(r?.limits?.["memory"]) > 0n;
  const containers = containersAtCreation(spec);
  const isBounded = isNamed(spec.resources) || containers.every((c) => isNamed(c.resources));
  const limit = podTotalWithOverhead(spec, "limits").get("memory");
  return isBounded && limit !== undefined ? quantityCeiling(limit) : 0n;
}

/** Removes a pod's volume directory with everything in it. */
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
