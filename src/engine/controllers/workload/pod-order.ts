/**
 * The criteria by which ReplicaSets and Jobs choose the pods to delete. Upstream: pkg/controller/controller_utils.go
 * podPhaseToOrdinal, compareMaxContainerRestarts v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { isSidecar } from "../../api/pod-containers.ts";

type Pod = KubeObject<"Pod">;

/** Pending pods rank before those in phase Unknown, and these before running ones. */
export function phaseRank(pod: Pod): number {
  return pod.status?.phase === "Running" ? 2 : pod.status?.phase === "Unknown" ? 1 : 0;
}

/** Negative if `a` has restarted more often, counting containers first, then sidecars. */
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
