/**
 * Restarts all containers of a pod after one of them has ended in a way for which a rule demands that: running containers are
 * killed without grace or hooks, all are removed, sandbox and volumes stay. Upstream: pkg/kubelet/container/helpers.go
 * ShouldAllContainersRestart, kuberuntime_manager.go getContainersToReset, SyncPod, and status/generate.go
 * GenerateAllContainersRestartingCondition v1.36 (gate RestartAllContainersOnContainerExits).
 */
import { refOf } from "../api/meta.ts";
import type { Container, Pod, PodCondition } from "../api/types.ts";
import { ruleFor } from "../matching/restart-policy.ts";
import {
  type ContainerRecord,
  type ContainerRuntime,
  isRunning,
  type PodSandbox,
  presentRun,
} from "../node/container-runtime.ts";
import { containerEvent, sleep, type Task } from "../runtime/effects.ts";
import { latency } from "../runtime/latency.ts";
import type { Instant } from "../trace/instant.ts";

const action = "RestartAllContainers";
const conditionType = "AllContainersRestarting";

function containersOf({ spec }: Pod): readonly Container[] {
  return spec.initContainers === undefined
    ? spec.containers
    : [...spec.initContainers, ...spec.containers];
}

/** Upstream: podutil.AllContainersCouldRestart. */
function couldRestartAll(pod: Pod): boolean {
  return containersOf(pod).some((c) =>
    c.restartPolicyRules?.some((rule) => rule.action === action),
  );
}

function asksForAll(container: Container, run: ContainerRecord | undefined, now: Instant): boolean {
  return (
    run !== undefined && !isRunning(run, now) && ruleFor(container, run.exitCode)?.action === action
  );
}

/** True if the end of a container demands that all are restarted. */
export function shouldRestartAll(pod: Pod, sandbox: PodSandbox | undefined, now: Instant): boolean {
  return (
    couldRestartAll(pod) &&
    containersOf(pod).some((c) => asksForAll(c, presentRun(sandbox, c.name), now))
  );
}

/** The AllContainersRestarting condition; undefined if the pod has no such rule. */
export function restartingCondition(
  pod: Pod,
  phase: string,
  isRestarting: boolean,
): PodCondition | undefined {
  if (!couldRestartAll(pod)) return undefined;
  const type = conditionType;
  if (phase === "Succeeded") return { type, status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { type, status: "False", reason: "PodFailed" };
  if (!isRestarting) return { type, status: "False" };
  const message = "container exited with restart policy rule";
  return { type, status: "True", reason: "RestartAllContainersStarted", message };
}

/** Removes the containers, those whose end triggered the restart last. Takes about as long as making a sandbox. */
export function* resetContainers(
  containers: ContainerRuntime,
  pod: Pod,
  sandbox: PodSandbox,
  now: Instant,
): Task {
  const all = containersOf(pod).flatMap((container) => {
    const run = presentRun(sandbox, container.name);
    return run === undefined ? [] : [{ run, isSource: asksForAll(container, run, now) }];
  });
  for (const isSource of [false, true]) {
    for (const { run } of all.filter((entry) => entry.isSource === isSource)) {
      if (isRunning(run, now))
        yield* containerEvent(refOf(pod), run.name, "Normal", "Killing", "killing");
      containers.removeContainer(run, now);
    }
  }
  yield* sleep(latency.sandboxMs);
}
