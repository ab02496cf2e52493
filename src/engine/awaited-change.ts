/** What is certain to come although nothing changes until then: a cluster that waits for it is not at rest. */
import { isSidecar } from "./api/pod-containers.ts";
import { isRunning } from "./node/container-runtime.ts";
import type { Runtime } from "./runtime/runtime.ts";
import type { Instant } from "./trace/instant.ts";

/** By when the last of it has come, of what comes until `end`; `quietFrom` where nothing does. */
export function awaitedUntil(runtime: Runtime, quietFrom: Instant, end: Instant): Instant {
  const { store } = runtime.api;
  let last = quietFrom;
  const note = (at: Instant): void => {
    if (at <= end) last = Math.max(last, at);
  };
  // Pods that are ready, but not for long enough.
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
      // What the pod's other containers come to shows once these are done.
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
