/** Whether a pod can still use a volume. Upstream: pkg/volume/util IsPodTerminated v1.36. */
import type { Pod } from "../api/types.ts";

/** Finished, or being deleted with no container left running. */
export function isPodTerminated(pod: Pod): boolean {
  const { phase, containerStatuses, initContainerStatuses, ephemeralContainerStatuses } =
    pod.status ?? {};
  if (phase === "Failed" || phase === "Succeeded") return true;
  if (pod.metadata.deletionTimestamp === undefined) return false;
  return [initContainerStatuses, containerStatuses, ephemeralContainerStatuses]
    .flatMap((statuses) => statuses ?? [])
    .every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
}

/** Nothing of it runs any more; only finalizers keep the object. Upstream: pvc_protection_controller.go podIsShutDown. */
export function isPodShutDown(pod: Pod): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
}
