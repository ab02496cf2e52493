/**
 * The columns of `kubectl get` for a pod: READY, STATUS and RESTARTS.
 * Upstream: pkg/printers/internalversion/printers.go v1.36 printPod.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { KubeObject } from "../../api/meta.ts";
import { isSidecar } from "../../api/pod-containers.ts";
import { isPodEnded } from "../../matching/pod-state.ts";

export interface PrintedPod {
  readonly ready: string;
  readonly status: string;
  readonly restartCount: number;
  /** When a counted container last ended; absent if none did. */
  readonly lastRestart?: string;
}

type Pod = KubeObject<"Pod">;
type ContainerStatus = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

export function printedPod(pod: Pod): PrintedPod {
  const { metadata, spec, status = {} } = pod;
  const init = initialization(pod);
  const conditions = status.conditions ?? [];
  const isTrue = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === "True");
  const isPastInit = init.status === undefined || isTrue("Initialized");
  const containers = isPastInit ? (status.containerStatuses ?? []) : [];
  const running = containers.filter(({ ready, state }) => ready && state?.running !== undefined);
  const counted = isPastInit
    ? [...init.sidecars, ...containers]
    : (status.initContainerStatuses ?? []).slice(0, init.lookedAt);

  let text = ownReason(pod);
  if (init.status !== undefined) text = init.status;
  // The first container with a reason wins; upstream loops backwards and overwrites.
  for (const container of containers) {
    const reason = reasonOf(container);
    if (reason === undefined) continue;
    text = reason;
    break;
  }
  if (text === "Completed" && running.length > 0) text = isTrue("Ready") ? "Running" : "NotReady";
  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === "NodeLost") text = "Unknown";
    else if (!isPodEnded(pod)) text = "Terminating";
  }
  const total = spec.containers.length + restartableInit(pod).size;
  const ends = counted.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  const lastRestart = ends.sort(compareText).at(-1);
  return {
    ready: `${running.length + init.readyCount}/${total}`,
    status: text,
    restartCount: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    ...(lastRestart !== undefined && { lastRestart }),
  };
}

function ownReason({ status }: Pod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  if (isGated === true) return "SchedulingGated";
  return status?.reason || status?.phase || "Pending";
}

interface Initialization {
  /** Absent once all init containers are done. */
  readonly status?: string;
  readonly readyCount: number;
  /** How many init containers have begun, including the current one. */
  readonly lookedAt: number;
  readonly sidecars: readonly ContainerStatus[];
}

function initialization(pod: Pod): Initialization {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const restartable = restartableInit(pod);
  let readyCount = 0;
  for (const [index, container] of statuses.entries()) {
    const { name, state, started, ready } = container;
    if (state?.terminated?.exitCode === 0) continue;
    if (restartable.has(name) && started === true) {
      if (ready) readyCount++;
      continue;
    }
    const waiting = state?.waiting?.reason === "PodInitializing" ? undefined : reasonOf(container);
    const status = `Init:${waiting ?? `${index}/${pod.spec.initContainers?.length ?? 0}`}`;
    const lookedAt = index + 1;
    const sidecars = statuses.slice(0, lookedAt).filter((one) => restartable.has(one.name));
    return { status, readyCount, lookedAt, sidecars };
  }
  const sidecars = statuses.filter((one) => restartable.has(one.name));
  return { readyCount, lookedAt: statuses.length, sidecars };
}

/** Why a container waits or ended; undefined while it runs. */
function reasonOf({ state }: ContainerStatus): string | undefined {
  const { waiting, terminated } = state ?? {};
  if (waiting?.reason) return waiting.reason;
  if (terminated === undefined) return undefined;
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

function restartableInit({ spec }: Pod): ReadonlySet<string> {
  return new Set(spec.initContainers?.filter(isSidecar).map(({ name }) => name));
}
