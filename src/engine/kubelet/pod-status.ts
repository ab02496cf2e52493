/**
 * A pod's status from what runs of it. Upstream: pkg/kubelet/kubelet_pods.go getPhase, generateAPIPodStatus,
 * convertToAPIContainerStatuses, and pkg/kubelet/status/generate.go v1.36. Not modelled: probes (a container that runs is
 * ready), ephemeral containers.
 */
import { withFields } from "../api/json.ts";
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from "../api/types.ts";
import { isTerminalPhase } from "../matching/pod-state.ts";
import {
  type ContainerRecord,
  isRunning,
  latestRun,
  type PodSandbox,
  type ReportedStatuses,
} from "../node/container-runtime.ts";
import { timestamp } from "../runtime/timestamp.ts";
import type { Instant } from "../trace/instant.ts";
import { restartingCondition } from "./restart-all.ts";
import { isRestarted } from "./restart-policy.ts";

/** Why a container does not start, as its status says it. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
}

export interface PodObservation {
  readonly pod: Pod;
  /** The pod's, with what the kubelet itself said last. */
  readonly known: PodStatus;
  readonly sandbox: PodSandbox | undefined;
  readonly reported: ReportedStatuses | undefined;
  /** By container; those that fail to start or have to wait. */
  readonly waiting: ReadonlyMap<string, WaitingReason>;
  /** All containers are stopped for good. */
  readonly isTerminal: boolean;
  /** All containers are about to start anew; undefined where kubelets do not know this (before 1.36). */
  readonly isRestartingAll: boolean | undefined;
  /** The node's address. */
  readonly hostIp: string;
  readonly now: Instant;
}

/** A status in the making. */
export type NewStatus = { -readonly [Field in keyof PodStatus]: PodStatus[Field] };

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** What the kubelet says of a pod that it ends itself. */
export interface StatusOverride {
  readonly phase: PodPhase;
  readonly reason: string;
  readonly message: string;
  /** Beside the conditions that every pod has. */
  readonly condition?: PodCondition;
}

const ownConditions: ReadonlySet<string> = new Set([
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
  "AllContainersRestarting",
]);

/** The kubelet's own conditions as it said them last, those of others as they are now. Upstream: generateAPIPodStatus. */
export function conditionsOfAll(
  said: PodStatus,
  present: PodStatus | undefined,
): readonly PodCondition[] {
  const own = (said.conditions ?? []).filter(isOwnCondition);
  return own.concat((present?.conditions ?? []).filter((condition) => !isOwnCondition(condition)));
}

/** Upstream: PodConditionByKubelet. All others are somebody else's. */
export function isOwnCondition({ type }: PodCondition): boolean {
  return ownConditions.has(type);
}

export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

export function generateStatus(observation: PodObservation, override?: StatusOverride): NewStatus {
  const { pod, known, sandbox } = observation;
  const initContainers = pod.spec.initContainers ?? [];
  const containerStatuses = pod.spec.containers.map((c) =>
    containerStatus(observation, c, initContainers.length > 0),
  );
  const initStatuses = initContainers.map((c) => containerStatus(observation, c, true));
  const computed = phaseOf(observation, initStatuses, containerStatuses);
  // What ended once never runs again, and an end that somebody else wrote stays the one that it is.
  const hasEnded = isTerminalPhase(known.phase);
  const phase = isTerminalPhase(pod.status?.phase)
    ? (pod.status?.phase as PodPhase)
    : (override?.phase ?? (hasEnded ? (known.phase as PodPhase) : computed));
  const { reason: reasonBefore, message: messageBefore, ...rest } = known;
  const reason = override?.reason ?? (hasEnded ? reasonBefore : undefined);
  const message = override?.message ?? (hasEnded ? messageBefore : undefined);
  const status: NewStatus = rest;
  status.phase = phase;
  if (reason !== undefined) status.reason = reason;
  if (message !== undefined) status.message = message;
  const extra = override?.condition;
  status.conditions = conditionsOf(observation, phase, initStatuses, containerStatuses, extra);
  if (initStatuses.length > 0) status.initContainerStatuses = initStatuses;
  status.containerStatuses = containerStatuses;
  // The network of a node gives its pods no addresses of their own.
  const ip = pod.spec.hostNetwork === true ? (status.podIP ?? observation.hostIp) : sandbox?.ip;
  // A pod that ran before the simulation may have more addresses than one.
  if (ip !== undefined && ip !== status.podIP) {
    status.podIP = ip;
    status.podIPs = [{ ip }];
  }
  return status;
}

function containerStatus(
  observation: PodObservation,
  container: Container,
  hasInit: boolean,
): ContainerStatus {
  const { known, sandbox, waiting, isTerminal, now } = observation;
  const run = latestRun(sandbox, container.name);
  const reported = observation.reported?.get(container.name);
  if (reported !== undefined && holdsStill(reported, run, waiting.get(container.name), now))
    return reported;
  const blocked = isTerminal ? undefined : waiting.get(container.name);
  const defaultState: ContainerState = {
    waiting: { reason: hasInit ? "PodInitializing" : "ContainerCreating" },
  };
  const current = run === undefined ? undefined : stateOf(run, now);
  const previous = run === undefined ? undefined : previousRun(sandbox, run);
  const held = run?.isRemoved === true ? removedForRestart : blocked;
  const isBlocked = held !== undefined && current?.running === undefined;
  const state = isBlocked ? { waiting: held } : (current ?? defaultState);
  const last = isBlocked ? current : previous === undefined ? undefined : stateOf(previous, now);
  const isInitDone = run?.isInit === true && !isSidecar(container) && run.exitCode === 0;
  const isUp = state.running !== undefined;
  const ready = run?.isInit === true && !isSidecar(container) ? !isUp && isInitDone : isUp;
  const image = container.image ?? "";
  const imageID = run === undefined ? "" : image;
  const containerID = run === undefined ? {} : { containerID: `containerd://${run.id}` };
  const earlier = known.containerStatuses?.find((c) => c.name === container.name);
  return {
    name: container.name,
    image,
    imageID,
    ...containerID,
    ready,
    started: isUp,
    restartCount: run?.restartCount ?? earlier?.restartCount ?? 0,
    state: state ?? defaultState,
    ...(last !== undefined && { lastState: last }),
  };
}

/** Is the container as it was when the simulation began? Its status then says more than is simulated. */
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

/** Nothing but the kubelet's own work holds the container up; what an image or a crash does is not simulated. */
export function isStarting({ waiting }: ContainerState): boolean {
  return waiting === undefined || ownWaits.has(waiting.reason ?? "");
}

const ownWaits: ReadonlySet<string> = new Set([
  "ContainerCreating",
  "PodInitializing",
  "CreateContainerConfigError",
]);

function previousRun(
  sandbox: PodSandbox | undefined,
  run: ContainerRecord,
): ContainerRecord | undefined {
  return sandbox?.containers.find(
    (c) => c.name === run.name && c.restartCount === run.restartCount - 1,
  );
}

/** Upstream: convertToAPIContainerStatuses, of a pod whose containers all start anew. */
const removedForRestart: WaitingReason = {
  reason: "RestartingAllContainers",
  message: "The container is removed because RestartAllContainers in place",
};

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
    },
  };
}

function phaseOf(
  { pod, isTerminal, isRestartingAll = false }: PodObservation,
  init: readonly ContainerStatus[],
  containers: readonly ContainerStatus[],
): PodPhase {
  const progress = initProgress(pod, init, isTerminal, isRestartingAll);
  const count = (of: (status: ContainerStatus) => boolean): number => containers.filter(of).length;
  // A sidecar that runs keeps its pod running; one that has ended says nothing of it.
  const sidecars = init.filter((_, i) => isSidecar(pod.spec.initContainers?.[i] ?? noContainer));
  const together = [...sidecars, ...containers];
  const isWaiting = together.some((s) => s.state?.waiting !== undefined && endOf(s) === undefined);
  const isAnyRunning = together.some((s) => s.state?.running !== undefined);
  const stopped = count((s) => s.state?.running === undefined && endOf(s) !== undefined);
  const succeeded = count((s) => s.state?.terminated?.exitCode === 0);
  const hasStarted = containers.some((s) => s.state?.waiting === undefined || isReset(s));
  if (progress === "failed for good") return "Failed";
  if (progress !== "done" && !hasStarted) return "Pending";
  if (isWaiting) return "Pending";
  if (isAnyRunning) return "Running";
  if (stopped === 0) return "Pending";
  const goesOn =
    !isTerminal &&
    (isRestartingAll || pod.spec.containers.some((c, i) => isTriedAgain(pod, c, containers[i])));
  if (goesOn) return "Running";
  return stopped === succeeded ? "Succeeded" : "Failed";
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

/** Removed, to start anew with all the others. */
function isReset({ state }: ContainerStatus): boolean {
  return state?.waiting?.reason === removedForRestart.reason;
}

/** How the container ended last, be it that it waits for its next start. */
function endOf(status: ContainerStatus): { readonly exitCode: number } | undefined {
  return status.state?.terminated ?? status.lastState?.terminated;
}

const noContainer: Container = { name: "" };

type InitProgress = "done" | "pending" | "failed" | "failed for good";

function initProgress(
  pod: Pod,
  init: readonly ContainerStatus[],
  isTerminal: boolean,
  isRestartingAll: boolean,
): InitProgress {
  let progress: InitProgress = "done";
  for (const [i, status] of init.entries()) {
    const end = endOf(status);
    const container = pod.spec.initContainers?.[i] ?? noContainer;
    if (isSidecar(container)) {
      if (status.started !== true && !isTerminal && progress === "done") progress = "pending";
    } else if (status.state?.running !== undefined || end === undefined || isReset(status)) {
      if (progress === "done") progress = "pending";
    } else if (end.exitCode !== 0) {
      const isTriedAgain = isRestartingAll || isRestarted(container, pod.spec, end.exitCode);
      if (!isTriedAgain) return "failed for good";
      progress = "failed";
    }
  }
  return progress;
}

function conditionsOf(
  observation: PodObservation,
  phase: PodPhase,
  init: readonly ContainerStatus[],
  containers: readonly ContainerStatus[],
  extra: PodCondition | undefined,
): readonly PodCondition[] {
  const { pod, known, sandbox, isTerminal, isRestartingAll } = observation;
  const containersReady = containersReadyCondition(pod, phase, init, containers);
  const hasSandbox = sandbox?.ready === true && !isTerminal;
  const own: PodCondition[] = [
    { type: "PodReadyToStartContainers", status: hasSandbox ? "True" : "False" },
    initializedCondition(observation, phase, init, containers),
    readyCondition(observation, containersReady),
    containersReady,
    { type: "PodScheduled", status: "True" },
  ];
  const restarting =
    isRestartingAll === undefined ? undefined : restartingCondition(pod, phase, isRestartingAll);
  if (restarting !== undefined) own.push(restarting);
  if (extra !== undefined) own.push(extra);
  const others = (known.conditions ?? []).filter((c) => !own.some(({ type }) => type === c.type));
  return own.concat(others).map((condition) => withTransition(known, condition, observation.now));
}

/**
 * A condition that keeps its status keeps its time too, one that says the same is left as it is: those of a cluster that ran
 * before the simulation say more. Upstream: updateLastTransitionTime.
 */
function withTransition(
  { conditions = [] }: PodStatus,
  condition: PodCondition,
  now: Instant,
): PodCondition {
  const before = conditions.find((c) => c.type === condition.type);
  if (before?.status !== condition.status || before.lastTransitionTime === undefined)
    return withFields(condition, { lastTransitionTime: timestamp(now) });
  return before.reason === condition.reason && before.message === condition.message
    ? before
    : withFields(condition, { lastTransitionTime: before.lastTransitionTime });
}

function containersReadyCondition(
  pod: Pod,
  phase: PodPhase,
  init: readonly ContainerStatus[],
  containers: readonly ContainerStatus[],
): PodCondition {
  const type = "ContainersReady";
  if (phase === "Succeeded") return { type, status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { type, status: "False", reason: "PodFailed" };
  const sidecars = init.filter((_, i) => isSidecar(pod.spec.initContainers?.[i] ?? noContainer));
  const unready = [...sidecars, ...containers].filter((c) => !c.ready).map((c) => c.name);
  if (unready.length === 0) return { type, status: "True" };
  const message = `containers with unready status: [${unready.join(" ")}]`;
  return { type, status: "False", reason: "ContainersNotReady", message };
}

function readyCondition(
  { pod, known }: Pick<PodObservation, "pod" | "known">,
  containersReady: PodCondition,
): PodCondition {
  if (containersReady.status !== "True") return { ...containersReady, type: "Ready" };
  const problems: string[] = [];
  for (const { conditionType } of pod.spec.readinessGates ?? []) {
    const gate = known.conditions?.find((c) => c.type === conditionType);
    if (gate === undefined) {
      problems.push(
        `corresponding condition of pod readiness gate "${conditionType}" does not exist.`,
      );
    } else if (gate.status !== "True") {
      problems.push(
        `the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`,
      );
    }
  }
  if (problems.length === 0) return { type: "Ready", status: "True" };
  const message = problems.join(", ");
  return { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message };
}

/** Has somebody opened or shut a readiness gate since Ready was told? Upstream: NeedToReconcilePodReadiness. */
export function hasStaleReadiness(pod: Pod): boolean {
  const { status = {}, spec } = pod;
  const told = status.conditions?.find(({ type }) => type === "Ready");
  if (spec.readinessGates === undefined || told === undefined) return false;
  const { initContainerStatuses: init = [], containerStatuses = [], phase } = status;
  const containersReady = containersReadyCondition(pod, phase as PodPhase, init, containerStatuses);
  const ready = readyCondition({ pod, known: status }, containersReady);
  return told.status !== ready.status || told.message !== ready.message;
}

function initializedCondition(
  { pod, known, isRestartingAll }: PodObservation,
  phase: PodPhase,
  init: readonly ContainerStatus[],
  containers: readonly ContainerStatus[],
): PodCondition {
  const type = "Initialized";
  const incomplete = init.filter((status, i) => {
    const sidecar = isSidecar(pod.spec.initContainers?.[i] ?? noContainer);
    return sidecar ? status.started !== true : !status.ready;
  });
  if (phase === "Succeeded") {
    return { type, status: "True", reason: "PodCompleted" };
  }
  const hasStarted = containers.some(
    (s) => s.state?.running !== undefined || s.state?.terminated !== undefined,
  );
  // What was initialized once stays so while all containers start anew.
  const wasInitialized =
    isRestartingAll !== undefined &&
    known.conditions?.some((c) => c.type === type && c.status === "True") === true;
  if (incomplete.length === 0 || hasStarted || wasInitialized) return { type, status: "True" };
  const names = incomplete.map((c) => c.name).join(" ");
  const message = `containers with incomplete status: [${names}]`;
  return { type, status: "False", reason: "ContainersNotInitialized", message };
}

/**
 * The status of a pod that has ended: whatever had its turn and did not end by itself counts as ended now.
 * Upstream: pkg/kubelet/status/status_manager.go TerminatePod, initializedContainers.
 */
export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const ended = (c: ContainerStatus): ContainerStatus =>
    c.state?.terminated === undefined ? lost(c) : c;
  const { initContainerStatuses: init, containerStatuses = [] } = status;
  const lastBegun = Math.max(0, init?.findLastIndex(hasBegun) ?? 0);
  return {
    ...status,
    // The phase alone: conditions are those of the phase before.
    ...(!isTerminalPhase(status.phase) && { phase: "Failed" }),
    ...(init !== undefined && {
      initContainerStatuses: init.map((c, i) => (i <= lastBegun ? ended(c) : c)),
    }),
    containerStatuses: hasInitialized(pod, status)
      ? containerStatuses.map(ended)
      : containerStatuses,
  };
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting === undefined || lastState?.terminated !== undefined;
}

/** Did the pod's containers have their turn? Upstream: hasPodInitialized. */
function hasInitialized({ spec }: Pod, status: PodStatus): boolean {
  const { initContainerStatuses: init = [], containerStatuses = [] } = status;
  const last = init.at(-1);
  if (last === undefined || containerStatuses.some(hasBegun)) return true;
  const isUp = last.state?.running !== undefined && last.started === true;
  const container = spec.initContainers?.at(-1);
  return container !== undefined && isSidecar(container)
    ? isUp
    : [last.state, last.lastState].some((state) => state?.terminated?.exitCode === 0);
}

function lost(status: ContainerStatus): ContainerStatus {
  const terminated = {
    exitCode: 137,
    reason: "ContainerStatusUnknown",
    message: "The container could not be located when the pod was terminated",
  };
  return { ...status, ready: false, started: false, state: { terminated } };
}
