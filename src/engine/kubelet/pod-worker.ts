/** The kubelet's state of a pod, and what follows from the pod's spec for its life. */
import { deepEqual } from "../api/json.ts";
import { containersAtCreation, isSidecar } from "../api/pod-containers.ts";
import { instantOf, timestamp } from "../api/timestamp.ts";
import type { Container, Pod, PodStatus } from "../api/types.ts";
import { ignoresSignal, plannedHookMs } from "../node/planned-exit.ts";
import type { CancelTimer } from "../runtime/component.ts";
import type { Instant } from "../trace/instant.ts";
import { CrashBackOff } from "./container-actions.ts";
import type { WaitingReason } from "./pod-observation.ts";
import type { StatusOverride } from "./pod-status.ts";

/** The kubelet's state of a pod. */
export interface PodWorker {
  pod: Pod;
  state: "syncing" | "terminating" | "terminated" | "finished";
  isBusy: boolean;
  isKicked: boolean;
  isObjectGone: boolean;
  cancelWait: CancelTimer | undefined;
  cancelTimer: CancelTimer | undefined;
  /** When `cancelTimer`'s timer fires. */
  wakesAt: Instant;
  /** When its last sync ended; undefined before that, and always for a pod that ran before the simulation. */
  syncedAt: Instant | undefined;
  /** True if something has changed that only a sync notices. */
  isBehind: boolean;
  cancelRelist: CancelTimer | undefined;
  /** Used once, in the status before the containers are stopped; after that their result counts. */
  override: StatusOverride | undefined;
  /** The kubelet's own grace period for a pod that it ends; undefined if the pod's counts. */
  graceSeconds: number | undefined;
  /** Cancels the next check of what the pod has written to disk. */
  cancelMeasure: CancelTimer | undefined;
  readonly startTime: string;
  /** Why containers do not start, by name. */
  readonly waiting: Map<string, WaitingReason>;
  readonly backOff: CrashBackOff;
  /** The pod's status in the API before its containers were stopped. */
  saidBeforeStop: PodStatus | undefined;
  /** True if its containers are to be removed and then all restarted. */
  isRestartingAll: boolean;
}

export function newPodWorker(pod: Pod, now: Instant): PodWorker {
  return {
    pod,
    state: "syncing",
    isBusy: false,
    isKicked: false,
    isObjectGone: false,
    cancelWait: undefined,
    cancelTimer: undefined,
    wakesAt: now,
    syncedAt: undefined,
    isBehind: false,
    cancelRelist: undefined,
    override: undefined,
    graceSeconds: undefined,
    cancelMeasure: undefined,
    startTime: pod.status?.startTime ?? timestamp(now),
    waiting: new Map(),
    backOff: new CrashBackOff(),
    saidBeforeStop: undefined,
    isRestartingAll: false,
  };
}

/** True if all containers of the pod have been stopped or have ended. */
export function haveContainersEnded({ state }: PodWorker): boolean {
  return state === "terminated" || state === "finished";
}

/** True if an update calls for a sync. Status changes, whoever makes them, do not. Upstream: podsDifferSemantically. */
export function changesSync({ metadata: before }: Pod, { metadata: after }: Pod): boolean {
  return (
    before.generation !== after.generation ||
    !deepEqual(before.labels, after.labels) ||
    !deepEqual(before.annotations, after.annotations)
  );
}

/** When the pod's activeDeadlineSeconds are over; undefined if it has none. */
export function deadlineOf({ pod, startTime }: PodWorker): Instant | undefined {
  const seconds = pod.spec.activeDeadlineSeconds;
  return seconds === undefined ? undefined : instantOf(startTime) + seconds * 1000;
}

/**
 * The failure of a pod past its deadline; undefined before. Checked whenever the status is made. Upstream:
 * activeDeadlineHandler.ShouldEvict.
 */
export function deadlineExceeded(worker: PodWorker, now: Instant): StatusOverride | undefined {
  const deadline = deadlineOf(worker);
  if (deadline === undefined || now < deadline) return undefined;
  const message = "Pod was active on the node longer than the specified deadline";
  return { phase: "Failed", reason: "DeadlineExceeded", message };
}

/** How long the container's preStop hook delays its stop. Without `runsPrograms`, exec hooks end at once. */
export function preStopMs(
  worker: Pick<PodWorker, "pod" | "graceSeconds">,
  containerName: string,
  runsPrograms: boolean,
): number {
  const container = containersAtCreation(worker.pod.spec).find((c) => c.name === containerName);
  const { sleep, exec } = container?.lifecycle?.preStop ?? {};
  const command = exec?.command?.join(" ");
  const hookMs =
    command !== undefined && runsPrograms ? plannedHookMs(command) : 1000 * (sleep?.seconds ?? 0);
  return Math.min(hookMs, 1000 * gracePeriodSeconds(worker));
}

/**
 * The same for containers that are stopped together: sidecars wait for all others and for the sidecars after them, within their
 * own grace period. Upstream: terminationOrdering.waitForTurn.
 */
export function preStopMsTogether(
  worker: Pick<PodWorker, "pod" | "graceSeconds">,
  names: ReadonlySet<string>,
  runsPrograms: boolean,
): number {
  const hookMs = ({ name }: Container): number =>
    names.has(name) ? preStopMs(worker, name, runsPrograms) : 0;
  const { initContainers = [], containers } = worker.pod.spec;
  const graceMs = 1000 * gracePeriodSeconds(worker);
  let ms = Math.max(...containers.map(hookMs));
  for (const sidecar of initContainers.filter(isSidecar).reverse())
    ms += Math.min(hookMs(sidecar), Math.max(0, graceMs - ms));
  return ms;
}

/** True if a container of an evicted pod has to be killed because it ignores the signal to stop. */
export function isKilledAtEviction(
  { pod, graceSeconds }: Pick<PodWorker, "pod" | "graceSeconds">,
  containerName: string,
): boolean {
  const container = containersAtCreation(pod.spec).find((c) => c.name === containerName);
  return graceSeconds !== undefined && container !== undefined && ignoresSignal(pod, container);
}

/** Upstream: calculateEffectiveGracePeriod. */
function gracePeriodSeconds({
  pod,
  graceSeconds,
}: Pick<PodWorker, "pod" | "graceSeconds">): number {
  const { deletionGracePeriodSeconds: ofDeletion } = pod.metadata;
  const given = [ofDeletion, graceSeconds].filter((seconds) => seconds !== undefined);
  const wanted =
    given.length > 0 ? Math.min(...given) : (pod.spec.terminationGracePeriodSeconds ?? 30);
  return Math.max(wanted, 1);
}
