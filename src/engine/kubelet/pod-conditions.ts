/**
 * The conditions of a pod that its kubelet sets. Upstream: pkg/kubelet/status/generate.go GenerateContainersReadyCondition,
 * GeneratePodReadyCondition, GeneratePodInitializedCondition, pkg/kubelet/types/pod_status.go PodConditionByKubelet v1.36.
 */
import { withFields } from "../api/json.ts";
import { isSidecar } from "../api/pod-containers.ts";
import { timestamp } from "../api/timestamp.ts";
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from "../api/types.ts";
import type { Instant } from "../trace/instant.ts";
import { noContainer, type PodObservation, type PodPhase } from "./pod-observation.ts";
import { restartingCondition } from "./restart-all.ts";

const ownConditions: ReadonlySet<string> = new Set([
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
  "AllContainersRestarting",
]);

/** The kubelet's own conditions as it last set them, and the current conditions of others. Upstream: generateAPIPodStatus. */
export function conditionsOfAll(
  said: PodStatus,
  present: PodStatus | undefined,
): readonly PodCondition[] {
  const own = (said.conditions ?? []).filter(isOwnCondition);
  return own.concat((present?.conditions ?? []).filter((condition) => !isOwnCondition(condition)));
}

/** False for conditions that others set. Upstream: PodConditionByKubelet. */
export function isOwnCondition({ type }: PodCondition): boolean {
  return ownConditions.has(type);
}

/** The kubelet's conditions for a pod in `phase`, and those that others have set. */
export function conditionsOf(
  observation: PodObservation,
  phase: PodPhase,
  init: readonly ContainerStatus[],
  containers: readonly ContainerStatus[],
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
  const others = (known.conditions ?? []).filter((c) => !own.some(({ type }) => type === c.type));
  return own.concat(others).map((condition) => withTransition(known, condition, observation.now));
}

/**
 * Sets only PodReadyToStartContainers: the sandbox is ready, the containers are as they were. Upstream: kubelet.go
 * OnPodSandboxReady.
 */
export function withSandboxReady(said: PodStatus, now: Instant): PodStatus {
  const type = "PodReadyToStartContainers";
  const ready = withTransition(said, { type, status: "True" }, now);
  const { conditions = [] } = said;
  return withFields(said, {
    conditions: conditions.some((c) => c.type === type)
      ? conditions.map((c) => (c.type === type ? ready : c))
      : [...conditions, ready],
  });
}

/**
 * A condition with unchanged status keeps its transition time. One that is unchanged altogether stays as it is: in a cluster
 * that ran before the simulation it may have more fields. Upstream: updateLastTransitionTime.
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
  // In the order of the spec, not of the statuses.
  const needed = [...(pod.spec.initContainers ?? []).filter(isSidecar), ...pod.spec.containers];
  const isReady = ({ name }: Container): boolean =>
    containers.some((c) => c.name === name && c.ready) ||
    init.some((c) => c.name === name && c.ready);
  const unready = needed.filter((container) => !isReady(container)).map(({ name }) => name);
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

/** The status with Ready and ContainersReady recomputed from its container statuses. Upstream: SetContainerReadiness. */
export function withReadiness(pod: Pod, status: PodStatus, now: Instant): PodStatus {
  const { initContainerStatuses: init = [], containerStatuses = [], conditions = [] } = status;
  const phase = status.phase as PodPhase;
  const containersReady = containersReadyCondition(pod, phase, init, containerStatuses);
  const ready = readyCondition({ pod, known: status }, containersReady);
  const fresh = [ready, containersReady].map((condition) => withTransition(status, condition, now));
  return withFields(status, {
    conditions: conditions.map((old) => fresh.find(({ type }) => type === old.type) ?? old),
  });
}

/** True if a readiness gate has changed since Ready was written. Upstream: NeedToReconcilePodReadiness. */
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
  // An initialized pod stays so while all its containers are restarted.
  const wasInitialized =
    isRestartingAll !== undefined &&
    known.conditions?.some((c) => c.type === type && c.status === "True") === true;
  if (incomplete.length === 0 || hasStarted || wasInitialized) return { type, status: "True" };
  const names = incomplete.map((c) => c.name).join(" ");
  const message = `containers with incomplete status: [${names}]`;
  return { type, status: "False", reason: "ContainersNotInitialized", message };
}
