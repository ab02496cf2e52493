/** What happens to a pod that the kubelet does not admit. Upstream: pkg/kubelet/kubelet.go rejectPod, kubelet_pods.go v1.36. */
import { refOf } from "../api/meta.ts";
import { isRunning } from "../node/container-runtime.ts";
import { event, type Task } from "../runtime/effects.ts";
import type { Instant } from "../trace/instant.ts";
import type { Refusal } from "./pod-admission.ts";
import type { PodWorker } from "./pod-worker.ts";
import type { StatusManager } from "./status-manager.ts";
import type { VolumeManager } from "./volume-manager/volume-manager.ts";
import type { VolumeHost } from "./volumes/plugin.ts";

/** After its start, when a kubelet first looks for containers without a pod worker, and when it first reconciles statuses. */
const housekeepingMs = 2_000;
const statusBatchMs = 10_000;

export interface RefusedPodHost {
  readonly host: VolumeHost;
  readonly volumes: VolumeManager;
  readonly statuses: StatusManager;
}

/** Writes a status that says only why. `startedAt`: the kubelet's start; `isKept`: whether the pod still exists. */
export function refusePod(
  kubelet: RefusedPodHost,
  startedAt: Instant,
  worker: PodWorker,
  { reason, message }: Refusal,
  isKept: () => boolean,
): void {
  const { host, statuses } = kubelet;
  const { pod, startTime } = worker;
  const { context } = host;
  const tell = event(refOf(pod), "Warning", reason, message);
  context.go(tell);
  const qosClass = pod.status?.qosClass;
  const rest = { startTime, ...(qosClass !== undefined && { qosClass }) };
  const failed = { phase: "Failed", reason, message: `Pod was rejected: ${message}`, ...rest };
  const untilCleanUp = startedAt + housekeepingMs - context.now;
  if (untilCleanUp <= 0) {
    statuses.reject(pod, failed);
    return;
  }
  // Containers may still run from before a kubelet restart: until they are stopped the phase stays and the volumes are mounted
  // again.
  const { phase } = pod.status ?? {};
  statuses.rejectLater(pod, { ...(phase !== undefined && { phase }), ...rest });
  kubelet.volumes.processPod(pod);
  context.after(untilCleanUp, () => {
    if (isKept()) context.go(stopRefused(kubelet, worker));
  });
  context.after(untilCleanUp + statusBatchMs - housekeepingMs, () => {
    if (isKept()) statuses.reject(worker.pod, failed);
  });
}

/** Stops the containers without hooks or grace. Upstream: HandlePodCleanups, which knows only the pod's containers. */
function* stopRefused({ host, volumes }: RefusedPodHost, { pod, isObjectGone }: PodWorker): Task {
  const { context, machine } = host;
  const { uid } = pod.metadata;
  const sandbox = machine.containers.sandbox(uid);
  for (const container of sandbox?.containers ?? []) {
    if (!isRunning(container, context.now)) continue;
    machine.containers.stop(container, context.now);
    yield* event(refOf(pod), "Normal", "Killing", `Stopping container ${container.name}`);
  }
  machine.containers.remove(uid);
  volumes.removePod(uid, isObjectGone);
}
