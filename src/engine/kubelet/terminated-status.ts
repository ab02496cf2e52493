/**
 * The status of a pod that has ended: whatever had its turn and did not end by itself counts as ended now.
 * Upstream: pkg/kubelet/status/status_manager.go TerminatePod, initializedContainers v1.36.
 */
import { isSidecar } from "../api/pod-containers.ts";
import type { ContainerStatus, Pod, PodStatus } from "../api/types.ts";
import { isTerminalPhase } from "../matching/pod-state.ts";

export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const ended = (c: ContainerStatus): ContainerStatus =>
    c.state?.terminated === undefined ? lost(c) : c;
  const { initContainerStatuses: init, containerStatuses = [] } = status;
  const lastBegun = Math.max(0, init?.findLastIndex(hasBegun) ?? 0);
  return {
    ...status,
    // The phase alone: conditions are those of the phase before.
    ...(!isTerminalPhase(status.phase) && { phase: "Failed" }),
    ...(init !== undefined && {
      initContainerStatuses: init.map((c, i) => (i <= lastBegun ? ended(c) : c)),
    }),
    containerStatuses: hasInitialized(pod, status)
      ? containerStatuses.map(ended)
      : containerStatuses,
  };
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting === undefined || lastState?.terminated !== undefined;
}

/** Did the pod's containers have their turn? Upstream: hasPodInitialized. */
function hasInitialized({ spec }: Pod, status: PodStatus): boolean {
  const { initContainerStatuses: init = [], containerStatuses = [] } = status;
  const last = init.at(-1);
  if (last === undefined || containerStatuses.some(hasBegun)) return true;
  const isUp = last.state?.running !== undefined && last.started === true;
  const container = spec.initContainers?.at(-1);
  return container !== undefined && isSidecar(container)
    ? isUp
    : [last.state, last.lastState].some((state) => state?.terminated?.exitCode === 0);
}

function lost(status: ContainerStatus): ContainerStatus {
  const terminated = {
    exitCode: 137,
    reason: "ContainerStatusUnknown",
    message: "The container could not be located when the pod was terminated",
  };
  return { ...status, ready: false, started: false, state: { terminated } };
}
