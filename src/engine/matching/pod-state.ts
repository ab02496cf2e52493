/**
 * Whether a pod has ended, and whether it can still use a volume. Upstream: pkg/api/v1/pod/util.go IsPodPhaseTerminal,
 * IsPodTerminal, pkg/volume/util IsPodTerminated v1.36.
 */
import type { Pod } from "../api/types.ts";

/** The one scheduler that every cluster has. */
export const defaultScheduler = "default-scheduler";

export function isTerminalPhase(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** True if the pod has succeeded or failed; it starts no containers any more. */
export function isPodEnded({ status }: Pod): boolean {
  return isTerminalPhase(status?.phase);
}

/** True if the pod has ended, or is being deleted and no container is running. */
export function isPodTerminated(pod: Pod): boolean {
  if (isPodEnded(pod)) return true;
  if (pod.metadata.deletionTimestamp === undefined) return false;
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  return [initContainerStatuses, containerStatuses, ephemeralContainerStatuses]
    .flatMap((statuses) => statuses ?? [])
    .every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
}

/**
 * True if nothing of the pod runs any more and only finalizers keep the object. Upstream: pvc_protection_controller.go
 * podIsShutDown.
 */
export function isPodShutDown(pod: Pod): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
}
