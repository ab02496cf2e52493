/** Workloads whose pods are ready, but not for long enough: nothing changes until they are, and yet the cluster is not at rest. */
import type { ObjectStore } from "../../store/object-store.ts";

/** How long the workload that waits the longest has its pods be ready first; 0 where none waits. */
export function awaitedAvailabilityMs(store: Pick<ObjectStore, "list">): number {
  let seconds = 0;
  for (const { spec, status } of [...store.list("StatefulSet"), ...store.list("ReplicaSet")])
    if ((status?.availableReplicas ?? 0) < (status?.readyReplicas ?? 0))
      seconds = Math.max(seconds, spec?.minReadySeconds ?? 0);
  for (const { spec, status } of store.list("DaemonSet"))
    if ((status?.numberAvailable ?? 0) < (status?.numberReady ?? 0))
      seconds = Math.max(seconds, spec?.minReadySeconds ?? 0);
  return 1000 * seconds;
}
