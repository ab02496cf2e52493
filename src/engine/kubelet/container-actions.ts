/**
 * Decides which containers of a pod to start next, and which have to wait after a crash. Upstream: pkg/kubelet/kuberuntime
 * kuberuntime_manager.go computePodActions, doBackOff, kuberuntime_container.go computeInitContainerActions v1.36.
 */
import { isSidecar } from "../api/pod-containers.ts";
import type { Container, Pod } from "../api/types.ts";
import { isRestarted } from "../matching/restart-policy.ts";
import {
  type ContainerRecord,
  isRunning,
  type PodSandbox,
  presentRun,
  type ReportedStatuses,
} from "../node/container-runtime.ts";
import type { Instant } from "../trace/instant.ts";
import { isStarting } from "./pod-status.ts";

export interface ContainerToStart {
  readonly container: Container;
  readonly isInit: boolean;
  /** Its previous run, if this is a restart. */
  readonly last: ContainerRecord | undefined;
  /** The event message for stopping the previous run, if that still runs and has to be stopped first. */
  readonly killing?: string;
}

/**
 * Returns the containers to start: init containers one after the other, then all others at once. `hasStarted` tells whether a
 * running sidecar has passed its startup probe. Containers that something else held up before the simulation, by their
 * `reported` statuses, are left out.
 */
export function containersToStart(
  pod: Pod,
  sandbox: PodSandbox,
  now: Instant,
  hasStarted: (sidecar: string) => boolean,
  reported?: ReportedStatuses,
): readonly ContainerToStart[] {
  const next = nextContainers(pod, sandbox, now, hasStarted);
  if (reported === undefined) return next;
  return next.filter(({ container, last, killing }) => {
    if (killing !== undefined) return true;
    const { state = {}, restartCount } = reported.get(container.name) ?? {};
    return isStarting(state) || (last !== undefined && last.restartCount !== restartCount);
  });
}

function nextContainers(
  pod: Pod,
  sandbox: PodSandbox,
  now: Instant,
  hasStarted: (sidecar: string) => boolean,
): readonly ContainerToStart[] {
  // Once all containers of the pod have ended, the last init container has to succeed again.
  const isPastInit = pod.spec.containers.some((c) => runs(presentRun(sandbox, c.name), now));
  const all = pod.spec.initContainers ?? [];
  const begun = all.flatMap((container): readonly BegunInit[] => {
    const last = presentRun(sandbox, container.name);
    return last === undefined ? [] : [{ container, isInit: true, last }];
  });
  // While the pod's containers run, only sidecars are restarted.
  const due = begun.flatMap((init) =>
    isPastInit && !isSidecar(init.container) ? [] : (initRestart(pod, init, now) ?? []),
  );
  const latest = begun.at(-1);
  if (!isPastInit && latest !== undefined && !isInitialized(latest, now, hasStarted)) return due;
  const following = latest === undefined ? 0 : all.indexOf(latest.container) + 1;
  const next = isPastInit ? undefined : all[following];
  return next === undefined
    ? [...due, ...ownContainers(pod, sandbox, now)]
    : [...due, { container: next, isInit: true, last: undefined }];
}

function runs(run: ContainerRecord | undefined, now: Instant): boolean {
  return run !== undefined && isRunning(run, now);
}

interface BegunInit extends ContainerToStart {
  readonly last: ContainerRecord;
}

/** True if the container after this init container may start. */
function isInitialized(
  { container, last }: BegunInit,
  now: Instant,
  hasStarted: (sidecar: string) => boolean,
): boolean {
  return isSidecar(container)
    ? isRunning(last, now) && (container.startupProbe === undefined || hasStarted(container.name))
    : !isRunning(last, now) && last.exitCode === 0;
}

/** Undefined if the container is not restarted. */
function initRestart(pod: Pod, init: BegunInit, now: Instant): ContainerToStart | undefined {
  const { container, last } = init;
  if (!isRunning(last, now)) {
    const isTriedAgain = last.exitCode !== 0 && isRestarted(container, pod.spec, last.exitCode);
    return isSidecar(container) || isTriedAgain ? init : undefined;
  }
  if (!isSidecar(container) || !isChanged(container, last)) return undefined;
  return { ...init, killing: `Init container ${container.name} definition changed` };
}

/** The starts that are due among the containers of spec.containers. */
function ownContainers(pod: Pod, sandbox: PodSandbox, now: Instant): readonly ContainerToStart[] {
  return pod.spec.containers.flatMap((container): readonly ContainerToStart[] => {
    const last = presentRun(sandbox, container.name);
    const start = { container, isInit: false, last };
    if (last === undefined || shouldRestart(pod, container, last, now)) return [start];
    if (!isRunning(last, now) || !isChanged(container, last)) return [];
    const killing = `Container ${container.name} definition changed, will be restarted`;
    return [{ ...start, killing }];
  });
}

/**
 * Of the fields that can change in a running pod, only the image requires a restart. Upstream: containerChanged, HashContainer.
 */
function isChanged({ image = "" }: Container, last: ContainerRecord): boolean {
  return image !== last.image;
}

/**
 * True if only sidecars are left, so that they have to stop too. False while the last sidecar has to be restarted. Upstream:
 * computePodActions, where no container is kept.
 */
export function onlySidecarsRun(
  pod: Pod,
  sandbox: PodSandbox,
  now: Instant,
  hasStarted: (sidecar: string) => boolean,
): boolean {
  const isOver = pod.spec.containers.every((container) => {
    const last = presentRun(sandbox, container.name);
    const isUp = last === undefined || isRunning(last, now);
    return !isUp && !isRestarted(container, pod.spec, last.exitCode);
  });
  const container = pod.spec.initContainers?.at(-1);
  const last = container && presentRun(sandbox, container.name);
  if (container === undefined || last === undefined) return false;
  const isPastInit = isInitialized({ container, isInit: true, last }, now, hasStarted);
  return isOver && isPastInit && sandbox.containers.some((run) => isRunning(run, now));
}

/** Upstream: kubecontainer.ShouldContainerBeRestarted. */
function shouldRestart(
  { spec }: Pod,
  container: Container,
  last: ContainerRecord,
  now: Instant,
): boolean {
  return !isRunning(last, now) && isRestarted(container, spec, last.exitCode);
}

const firstDelayMs = 10_000;
const delayMsMax = 300_000;

interface BackOffEntry {
  readonly delayMs: number;
  readonly updatedAt: Instant;
}

/** Delays between the restarts of a container. Upstream: client-go util/flowcontrol/backoff.go. */
export class CrashBackOff {
  /** Undefined for the many pods whose containers never end. */
  #entries: Map<string, BackOffEntry> | undefined;

  /**
   * Returns the delay by which a container that ended at `finishedAt` is held back. Undefined if it may start; that counts as
   * an attempt. A new image counts as a new container. Upstream: getStableKey.
   */
  delay({ name, image = "" }: Container, finishedAt: Instant, now: Instant): number | undefined {
    const key = `${name} ${image}`;
    const entry = this.#entries?.get(key);
    const isFresh = entry === undefined || finishedAt - entry.updatedAt > 2 * delayMsMax;
    if (!isFresh && now - finishedAt < entry.delayMs) return entry.delayMs;
    const delayMs = isFresh ? firstDelayMs : Math.min(2 * entry.delayMs, delayMsMax);
    this.#entries ??= new Map();
    this.#entries.set(key, { delayMs, updatedAt: now });
    return undefined;
  }
}

/** Formats a duration of whole seconds like Go: `10s`, `1m20s`. */
export function goDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
