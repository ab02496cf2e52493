/**
 * Makes the status that a kubelet writes for a pod, from its worker's state. Upstream: pkg/kubelet/kubelet_pods.go
 * generateAPIPodStatus v1.36.
 */
import { withFields } from "../api/json.ts";
import type { PodStatus } from "../api/types.ts";
import { restartsAllContainers } from "../version-differences.ts";
import { conditionsOfAll } from "./pod-conditions.ts";
import { generateStatus, type NewStatus } from "./pod-status.ts";
import { deadlineExceeded, haveContainersEnded, type PodWorker } from "./pod-worker.ts";
import type { ProberManager } from "./prober/prober-manager.ts";
import type { RefusedPodHost } from "./refused-pod.ts";

export function statusOf(
  { host, statuses }: Pick<RefusedPodHost, "host" | "statuses">,
  prober: ProberManager,
  worker: PodWorker,
): PodStatus {
  const { context, machine, hostIp } = host;
  const { pod, waiting } = worker;
  const sandbox = machine.containers.sandbox(pod.metadata.uid);
  const said = statuses.get(pod.metadata.uid);
  const known: NewStatus = withFields(pod.status ?? {}, said ?? {});
  // Includes the conditions that others have set since.
  if (said !== undefined) known.conditions = conditionsOfAll(said, pod.status);
  const reported = machine.containers.reported(pod.metadata.uid);
  const { now, version } = context;
  const isTerminal = haveContainersEnded(worker);
  const isRestartingAll = restartsAllContainers(version)
    ? !isTerminal && worker.isRestartingAll
    : undefined;
  const observation = {
    pod,
    known,
    sandbox,
    reported,
    waiting,
    probes: prober.probesOf(pod),
    isTerminal,
    isRestartingAll,
    canRecurse: machine.mountsAreReal,
    hostIp,
    now,
  };
  const status = generateStatus(observation, worker.override ?? deadlineExceeded(worker, now));
  const isElsewhere = status.hostIP !== hostIp || status.hostIPs === undefined;
  status.hostIP = hostIp;
  if (isElsewhere) status.hostIPs = [{ ip: hostIp }];
  status.startTime = worker.startTime;
  return status;
}
