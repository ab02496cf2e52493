/**
 * Which containers of a pod to start next, and which have to wait after a crash. Upstream: pkg/kubelet/kuberuntime
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
  /** Its last run, where it has to be started again. */
  readonly last: ContainerRecord | undefined;
  /** What is told of that run's end where it goes on and has to be ended first. */
  readonly killing?: string;
}

/**
 * Init containers one after the other, then all containers at once. `reported` tells what held them up before the simulation,
 * `hasStarted` whether a sidecar that runs has answered its startup probe.
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
  // Once all of the pod's containers have ended, the last init container has to be through anew.
  const isPastInit = pod.spec.containers.some((c) => runs(presentRun(sandbox, c.name), now));
  const all = pod.spec.initContainers ?? [];
  const begun = all.flatMap((container): readonly BegunInit[] => {
    const last = presentRun(sandbox, container.name);
    return last === undefined ? [] : [{ container, isInit: true, last }];
  });
  // Beside the pod's containers only sidecars are started again.
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

/** May what comes after this init container begin? */
function isInitialized(
  { container, last }: BegunInit,
  now: Instant,
  hasStarted: (sidecar: string) => boolean,
): boolean {
  return isSidecar(container)
    ? isRunning(last, now) && (container.startupProbe === undefined || hasStarted(container.name))
    : !isRunning(last, now) && last.exitCode === 0;
}

/** Undefined where it is not started again. */
function initRestart(pod: Pod, init: BegunInit, now: Instant): ContainerToStart | undefined {
  const { container, last } = init;
  if (!isRunning(last, now)) {
    const isTriedAgain = last.exitCode !== 0 && isRestarted(container, pod.spec, last.exitCode);
    return isSidecar(container) || isTriedAgain ? init : undefined;
  }
  if (!isSidecar(container) || !isChanged(container, last)) return undefined;
  return { ...init, killing: `Init container ${container.name} definition changed` };
}

/** Those that are no init containers. */
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

/** Of what can change in a pod that runs, only the image counts. Upstream: containerChanged, HashContainer. */
function isChanged({ image = "" }: Container, last: ContainerRecord): boolean {
  return image !== last.image;
}

/**
 * Nothing but sidecars is left of the pod, which then stop as well; not while the last of them has to be started again. Upstream:
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
  /** Absent for the many pods whose containers never end. */
  #entries: Map<string, BackOffEntry> | undefined;

  /**
   * How long a container that ended at `finishedAt` is held back; undefined where it may start, which counts as a try. With
   * another image it is another container. Upstream: getStableKey.
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

/** As Go prints a duration of whole seconds: `10s`, `1m20s`. */
export function goDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
