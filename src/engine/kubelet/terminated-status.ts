/**
 * The final status of a pod: containers that had their turn and have no end of their own count as terminated.
 * Upstream: pkg/kubelet/status/status_manager.go TerminatePod, initializedContainers v1.36.
 */
import { isSidecar } from "../api/pod-containers.ts";
import type { ContainerStatus, PodSpec, PodStatus } from "../api/types.ts";
import { isTerminalPhase } from "../matching/pod-state.ts";

/** `said`: the pod's status in the API before its containers were stopped. */
export function terminatedStatus(
  spec: PodSpec,
  said: PodStatus | undefined,
  status: PodStatus,
): PodStatus {
  const ended = (c: ContainerStatus): ContainerStatus =>
    c.state?.terminated === undefined ? lost(c) : c;
  const { initContainerStatuses: init, containerStatuses = [] } = status;
  const lastBegun = Math.max(0, init?.findLastIndex(hasBegun) ?? 0);
  return {
    ...status,
    // Only the phase changes; the conditions still match the phase before.
    ...(!isTerminalPhase(status.phase) && { phase: "Failed" }),
    ...(init !== undefined && {
      initContainerStatuses: init.map((c, i) => (i <= lastBegun ? ended(c) : c)),
    }),
    containerStatuses: hasInitialized(spec, said)
      ? containerStatuses.map(ended)
      : containerStatuses,
  };
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting === undefined || lastState?.terminated !== undefined;
}

/** True if the init containers were done. Upstream: hasPodInitialized. */
function hasInitialized(spec: PodSpec, said: PodStatus = {}): boolean {
  const { initContainerStatuses: init = [], containerStatuses = [] } = said;
  const container = spec.initContainers?.at(-1);
  if (container === undefined || containerStatuses.some(hasBegun)) return true;
  const last = init.at(-1);
  if (last === undefined) return false;
  const isUp = last.state?.running !== undefined && last.started === true;
  return isSidecar(container)
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
