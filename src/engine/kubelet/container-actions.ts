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
}

/** Init containers one after the other, then all containers at once. `reported` tells what held them up before the simulation. */
export function containersToStart(
  pod: Pod,
  sandbox: PodSandbox,
  now: Instant,
  reported?: ReportedStatuses,
): readonly ContainerToStart[] {
  const next = nextContainers(pod, sandbox, now);
  if (reported === undefined) return next;
  return next.filter(({ container, last }) => {
    const { state = {}, restartCount } = reported.get(container.name) ?? {};
    return isStarting(state) || (last !== undefined && last.restartCount !== restartCount);
  });
}

function nextContainers(pod: Pod, sandbox: PodSandbox, now: Instant): readonly ContainerToStart[] {
  const restarts: ContainerToStart[] = [];
  const hasStarted = pod.spec.containers.some((c) => presentRun(sandbox, c.name) !== undefined);
  for (const container of pod.spec.initContainers ?? []) {
    const last = presentRun(sandbox, container.name);
    const start: ContainerToStart = { container, isInit: true, last };
    if (last === undefined) return hasStarted ? restarts : [...restarts, start];
    if (isSidecar(container)) {
      if (!isRunning(last, now)) restarts.push(start);
    } else if (isRunning(last, now)) {
      return restarts;
    } else if (last.exitCode !== 0) {
      const isTriedAgain = isRestarted(container, pod.spec, last.exitCode);
      return isTriedAgain ? [...restarts, start] : restarts;
    }
  }
  const containers = pod.spec.containers
    .map((container) => ({ container, isInit: false, last: presentRun(sandbox, container.name) }))
    .filter(
      ({ container, last }) => last === undefined || shouldRestart(pod, container, last, now),
    );
  return [...restarts, ...containers];
}

/** Nothing but sidecars is left of the pod, which then stop as well. Upstream: computePodActions, where no container is kept. */
export function onlySidecarsRun(pod: Pod, sandbox: PodSandbox, now: Instant): boolean {
  const isOver = pod.spec.containers.every((container) => {
    const last = presentRun(sandbox, container.name);
    const isUp = last === undefined || isRunning(last, now);
    return !isUp && !isRestarted(container, pod.spec, last.exitCode);
  });
  return isOver && sandbox.containers.some((run) => isRunning(run, now));
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

  /** How long a container that ended at `finishedAt` is held back; undefined where it may start, which counts as a try. */
  delay(container: string, finishedAt: Instant, now: Instant): number | undefined {
    const entry = this.#entries?.get(container);
    const isFresh = entry === undefined || finishedAt - entry.updatedAt > 2 * delayMsMax;
    if (!isFresh && now - finishedAt < entry.delayMs) return entry.delayMs;
    const delayMs = isFresh ? firstDelayMs : Math.min(2 * entry.delayMs, delayMsMax);
    this.#entries ??= new Map();
    this.#entries.set(container, { delayMs, updatedAt: now });
    return undefined;
  }
}

/** As Go prints a duration of whole seconds: `10s`, `1m20s`. */
export function goDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
