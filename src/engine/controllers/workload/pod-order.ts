/**
 * What decides which of two pods goes first, in ReplicaSets and in Jobs. Upstream: pkg/controller/controller_utils.go
 * podPhaseToOrdinal, compareMaxContainerRestarts v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { isSidecar } from "../../api/pod-containers.ts";

type Pod = KubeObject<"Pod">;

/** A pod that waits comes before one whose node is silent, and that before one that runs. */
export function phaseRank(pod: Pod): number {
  return pod.status?.phase === "Running" ? 2 : pod.status?.phase === "Unknown" ? 1 : 0;
}

/** Below zero where `a` has restarted more often: its containers, and of equal ones its sidecars. */
export function compareRestarts(a: Pod, b: Pod): number {
  return maxRestarts(b) - maxRestarts(a) || maxSidecarRestarts(b) - maxSidecarRestarts(a);
}

function maxRestarts(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
}

function maxSidecarRestarts({ spec, status }: Pod): number {
  const sidecars = new Set(spec.initContainers?.filter(isSidecar).map(({ name }) => name));
  const counts = (status?.initContainerStatuses ?? []).map(({ name, restartCount }) =>
    sidecars.has(name) ? restartCount : 0,
  );
  return Math.max(0, ...counts);
}
