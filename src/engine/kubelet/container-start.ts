/**
 * Starts the containers that a pod still needs. Upstream: pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod,
 * kuberuntime_container.go startContainer v1.36. Not modeled: pulls of images, postStart hooks.
 */
import { refOf } from "../api/meta.ts";
import type { Container, Pod } from "../api/types.ts";
import type { PodSandbox } from "../node/container-runtime.ts";
import { plannedExit } from "../node/planned-exit.ts";
import { containerEvent, event, sleep, type Task } from "../runtime/effects.ts";
import { latency } from "../runtime/latency.ts";
import type { KubernetesVersion } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { namesContainersInEvents } from "../version-differences.ts";
import {
  type ContainerToStart,
  type CrashBackOff,
  containersToStart,
  goDuration,
} from "./container-actions.ts";
import { environmentOf, type Place } from "./container-environment.ts";
import {
  deviceError,
  environmentFileError,
  mountError,
  type PodVolumes,
} from "./container-mounts.ts";
import { unreadableImage, unreadableImageVolumes } from "./image-name.ts";
import type { WaitingReason } from "./pod-observation.ts";
import { type PodWorker, preStopMs } from "./pod-worker.ts";
import { reportMissingPullSecrets } from "./pull-secrets.ts";
import type { VolumeHost } from "./volumes/plugin.ts";

export interface StartingPod {
  readonly pod: Pod;
  /** A pod that starts to end meanwhile gets no more containers. */
  readonly state: PodWorker["state"];
  readonly graceSeconds: PodWorker["graceSeconds"];
  readonly waiting: Map<string, WaitingReason>;
  readonly backOff: CrashBackOff;
}

/** The result of a sync's container starts. */
export interface StartResult {
  isFailed: boolean;
  hasStarted: boolean;
  /** When the first of the containers in back-off may start. */
  heldBackUntil?: Instant;
}

/** Callbacks to the pod's worker while the containers are started. */
export interface ToldOfPod {
  readonly sandboxIsReady: () => void;
  readonly hasStarted: (sidecar: string) => boolean;
}

export function* startContainers(
  host: VolumeHost,
  volumes: PodVolumes,
  starting: StartingPod,
  result: StartResult,
  told: ToldOfPod,
): Task {
  const { context, machine } = host;
  const { pod, waiting } = starting;
  const { uid, namespace = "", name } = pod.metadata;
  const about = refOf(pod);
  yield* reportMissingPullSecrets(host.objects, pod);
  const known = machine.containers.sandbox(uid);
  const sandbox = known ?? machine.containers.makeSandbox({ uid, namespace, name });
  if (known === undefined) {
    // The relist notices a new sandbox like a new container.
    result.hasStarted = true;
    yield* sleep(latency.sandboxMs);
    if (starting.state !== "syncing") return;
    told.sandboxIsReady();
    yield* sleep(latency.imageMs);
    if (starting.state !== "syncing") return;
  }
  const reported = machine.containers.reported(uid);
  const all = containersToStart(pod, sandbox, context.now, told.hasStarted, reported);
  yield* killChanged(host, starting, all);
  if (starting.state !== "syncing") return;
  const unreadable = unreadableImageVolumes(pod);
  for (const { message } of unreadable.values())
    yield* event(about, "Warning", "InspectFailed", message);
  for (const next of all) {
    const { container } = next;
    const obstacle = obstacleTo(host, { volumes, unreadable }, starting, next);
    if (obstacle !== undefined) {
      waiting.set(container.name, obstacle.waiting);
      for (const [reason, text] of obstacle.warnings)
        yield* containerEvent(about, container.name, "Warning", reason, text);
      result.isFailed = true;
      const { until } = obstacle;
      if (until !== undefined)
        result.heldBackUntil = Math.min(until, result.heldBackUntil ?? until);
      continue;
    }
    waiting.delete(container.name);
    const exit = plannedExit(pod, container, next.isInit, !machine.mountsAreReal);
    const { created, started } = lifeEventTexts(container.name, context.version);
    yield* containerEvent(about, container.name, "Normal", "Created", created);
    machine.containers.start(
      sandbox,
      { name: container.name, image: container.image ?? "", isInit: next.isInit, exit },
      context.now,
    );
    yield* containerEvent(about, container.name, "Normal", "Started", started);
    result.hasStarted = true;
  }
}

/** What keeps a container from being started for now. */
interface Obstacle {
  readonly waiting: WaitingReason;
  readonly warnings: readonly (readonly [reason: string, text: string])[];
  /** When the obstacle ends, if that is known. */
  readonly until?: Instant;
}

/** The volumes that a pod's containers can mount. */
interface Mountable {
  readonly volumes: PodVolumes;
  /** Image volumes whose reference is invalid, by their names in the pod. */
  readonly unreadable: ReadonlyMap<string, WaitingReason>;
}

function obstacleTo(
  host: VolumeHost,
  { volumes, unreadable: unreadableVolumes }: Mountable,
  { pod, backOff }: StartingPod,
  next: ContainerToStart,
): Obstacle | undefined {
  const { now } = host.context;
  const { container, last } = next;
  const { uid, namespace = "", name } = pod.metadata;
  const sandbox = host.machine.containers.sandbox(uid);
  const heldBackMs = crashDelay(backOff, sandbox, next, now);
  if (heldBackMs !== undefined) {
    const title = `${name}_${namespace}(${uid})`;
    const message = `back-off ${goDuration(heldBackMs)} restarting failed container=${container.name} pod=${title}`;
    const text = `Back-off restarting failed container ${container.name} in pod ${title}`;
    return {
      waiting: { reason: "CrashLoopBackOff", message },
      warnings: [["BackOff", text]],
      until: (last?.finishesAt ?? now) + heldBackMs,
    };
  }
  const lacking = (container.volumeMounts ?? []).flatMap(
    (m) => unreadableVolumes.get(m.name) ?? [],
  );
  const lastLacking = lacking.at(-1);
  if (lastLacking !== undefined)
    return {
      waiting: lastLacking,
      warnings: lacking.map(({ reason }) => ["Failed", `Error: ${reason}`]),
    };
  const unreadable = unreadableImage(container.image ?? "");
  if (unreadable !== undefined) {
    const { reason, message } = unreadable;
    return {
      waiting: unreadable,
      warnings: [
        ["InspectFailed", message],
        ["Failed", `Error: ${reason}`],
      ],
    };
  }
  const error = configError(host, volumes, pod, next);
  return error === undefined
    ? undefined
    : {
        waiting: { reason: "CreateContainerConfigError", message: error },
        warnings: [["Failed", `Error: ${error}`]],
      };
}

function lifeEventTexts(
  container: string,
  version: KubernetesVersion,
): { readonly created: string; readonly started: string } {
  return namesContainersInEvents(version)
    ? { created: `Created container: ${container}`, started: `Started container ${container}` }
    : { created: "Container created", started: "Container started" };
}

/** Stops the running containers whose definition has changed, one after the other. Upstream: SyncPod, killContainer. */
function* killChanged(
  { context, machine }: VolumeHost,
  starting: StartingPod,
  all: readonly ContainerToStart[],
): Task {
  for (const { container, last, killing } of all) {
    if (last === undefined || killing === undefined) continue;
    yield* containerEvent(refOf(starting.pod), container.name, "Normal", "Killing", killing);
    yield* sleep(preStopMs(starting, container.name, machine.mountsAreReal));
    machine.containers.stop(last, context.now);
  }
}

/**
 * Returns the crash back-off of the container; undefined if it may start. A container that is stopped because its definition
 * changed counts from the run before, so a failing new image is held back too. Upstream: doBackOff.
 */
function crashDelay(
  backOff: CrashBackOff,
  sandbox: PodSandbox | undefined,
  { container, last, killing }: ContainerToStart,
  now: number,
): number | undefined {
  const ended =
    killing === undefined
      ? last
      : sandbox?.containers.findLast((c) => c.name === container.name && c !== last);
  if (ended === undefined || ended.isRemoved === true) return undefined;
  return backOff.delay(container, ended.finishesAt ?? now, now);
}

/** Upstream: generateContainerConfig. */
function configError(
  host: VolumeHost,
  volumes: PodVolumes,
  pod: Pod,
  { container }: ContainerToStart,
): string | undefined {
  const unusable = deviceError(volumes, pod, container);
  if (unusable !== undefined) return unusable;
  const place = placeOf(host, pod);
  const environment = environmentOf(host.objects, pod, container, place, (volumeName) =>
    environmentFileError(host, volumes, pod, volumeName),
  );
  if (!environment.ok) return environment.error;
  return mountError(host, volumes, pod, container, environment.values) ?? rootError(pod, container);
}

/** Uses the sandbox's address if the pod's status does not name it yet. Upstream: SyncPod, determinePodSandboxIPs. */
function placeOf(
  { machine, hostIp, nodeName, context }: VolumeHost,
  { metadata, spec, status }: Pod,
): Place {
  const ip = spec.hostNetwork === true ? hostIp : machine.containers.sandbox(metadata.uid)?.ip;
  const told = (status?.podIPs ?? []).map((address) => address.ip);
  const podIps = ip === undefined || told[0] === ip ? told : [ip];
  const { allocatable = {} } = context.informer("Node").get(nodeName)?.status ?? {};
  return { podIps, hostIp, allocatable };
}

/** Checks only runAsUser, since the image's own user is unknown here. Upstream: security_context.go verifyRunAsNonRoot. */
function rootError({ metadata, spec }: Pod, container: Container): string | undefined {
  const security = { ...spec.securityContext, ...container.securityContext };
  if (security.runAsNonRoot !== true || security.runAsUser !== 0) return undefined;
  const about = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  return `container's runAsUser breaks non-root policy (pod: "${about}", container: ${container.name})`;
}
