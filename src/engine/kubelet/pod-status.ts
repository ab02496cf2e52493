/**
 * Makes a pod's status from the state of its containers. Upstream: pkg/kubelet/kubelet_pods.go getPhase, generateAPIPodStatus,
 * convertToAPIContainerStatuses v1.36. Not modeled: ephemeral containers.
 */
import { compareText } from "../api/go/text-order.ts";
import { withFields } from "../api/json.ts";
import { isSidecar } from "../api/pod-containers.ts";
import { timestamp } from "../api/timestamp.ts";
import type { Container, ContainerState, ContainerStatus, Pod, PodStatus } from "../api/types.ts";
import { isTerminalPhase } from "../matching/pod-state.ts";
import { isRestarted } from "../matching/restart-policy.ts";
import {
  type ContainerRecord,
  isRunning,
  latestRun,
  type PodSandbox,
} from "../node/container-runtime.ts";
import type { Instant } from "../trace/instant.ts";
import { mountStatuses } from "./mount-statuses.ts";
import { conditionsOf } from "./pod-conditions.ts";
import {
  noContainer,
  type PodObservation,
  type PodPhase,
  type WaitingReason,
} from "./pod-observation.ts";

/** A status under construction. */
export type NewStatus = { -readonly [Field in keyof PodStatus]: PodStatus[Field] };

/** The phase and reason of a pod that the kubelet itself ends. */
export interface StatusOverride {
  readonly phase: PodPhase;
  readonly reason: string;
  readonly message: string;
}

/** Reason and message belong to the phase, whoever wrote them. */
export function withoutReason(status: PodStatus): PodStatus {
  if (!("reason" in status || "message" in status)) return status;
  const { reason: _, message: __, ...rest } = status;
  return rest;
}

export function generateStatus(observation: PodObservation, override?: StatusOverride): NewStatus {
  const { pod, known, sandbox } = observation;
  const initContainers = pod.spec.initContainers ?? [];
  const untilStarted = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const containerStatuses = pod.spec.containers.map((c) =>
    containerStatus(observation, c, untilStarted),
  );
  const initStatuses = initContainers.map((c) =>
    containerStatus(observation, c, "PodInitializing"),
  );
  const seen = phaseOf(observation, initStatuses, containerStatuses);
  const told = pod.status?.phase as PodPhase | undefined;
  // A pod that has ended never runs again.
  const reached = [seen, known.phase as PodPhase | undefined, told].find(isTerminalPhase) ?? seen;
  // A terminal phase that somebody else wrote stays.
  const phase = told !== undefined && isTerminalPhase(told) ? told : (override?.phase ?? reached);
  const because = override ?? (reached === known.phase ? known : undefined);
  const status: NewStatus = withFields(withoutReason(known), {});
  status.phase = phase;
  if (because?.reason !== undefined) status.reason = because.reason;
  if (because?.message !== undefined) status.message = because.message;
  status.conditions = conditionsOf(observation, phase, initStatuses, containerStatuses);
  if (initStatuses.length > 0) status.initContainerStatuses = initStatuses;
  // Init container statuses keep the order of the spec; all others are sorted by name. Upstream: SortedContainerStatuses.
  status.containerStatuses =
    containerStatuses.length < 2
      ? containerStatuses
      : [...containerStatuses].sort((x, y) => compareText(x.name, y.name));
  // A pod on the host network has the node's address.
  const ip = pod.spec.hostNetwork === true ? (status.podIP ?? observation.hostIp) : sandbox?.ip;
  // Keeps podIPs otherwise: a pod that ran before the simulation may have more than one address.
  if (ip !== undefined && ip !== status.podIP) {
    status.podIP = ip;
    status.podIPs = [{ ip }];
  }
  return status;
}

function containerStatus(
  observation: PodObservation,
  container: Container,
  untilStarted: "PodInitializing" | "ContainerCreating",
): ContainerStatus {
  const { known, sandbox, waiting, now } = observation;
  const run = latestRun(sandbox, container.name);
  const reported = observation.reported?.get(container.name);
  if (reported !== undefined && holdsStill(reported, run, waiting.get(container.name), now))
    return reported;
  const blocked = startsAgain(observation.pod, container, run)
    ? waiting.get(container.name)
    : undefined;
  const defaultState: ContainerState = { waiting: { reason: untilStarted } };
  const current = run === undefined ? undefined : stateOf(run, now);
  const previous = run === undefined ? undefined : previousRun(sandbox, run);
  const held = run?.isRemoved === true ? removedForRestart : blocked;
  const isBlocked = held !== undefined && current?.running === undefined;
  const state = isBlocked ? { waiting: held } : (current ?? defaultState);
  const last = isBlocked ? current : previous === undefined ? undefined : stateOf(previous, now);
  const isUp = state.running !== undefined;
  const isPlainInit = run?.isInit === true && !isSidecar(container);
  const { started, isReady } = startOf(observation, container, run, isUp);
  const ready = isPlainInit ? !isUp && run.exitCode === 0 : isReady;
  const image = run?.image ?? container.image ?? "";
  const imageID = run === undefined ? "" : image;
  const containerID = run === undefined ? {} : { containerID: idOf(run) };
  const volumeMounts = mountStatuses(container, observation.canRecurse);
  const earlier = known.containerStatuses?.find((c) => c.name === container.name);
  // A pending restart of all containers is counted already.
  const startCount = run?.isRemoved === true ? run.restartCount + 1 : run?.restartCount;
  return {
    name: container.name,
    image,
    imageID,
    ...containerID,
    ready,
    started,
    restartCount: startCount ?? earlier?.restartCount ?? 0,
    state,
    lastState: last ?? noState,
    ...(volumeMounts !== undefined && { volumeMounts }),
  };
}

const noState: ContainerState = Object.freeze({});

/**
 * True if the container waits for its (re)start. False once its pod is being deleted, and for a sidecar that has succeeded,
 * although that is restarted.
 * Upstream: ShouldContainerBeRestarted, convertToAPIContainerStatuses.
 */
function startsAgain(
  { metadata, spec }: Pod,
  container: Container,
  run: ContainerRecord | undefined,
): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  if (run === undefined || run.isRemoved === true) return true;
  if (run.isInit && run.exitCode === 0) return false;
  return isRestarted(container, spec, run.exitCode);
}

/** Whether a container has started and is ready, according to its probes if it has any. */
function startOf(
  { probes, known }: PodObservation,
  container: Container,
  run: ContainerRecord | undefined,
  isUp: boolean,
): { readonly started: boolean; readonly isReady: boolean } {
  if (!isUp || run === undefined || probes === undefined) return { started: isUp, isReady: isUp };
  const { containerStatuses = [], initContainerStatuses = [] } = known;
  const before = [...containerStatuses, ...initContainerStatuses].find(
    ({ name }) => name === container.name,
  );
  const startedAt = timestamp(run.startedAt);
  const wasStarted = before?.started === true;
  const probed = { container, containerId: idOf(run), startedAt, wasStarted };
  const started = probes.isStarted(probed);
  return { started, isReady: started && probes.isReady(probed) };
}

/**
 * True if the container is as it was when the simulation began: its reported status then has more details than a simulated one.
 */
function holdsStill(
  { state, restartCount }: ContainerStatus,
  run: ContainerRecord | undefined,
  blocked: WaitingReason | undefined,
  now: Instant,
): boolean {
  const waits = state?.waiting;
  if (run === undefined && blocked !== undefined)
    return waits?.reason === blocked.reason && waits.message === blocked.message;
  if (run === undefined) return waits !== undefined;
  const runs = state?.running !== undefined;
  const isSame = run.restartCount === restartCount && run.isRemoved !== true;
  return isSame && isRunning(run, now) === runs;
}

/** True unless something that is not simulated, such as an image pull or a crash, holds the container up. */
export function isStarting({ waiting }: ContainerState): boolean {
  return waiting === undefined || ownWaits.has(waiting.reason ?? "");
}

const ownWaits: ReadonlySet<string> = new Set([
  "ContainerCreating",
  "PodInitializing",
  "CreateContainerConfigError",
  "InvalidImageName",
]);

function previousRun(
  sandbox: PodSandbox | undefined,
  run: ContainerRecord,
): ContainerRecord | undefined {
  return sandbox?.containers.find(
    (c) => c.name === run.name && c.restartCount === run.restartCount - 1,
  );
}

/** The state of a container that is removed to restart all containers. Upstream: convertToAPIContainerStatuses. */
const removedForRestart: WaitingReason = {
  reason: "RestartingAllContainers",
  message: "The container is removed because RestartAllContainers in place",
};

function idOf({ id }: ContainerRecord): string {
  return `containerd://${id}`;
}

function stateOf(run: ContainerRecord, now: Instant): ContainerState {
  if (run.isRemoved === true) return { terminated: { ...removedForRestart, exitCode: 137 } };
  const startedAt = timestamp(run.startedAt);
  if (isRunning(run, now)) return { running: { startedAt } };
  return {
    terminated: {
      exitCode: run.exitCode,
      reason: run.exitCode === 0 ? "Completed" : "Error",
      startedAt,
      finishedAt: timestamp(run.finishesAt ?? now),
      containerID: idOf(run),
    },
  };
}

function phaseOf(
  { pod, isTerminal, isRestartingAll = false }: PodObservation,
  init: readonly ContainerStatus[],
  containers: readonly ContainerStatus[],
): PodPhase {
  const progress = initProgress(pod, init, isRestartingAll);
  // A running sidecar keeps its pod Running; an ended one does not matter.
  const sidecars = init.filter((_, i) => isSidecar(pod.spec.initContainers?.[i] ?? noContainer));
  const together = [...sidecars, ...containers];
  const isWaiting = together.some((s) => s.state?.waiting !== undefined && endOf(s) === undefined);
  const isAnyRunning = together.some((s) => s.state?.running !== undefined);
  const haveSucceeded = containers.every((s) => s.state?.terminated?.exitCode === 0);
  if (progress === "failed for good") return "Failed";
  // Also while an init container runs again.
  if (progress === "pending" || isWaiting) return "Pending";
  if (isAnyRunning) return "Running";
  const goesOn =
    !isTerminal &&
    (isRestartingAll || pod.spec.containers.some((c, i) => isTriedAgain(pod, c, containers[i])));
  if (goesOn) return "Running";
  return haveSucceeded ? "Succeeded" : "Failed";
}

function isTriedAgain(
  pod: Pod,
  container: Container,
  status: ContainerStatus | undefined,
): boolean {
  if (status === undefined) return false;
  const end = endOf(status);
  return isReset(status) || (end !== undefined && isRestarted(container, pod.spec, end.exitCode));
}

/** True if the container was removed to restart all containers. */
function isReset({ state }: ContainerStatus): boolean {
  return state?.waiting?.reason === removedForRestart.reason;
}

/** How the container last ended, also if it waits for its next start. */
function endOf(status: ContainerStatus): { readonly exitCode: number } | undefined {
  return status.state?.terminated ?? status.lastState?.terminated;
}

type InitProgress = "done" | "pending" | "failed for good";

function initProgress(
  pod: Pod,
  init: readonly ContainerStatus[],
  isRestartingAll: boolean,
): InitProgress {
  let progress: InitProgress = "done";
  for (const [i, status] of init.entries()) {
    const end = endOf(status);
    const container = pod.spec.initContainers?.[i] ?? noContainer;
    // A sidecar that has not started is waiting; phaseOf handles that.
    if (isSidecar(container) || isReset(status)) continue;
    if (status.state?.running !== undefined || end === undefined) {
      progress = "pending";
    } else if (end.exitCode !== 0 && !isRestartingAll) {
      if (!isRestarted(container, pod.spec, end.exitCode)) return "failed for good";
    }
  }
  return progress;
}
