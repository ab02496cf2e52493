/**
 * Pods that write more into an emptyDir than its sizeLimit are evicted. Upstream: pkg/kubelet/eviction/eviction_manager.go
 * emptyDirLimitEviction, evictPod; pkg/kubelet/server/stats fs_resource_analyzer.go v1.36.
 * Not modelled: limits of ephemeral-storage, and nodes that run out of disk.
 */
import { nanosPerOne, quantityOrZero } from "../api/quantity.ts";
import type { Container, Pod } from "../api/types.ts";
import { latestRun, type PodSandbox } from "../node/container-runtime.ts";
import { plannedWrites } from "../node/planned-writes.ts";

/** How often the volumes of a pod are measured, and how often the eviction manager looks at what was measured. */
export const measurePeriodMs = 60_000;
export const evictionPeriodMs = 10_000;
/** What an evicted pod is granted, whatever it wishes. Upstream: immediateEvictionGracePeriodSeconds. */
export const evictionGraceSeconds = 1;

/** Quantities are held in billionths. */

/** Why the pod is evicted; undefined where no emptyDir holds more than it may. */
export function emptyDirEviction(pod: Pod, sandbox: PodSandbox | undefined): string | undefined {
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const limit = quantityOrZero(emptyDir?.sizeLimit);
    // A tmpfs is no larger than its limit.
    if (limit.nanos <= 0n || emptyDir?.medium === "Memory") continue;
    if (bytesIn(pod, sandbox, name) * nanosPerOne > limit.nanos)
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${limit.text}". `;
  }
  return undefined;
}

/** What all containers that ran have written into the volume. */
function bytesIn(pod: Pod, sandbox: PodSandbox | undefined, volume: string): bigint {
  const files = new Map<string, bigint>();
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    if (latestRun(sandbox, container.name) === undefined) continue;
    for (const [file, bytes] of plannedWrites(container)) {
      const path = pathInVolume(container, volume, file);
      if (path !== undefined) files.set(path, bytes);
    }
  }
  let bytes = 0n;
  for (const size of files.values()) bytes += size;
  return bytes;
}

/** The innermost mount above a file is the one that it is written to. */
function pathInVolume(container: Container, volume: string, file: string): string | undefined {
  const above = (container.volumeMounts ?? [])
    .filter(({ mountPath }) => file.startsWith(`${mountPath.replace(/\/$/, "")}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  if (above?.name !== volume || above.readOnly === true) return undefined;
  return `${above.subPath ?? ""}/${file.slice(above.mountPath.length)}`;
}
