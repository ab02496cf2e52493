/** Changes that are certain to come although nothing happens until then. A cluster that waits for one is not at rest yet. */
import { isSidecar } from "./api/pod-containers.ts";
import { isRunning } from "./node/container-runtime.ts";
import type { Runtime } from "./runtime/runtime.ts";
import type { Instant } from "./trace/instant.ts";

/** Returns when the last such change up to `end` will have come; `quietFrom` if there is none. */
export function awaitedUntil(runtime: Runtime, quietFrom: Instant, end: Instant): Instant {
  const { store } = runtime.api;
  let last = quietFrom;
  const note = (at: Instant): void => {
    if (at <= end) last = Math.max(last, at);
  };
  // Waits for ready pods that become available after minReadySeconds.
  const awaitPods = (ready = 0, available = 0, minReadySeconds = 0): void => {
    if (available < ready) note(quietFrom + 1000 * minReadySeconds);
  };
  for (const { spec, status } of [...store.list("StatefulSet"), ...store.list("ReplicaSet")])
    awaitPods(status?.readyReplicas, status?.availableReplicas, spec?.minReadySeconds);
  for (const { spec, status } of store.list("DaemonSet"))
    awaitPods(status?.numberReady, status?.numberAvailable, spec?.minReadySeconds);
  for (const { containers, kubeletUp } of runtime.machines.values()) {
    for (const { namespace, name, containers: runs, probedAt } of containers.sandboxes) {
      if (probedAt !== undefined && kubeletUp) note(probedAt);
      // What happens to the pod's other containers shows only when its plain init containers have ended.
      const plain = store
        .get("Pod", namespace, name)
        ?.spec.initContainers?.filter((c) => !isSidecar(c));
      for (const run of runs)
        if (isRunning(run, runtime.loop.now) && plain?.some((c) => c.name === run.name))
          note(run.finishesAt ?? quietFrom);
    }
  }
  return last;
}
