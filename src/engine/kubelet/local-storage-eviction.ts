/**
 * Pods that write more onto their node's disk than they may are evicted: more into an emptyDir than its sizeLimit, or more in
 * all than their ephemeral-storage limits. Upstream: pkg/kubelet/eviction/eviction_manager.go localStorageEviction, evictPod;
 * pkg/kubelet/server/stats fs_resource_analyzer.go v1.36. Not modelled: logs, and nodes that run out of disk.
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

/** How often the volumes of a pod are measured, and how often the eviction manager looks at what was measured. */
export const measurePeriodMs = 60_000;
export const evictionPeriodMs = 10_000;
/** What an evicted pod is granted, whatever it wishes. Upstream: immediateEvictionGracePeriodSeconds. */
export const evictionGraceSeconds = 1;

const resource = "ephemeral-storage";

/** Why the pod is evicted; undefined where it has written no more than it may. Critical pods never are. */
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
  /** By name of the volume; those on the node's disk. */
  readonly emptyDirs: ReadonlyMap<string, bigint>;
  /** By name of the container, beside its volumes. */
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

/** Volumes keep what containers have written that ended since; a container's own files go with it. */
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

/** An emptyDir on the node's disk, or the container's own file system; undefined where it is neither. */
function placeOf(
  { spec }: Pod,
  container: Container,
  file: string,
): { readonly volume?: string; readonly path: string } | undefined {
  // The innermost mount above a file is the one that it is written to.
  const above = (container.volumeMounts ?? [])
    .filter(({ mountPath }) => file.startsWith(`${mountPath.replace(/\/$/, "")}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  if (above === undefined) return isOwnFile(file) ? { path: file } : undefined;
  const volume = spec.volumes?.find(({ name }) => name === above.name);
  if (above.readOnly === true || !isOnDisk(volume)) return undefined;
  const { name, mountPath, subPath = "", subPathExpr = "" } = above;
  // Two containers may spell one file's place in a volume in two ways.
  const path = joinFilePath("/", subPath, subPathExpr, file.slice(mountPath.length));
  return { volume: name, path };
}

/** A tmpfs is no larger than its limit. */
function isOnDisk(volume: Volume | undefined): boolean {
  return volume?.emptyDir !== undefined && (volume.emptyDir.medium ?? "") === "";
}

/** Devices, and what the kernel shows, are no files on a disk. */
function isOwnFile(file: string): boolean {
  return file.startsWith("/") && !/^\/(dev|proc|sys)\//.test(file);
}
