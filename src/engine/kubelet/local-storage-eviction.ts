/**
 * Evicts pods that write too much to their node's disk: more to an emptyDir than its sizeLimit, or more in all than their
 * ephemeral-storage limits. Upstream: pkg/kubelet/eviction/eviction_manager.go localStorageEviction, evictPod;
 * pkg/kubelet/server/stats fs_resource_analyzer.go v1.36. Not modeled: logs, and nodes that run out of disk.
 */
import { joinFilePath } from "../api/go/file-path.ts";
import { containersAtCreation } from "../api/pod-containers.ts";
import { formatQuantity, nanosPerOne, type Quantity, quantityOrZero } from "../api/quantity.ts";
import { podTotalWithOverhead } from "../api/resource-totals.ts";
import type { Container, Pod, Volume } from "../api/types.ts";
import { isRunning, latestRun, type PodSandbox } from "../node/container-runtime.ts";
import { plannedWrites } from "../node/planned-writes.ts";
import type { Instant } from "../trace/instant.ts";
import { isCriticalPod } from "./node-pressure.ts";

/** How often a pod's volumes are measured, and how often the eviction manager checks the result. */
export const measurePeriodMs = 60_000;
export const evictionPeriodMs = 10_000;
/** The grace period of an evicted pod, whatever its spec says. Upstream: immediateEvictionGracePeriodSeconds. */
export const evictionGraceSeconds = 1;

const resource = "ephemeral-storage";

/** Returns why the pod is evicted; undefined if it stays within its limits. Critical pods are never evicted. */
export function localStorageEviction(
  pod: Pod,
  sandbox: PodSandbox | undefined,
  now: Instant,
): string | undefined {
  if (isCriticalPod(pod) || !containersAtCreation(pod.spec).some(isWriter)) return undefined;
  const written = writtenBytes(pod, sandbox, now);
  return (
    emptyDirExcess(pod, written) ??
    podExcess(pod, written) ??
    containerExcess(pod.spec.containers, written)
  );
}

function isWriter(container: Container): boolean {
  return plannedWrites(container).size > 0;
}

interface Written {
  /** Bytes by volume name, for emptyDirs on the node's disk. */
  readonly emptyDirs: ReadonlyMap<string, bigint>;
  /** Bytes by container name, outside of volumes. */
  readonly containers: ReadonlyMap<string, bigint>;
}

function emptyDirExcess({ spec }: Pod, { emptyDirs }: Written): string | undefined {
  for (const { name, emptyDir } of spec.volumes ?? []) {
    const limit = quantityOrZero(emptyDir?.sizeLimit);
    if (limit.nanos > 0n && exceeds(emptyDirs.get(name), limit))
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${limit.text}". `;
  }
  return undefined;
}

/** Upstream: podEphemeralStorageLimitEviction. */
function podExcess({ spec }: Pod, { emptyDirs, containers }: Written): string | undefined {
  const limit = podTotalWithOverhead(spec, "limits").get(resource);
  let bytes = 0n;
  for (const size of [...emptyDirs.values(), ...containers.values()]) bytes += size;
  if (limit === undefined || !exceeds(bytes, limit)) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `;
}

/** Upstream: containerEphemeralStorageLimitEviction. */
function containerExcess(containers: readonly Container[], written: Written): string | undefined {
  for (const { name, resources } of containers) {
    const limit = quantityOrZero(resources?.limits?.[resource]);
    if (limit.nanos > 0n && exceeds(written.containers.get(name), limit))
      return `Container ${name} exceeded its local ephemeral storage limit "${limit.text}". `;
  }
  return undefined;
}

function exceeds(bytes: bigint | undefined, limit: Quantity): boolean {
  return (bytes ?? 0n) * nanosPerOne > limit.nanos;
}

/** Volumes keep what ended containers have written; a container's own files go with it. */
function writtenBytes(pod: Pod, sandbox: PodSandbox | undefined, now: Instant): Written {
  const inVolumes = new Map<string, Map<string, bigint>>();
  const containers = new Map<string, bigint>();
  for (const container of containersAtCreation(pod.spec)) {
    const run = latestRun(sandbox, container.name);
    if (run === undefined) continue;
    for (const [file, bytes] of plannedWrites(container)) {
      const place = placeOf(pod, container, file);
      if (place?.volume !== undefined) {
        const files = inVolumes.get(place.volume) ?? new Map<string, bigint>();
        inVolumes.set(place.volume, files.set(place.path, bytes));
      } else if (place !== undefined && isRunning(run, now)) {
        containers.set(container.name, (containers.get(container.name) ?? 0n) + bytes);
      }
    }
  }
  const emptyDirs = new Map(
    [...inVolumes].map(([volume, files]) => {
      let bytes = 0n;
      for (const size of files.values()) bytes += size;
      return [volume, bytes];
    }),
  );
  return { emptyDirs, containers };
}

/**
 * The emptyDir on the node's disk or, without a volume, the container's own file system; undefined if the file is in neither.
 */
function placeOf(
  { spec }: Pod,
  container: Container,
  file: string,
): { readonly volume?: string; readonly path: string } | undefined {
  // The file is written to the innermost mount above it.
  const above = (container.volumeMounts ?? [])
    .filter(({ mountPath }) => file.startsWith(`${mountPath.replace(/\/$/, "")}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  if (above === undefined) return isOwnFile(file) ? { path: file } : undefined;
  const volume = spec.volumes?.find(({ name }) => name === above.name);
  if (above.readOnly === true || !isOnDisk(volume)) return undefined;
  const { name, mountPath, subPath = "", subPathExpr = "" } = above;
  // Cleans the path: two containers may spell the same file differently.
  const path = joinFilePath("/", subPath, subPathExpr, file.slice(mountPath.length));
  return { volume: name, path };
}

/** A tmpfs cannot exceed its limit, so it does not count. */
function isOnDisk(volume: Volume | undefined): boolean {
  return volume?.emptyDir !== undefined && (volume.emptyDir.medium ?? "") === "";
}

/** Devices and kernel file systems are not on a disk. */
function isOwnFile(file: string): boolean {
  return file.startsWith("/") && !/^\/(dev|proc|sys)\//.test(file);
}
