/**
 * One worker per pod: syncs it while it is wanted, terminates it, cleans up after it. Upstream: pkg/kubelet/pod_workers.go,
 * pkg/kubelet/kubelet.go SyncPod, SyncTerminatingPod, SyncTerminatedPod v1.36.
 * Not modeled: static and mirror pods, image pulls, cgroups. Syncs that can change nothing are skipped.
 */
import { refOf } from "../api/meta.ts";
import type { Pod, PodStatus } from "../api/types.ts";
import { isPodEnded, isTerminalPhase } from "../matching/pod-state.ts";
import { isRunning } from "../node/container-runtime.ts";
import { event, sleep, type Task } from "../runtime/effects.ts";
import type { Instant } from "../trace/instant.ts";
import {
  relistsOnDemand,
  restartsAllContainers,
  syncsWhenBackOffEnds,
  tellsSandboxesAtOnce,
} from "../version-differences.ts";
import { attachLimitRejection } from "./attach-limit.ts";
import { onlySidecarsRun } from "./container-actions.ts";
import { type StartResult, startContainers } from "./container-start.ts";
import {
  evictionGraceSeconds,
  evictionPeriodMs,
  localStorageEviction,
  measurePeriodMs,
} from "./local-storage-eviction.ts";
import type { Refusal } from "./pod-admission.ts";
import { hasStaleReadiness, withSandboxReady } from "./pod-conditions.ts";
import { PodLifecycle } from "./pod-lifecycle.ts";
import {
  changesSync,
  deadlineExceeded,
  deadlineOf,
  haveContainersEnded,
  isKilledAtEviction,
  newPodWorker,
  type PodWorker,
  preStopMsTogether,
} from "./pod-worker.ts";
import { ProberManager } from "./prober/prober-manager.ts";
import { type RefusedPodHost, refusePod } from "./refused-pod.ts";
import { resetContainers, shouldRestartAll } from "./restart-all.ts";
import { terminatedStatus } from "./terminated-status.ts";
import type { WaitFailure } from "./volume-manager/volume-waits.ts";
import { podDirectory } from "./volumes/paths.ts";
import { statusOf } from "./worker-status.ts";

const errorDelayMs = 10_000;
/** The minimum grace period before a container is killed. Upstream: minimumGracePeriodInSeconds. */
const minimumGraceMs = 2_000;
const resyncMs = 60_000;

export interface PodWorkersHost extends RefusedPodHost {
  /** When the kubelet that probes the pods was started. */
  readonly probesSince: Instant;
  /** True if the pod ran here before the simulation began, under this same kubelet. */
  readonly isAdmitted: (podUid: string) => boolean;
  /** Returns why a pod is not admitted; undefined if it is. */
  readonly admit: (pod: Pod, others: readonly Pod[]) => Refusal | undefined;
}

export class PodWorkers {
  readonly #kubelet: PodWorkersHost;
  readonly #workers = new Map<string, PodWorker>();
  readonly #startedAt: Instant;
  readonly #lifecycle: PodLifecycle;
  readonly #prober: ProberManager;

  constructor(kubelet: PodWorkersHost) {
    const { context, machine } = kubelet.host;
    this.#kubelet = kubelet;
    this.#startedAt = context.now;
    this.#lifecycle = new PodLifecycle(context, machine.containers, (worker) => {
      if (worker.state === "syncing") this.#kick(worker);
    });
    this.#prober = new ProberManager(kubelet.host, {
      startedAt: kubelet.probesSince,
      statusOf: (uid) => kubelet.statuses.get(uid),
      updated: ({ pod, type }, containerId, result) => {
        const { uid } = pod.metadata;
        const said = type === "Startup" ? "started" : "ready";
        kubelet.statuses.setContainer(uid, containerId, said, result === "Success");
        this.#syncAfterProbe(uid);
      },
    });
  }

  has(podUid: string): boolean {
    return this.#workers.has(podUid);
  }

  /**
   * Pods that hold resources of the node. A force-deleted pod holds none, even while its containers are still stopping.
   * Upstream: GetActivePods, filterOutInactivePods.
   */
  get activePods(): readonly Pod[] {
    const active: Pod[] = [];
    for (const { state, pod, isObjectGone } of this.#workers.values()) {
      const mayRun = state === "syncing" || state === "terminating";
      if (mayRun && !isObjectGone) active.push(pod);
    }
    return active;
  }

  /** Upstream: HandlePodAdditions, HandlePodUpdates, and UpdatePod of the pod workers. */
  update(pod: Pod): void {
    const { uid } = pod.metadata;
    const worker = this.#workers.get(uid);
    if (worker === undefined) {
      this.#add(pod);
      return;
    }
    const before = worker.pod;
    worker.pod = pod;
    this.#kubelet.statuses.podChanged(pod);
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (worker.state === "syncing" && isDeleted) this.#terminate(worker);
    else if (worker.state === "syncing" && changesSync(before, pod)) this.#kick(worker);
    else if (worker.state === "syncing" && hasStaleReadiness(pod)) this.#kick(worker);
    // The status manager reverts a terminal phase that somebody else wrote, unless a sync comes first and adopts it.
    else if (isPodEnded(pod)) this.resyncLater(uid);
  }

  /** Called when the pod is gone from the API. */
  remove(pod: Pod): void {
    const worker = this.#workers.get(pod.metadata.uid);
    if (worker === undefined) return;
    worker.isObjectGone = true;
    if (haveContainersEnded(worker)) this.#kubelet.volumes.removePod(pod.metadata.uid, true);
    if (worker.state === "syncing") this.#terminate(worker);
    else if (worker.state === "finished") this.#forget(worker);
  }

  /** Has the pod synced at its next periodic sync, if it was not going to be. */
  resyncLater(podUid: string): void {
    const worker = this.#workers.get(podUid);
    if (worker === undefined || worker.state !== "syncing" || worker.isBehind) return;
    worker.isBehind = true;
    if (!worker.isBusy) this.#wake(worker, this.#untilPeriodicSync(worker));
  }

  /**
   * The time to the next periodic sync. For a pod that ran before the simulation it is random. Syncs that fell due while the
   * kubelet was frozen happen as soon as it resumes. Upstream: kubelet.go getPodsToSync.
   */
  #untilPeriodicSync({ syncedAt }: PodWorker): number {
    const { context, machine } = this.#kubelet.host;
    if (syncedAt === undefined) return Math.round(this.#jittered(resyncMs) * context.fraction());
    let next = syncedAt;
    do next = machine.whenDone(next + this.#jittered(resyncMs));
    while (next <= context.now);
    return next - context.now;
  }

  /** Syncs the pod at the first relist after its last sync. Upstream: handleProbeSync, GetNewerThan. */
  #syncAfterProbe(podUid: string): void {
    const { now } = this.#kubelet.host.context;
    const worker = this.#workers.get(podUid);
    if (worker?.state !== "syncing") return;
    const seenUntil = worker.isBusy ? now : (worker.syncedAt ?? now);
    this.#wake(worker, Math.max(0, this.#lifecycle.nextRelist(seenUntil) - now));
  }

  /** Has the pod synced after `delayMs` at the latest. */
  #wake(worker: PodWorker, delayMs: number): void {
    const { context } = this.#kubelet.host;
    const at = context.now + delayMs;
    if (worker.cancelTimer !== undefined && worker.wakesAt <= at) return;
    worker.cancelTimer?.();
    worker.wakesAt = at;
    worker.cancelTimer = context.after(delayMs, () => this.#kick(worker));
  }

  #add(pod: Pod): void {
    const { context, machine } = this.#kubelet.host;
    const worker = newPodWorker(pod, context.now);
    const { uid } = pod.metadata;
    if (isPodEnded(pod)) {
      // A pod that ended before a kubelet restart holds no resources any more.
      const isUp = machine.containers.sandbox(uid)?.ready === true;
      worker.state = isUp ? "terminating" : "terminated";
    } else {
      // A restarted kubelet checks running pods too; one that goes on has admitted them long ago.
      const refused = this.#kubelet.isAdmitted(uid)
        ? undefined
        : this.#kubelet.admit(pod, this.activePods);
      if (refused !== undefined) {
        worker.state = "finished";
        this.#workers.set(uid, worker);
        const isKept = (): boolean => this.#workers.get(uid) === worker;
        refusePod(this.#kubelet, this.#startedAt, worker, refused, isKept);
        return;
      }
      if (pod.metadata.deletionTimestamp !== undefined) worker.state = "terminating";
    }
    this.#workers.set(uid, worker);
    if (worker.state === "terminating") this.#kubelet.volumes.keepVolumes(pod);
    this.#kick(worker);
  }

  /** Ends a pod that was admitted before. */
  #reject(worker: PodWorker, reason: string, message: string): void {
    const { context } = this.#kubelet.host;
    const { pod } = worker;
    worker.override = { phase: "Failed", reason, message: `Pod was rejected: ${message}` };
    context.go(event(refOf(pod), "Warning", reason, message));
    this.#terminate(worker);
  }

  /**
   * Schedules an eviction if the pod exceeds its limits: volumes are measured at a random instant, and the eviction manager
   * acts at its next tick.
   */
  #measureVolumes(worker: PodWorker): void {
    const { context, machine } = this.#kubelet.host;
    // Without real mounts no program runs that could write.
    if (!machine.mountsAreReal) return;
    const reason = (): string | undefined => {
      const { pod } = worker;
      return localStorageEviction(pod, machine.containers.sandbox(pod.metadata.uid), context.now);
    };
    if (reason() === undefined || worker.cancelMeasure !== undefined) return;
    const elapsed = context.now - this.#startedAt + measurePeriodMs * context.fraction();
    const tick = evictionPeriodMs * Math.ceil(elapsed / evictionPeriodMs);
    worker.cancelMeasure = context.after(this.#startedAt + tick - context.now, () => {
      worker.cancelMeasure = undefined;
      // Checks again: a container that ended meanwhile took its files with it.
      const why = reason();
      if (why !== undefined) this.#evict(worker, why);
    });
  }

  /** Like upstream, sets no DisruptionTarget condition. Upstream: emptyDirLimitEviction, evictPod. */
  #evict(worker: PodWorker, message: string): void {
    if (worker.state !== "syncing") return;
    const { pod } = worker;
    worker.override = { phase: "Failed", reason: "Evicted", message };
    worker.graceSeconds = evictionGraceSeconds;
    const tell = event(refOf(pod), "Warning", "Evicted", message);
    this.#kubelet.host.context.go(tell);
    this.#terminate(worker);
  }

  #terminate(worker: PodWorker): void {
    worker.state = "terminating";
    // Abandons a sync that waits for volumes; there is no event for that.
    const wasWaiting = worker.cancelWait !== undefined;
    worker.cancelWait?.();
    worker.cancelWait = undefined;
    if (wasWaiting) worker.isBusy = false;
    this.#kick(worker);
  }

  #kick(worker: PodWorker): void {
    worker.cancelTimer?.();
    worker.cancelTimer = undefined;
    if (worker.isBusy) worker.isKicked = true;
    else this.#start(worker);
  }

  #start(worker: PodWorker): void {
    worker.isBusy = true;
    worker.isKicked = false;
    const { context } = this.#kubelet.host;
    switch (worker.state) {
      case "syncing":
        worker.isBehind = false;
        context.go(this.#beforeVolumes(worker), () => this.#waitForVolumes(worker));
        return;
      case "terminating":
        context.go(this.#stopContainers(worker), () => this.#end(worker, 0));
        return;
      case "terminated":
        this.#waitForUnmount(worker);
        return;
      case "finished":
        worker.isBusy = false;
    }
  }

  /** Ends a sync; the next one follows at once, after a delay, or on a change. */
  #end(worker: PodWorker, delayMs: number | undefined): void {
    const { host, isAdmitted } = this.#kubelet;
    worker.isBusy = false;
    if (!isAdmitted(worker.pod.metadata.uid)) worker.syncedAt = host.context.now;
    if (worker.isKicked || delayMs === 0) {
      this.#start(worker);
      return;
    }
    if (delayMs !== undefined) this.#wake(worker, delayMs);
    // Each sync triggers the readiness probes that have not succeeded yet.
    if (this.#prober.isWaiting(worker.pod.metadata.uid)) worker.isBehind = true;
    if (worker.isBehind) this.#wake(worker, this.#untilPeriodicSync(worker));
  }

  /** Adds the DeadlineExceeded event each time if the deadline is over. Upstream: activeDeadlineHandler.ShouldEvict. */
  #makeStatus(worker: PodWorker): PodStatus {
    const { context } = this.#kubelet.host;
    const exceeded = deadlineExceeded(worker, context.now);
    if (exceeded !== undefined) {
      const { reason, message } = exceeded;
      context.go(event(refOf(worker.pod), "Normal", reason, message));
    }
    return statusOf(this.#kubelet, this.#prober, worker);
  }

  #tellStatus(worker: PodWorker): PodStatus {
    const status = this.#makeStatus(worker);
    if (haveContainersEnded(worker)) this.#kubelet.statuses.setEnded(worker.pod, status);
    else this.#kubelet.statuses.set(worker.pod, status);
    this.#prober.statusTold(worker.pod);
    return status;
  }

  *#beforeVolumes(worker: PodWorker): Task {
    const { context } = this.#kubelet.host;
    const { pod } = worker;
    const deadline = deadlineOf(worker);
    const isExceeded = deadline !== undefined && context.now >= deadline;
    // Wakes at the deadline, whatever this sync waits for and however long the next retry is off.
    if (deadline !== undefined && !isExceeded) this.#wake(worker, deadline - context.now);
    const { containers } = this.#kubelet.host.machine;
    worker.isRestartingAll =
      !isExceeded &&
      restartsAllContainers(context.version) &&
      shouldRestartAll(pod, containers.sandbox(pod.metadata.uid), context.now);
    const status = this.#tellStatus(worker);
    // Starts here because a container may end while the sync waits for volumes.
    this.#lifecycle.watchExits(worker);
    if (isTerminalPhase(status.phase)) worker.state = "terminating";
    this.#kubelet.host.machine.files.makeDirectories(podDirectory(pod.metadata.uid));
  }

  #waitForVolumes(worker: PodWorker): void {
    if (worker.state !== "syncing") {
      this.#end(worker, 0);
      return;
    }
    let isOver = false;
    const cancel = this.#kubelet.volumes.waitForMount(worker.pod, (failure) => {
      isOver = true;
      worker.cancelWait = undefined;
      if (failure === undefined) this.#runContainers(worker);
      else this.#volumesFailed(worker, failure);
    });
    if (!isOver) worker.cancelWait = cancel;
  }

  #volumesFailed(worker: PodWorker, failure: WaitFailure): void {
    const { host, volumes } = this.#kubelet;
    const { pod } = worker;
    let rejection: string | undefined;
    function* report(): Task {
      rejection = yield* attachLimitRejection(host, volumes, pod, failure);
      if (rejection !== undefined || failure.isTimeout) return;
      const message = `Unable to attach or mount volumes: ${failure.error}`;
      yield* event(refOf(pod), "Warning", "FailedMount", message);
    }
    host.context.go(report(), () => {
      worker.isBusy = false;
      if (rejection !== undefined) this.#reject(worker, "VolumeAttachmentLimitExceeded", rejection);
      else this.#end(worker, this.#jittered(errorDelayMs));
    });
  }

  #jittered(ms: number): number {
    return Math.round(ms * (1 + 0.5 * this.#kubelet.host.context.fraction()));
  }

  #runContainers(worker: PodWorker): void {
    const { host, volumes } = this.#kubelet;
    const { containers } = host.machine;
    const { uid } = worker.pod.metadata;
    const sandbox = containers.sandbox(uid);
    const isAdopted = this.#kubelet.isAdmitted(uid);
    // A restarted kubelet learns of containers from before at its first relist.
    if (this.#prober.addPod(worker.pod, isAdopted) && sandbox !== undefined && !isAdopted)
      this.#lifecycle.relist(worker, host.context.now);
    if (worker.isRestartingAll && sandbox !== undefined) {
      const reset = resetContainers(containers, worker.pod, sandbox, host.context.now);
      host.context.go(reset, () => this.#end(worker, 0));
      return;
    }
    const hasStarted = (sidecar: string): boolean => this.#hasStarted(uid, sidecar);
    const { now } = host.context;
    if (sandbox !== undefined && onlySidecarsRun(worker.pod, sandbox, now, hasStarted)) {
      host.context.go(this.#killContainers(worker), () => {
        this.#lifecycle.relist(worker, host.context.now);
        this.#end(worker, undefined);
      });
      return;
    }
    const result: StartResult = { isFailed: false, hasStarted: false };
    const task = startContainers(host, volumes, worker, result, {
      sandboxIsReady: () => this.#tellSandbox(worker),
      hasStarted,
    });
    host.context.go(task, () => {
      if (result.hasStarted) {
        const isAtOnce = !result.isFailed && relistsOnDemand(host.context.version);
        this.#lifecycle.relist(worker, host.context.now, isAtOnce);
      }
      this.#measureVolumes(worker);
      if (result.isFailed) this.#end(worker, this.#retryDelay(result));
      else this.#end(worker, this.#resyncDelay(worker));
    });
  }

  #hasStarted(podUid: string, sidecar: string): boolean {
    const { initContainerStatuses = [] } = this.#kubelet.statuses.get(podUid) ?? {};
    return initContainerStatuses.some(({ name, started }) => name === sidecar && started === true);
  }

  #tellSandbox({ pod }: PodWorker): void {
    const { host, statuses } = this.#kubelet;
    const { now, version } = host.context;
    if (!tellsSandboxesAtOnce(version)) return;
    const said = statuses.get(pod.metadata.uid) ?? pod.status ?? {};
    statuses.set(pod, withSandboxReady(said, now));
  }

  /** Waits for the end of the first back-off in versions that do. Upstream: completeWork. */
  #retryDelay({ heldBackUntil }: StartResult): number {
    const { now, version } = this.#kubelet.host.context;
    if (heldBackUntil === undefined || !syncsWhenBackOffEnds(version))
      return this.#jittered(errorDelayMs);
    return this.#jittered(Math.min(Math.max(heldBackUntil - now, 0), resyncMs));
  }

  /** A running pod is synced again only if that repeats calls to a driver. */
  #resyncDelay(worker: PodWorker): number | undefined {
    const { volumes, host } = this.#kubelet;
    const { uid } = worker.pod.metadata;
    const republishes = volumes.actual.volumesOf(uid).some((name) => {
      const volume = volumes.actual.volumes.get(name);
      const mounted = volume?.pods.get(uid);
      if (volume?.plugin.name !== "kubernetes.io/csi" || mounted === undefined) return false;
      return volume.plugin.requiresRemount(host, mounted.spec);
    });
    return republishes ? this.#jittered(resyncMs) : undefined;
  }

  *#stopContainers(worker: PodWorker): Task {
    const { uid } = worker.pod.metadata;
    worker.saidBeforeStop = worker.pod.status;
    worker.cancelRelist?.();
    worker.cancelRelist = undefined;
    this.#tellStatus(worker);
    this.#prober.stopLivenessAndStartup(worker.pod);
    worker.override = undefined;
    yield* this.#killContainers(worker);
    this.#prober.removePod(worker.pod);
    worker.state = "terminated";
    this.#tellStatus(worker);
    this.#kubelet.volumes.removePod(uid, worker.isObjectGone);
  }

  /**
   * Runs the preStop hooks, then stops the containers. A later deletion with less grace does not cut short a running hook:
   * SyncTerminatingPod does not use its worker's context. Upstream: killPodWithSyncResult.
   */
  *#killContainers(worker: PodWorker): Task {
    const { pod } = worker;
    const { context, machine } = this.#kubelet.host;
    const sandbox = machine.containers.sandbox(pod.metadata.uid);
    const running = (sandbox?.containers ?? []).filter((c) => isRunning(c, context.now));
    for (const { name } of running)
      yield* event(refOf(pod), "Normal", "Killing", `Stopping container ${name}`);
    const names = new Set(running.map(({ name }) => name));
    const hookMs = preStopMsTogether(worker, names, machine.mountsAreReal);
    if (hookMs > 0) yield* sleep(hookMs);
    const killed = running.filter(({ name }) => isKilledAtEviction(worker, name));
    for (const container of running)
      if (!killed.includes(container)) machine.containers.stop(container, context.now);
    if (killed.length > 0) yield* sleep(minimumGraceMs);
    for (const container of killed) machine.containers.kill(container, context.now);
    if (sandbox !== undefined) sandbox.ready = false;
  }

  #waitForUnmount(worker: PodWorker): void {
    const { host, volumes, statuses } = this.#kubelet;
    const { uid } = worker.pod.metadata;
    volumes.removePod(uid, worker.isObjectGone);
    volumes.waitForUnmount(worker.pod, (failure) => {
      if (failure !== undefined) {
        this.#end(worker, this.#jittered(errorDelayMs));
        return;
      }
      volumes.cleanUpPod(uid);
      host.objects.release(uid);
      const wasTerminal = statuses.get(uid) === undefined && isPodEnded(worker.pod);
      const status = wasTerminal
        ? (worker.pod.status ?? {})
        : terminatedStatus(
            worker.pod.spec,
            worker.saidBeforeStop ?? worker.pod.status,
            this.#makeStatus(worker),
          );
      worker.state = "finished";
      worker.isBusy = false;
      if (worker.isObjectGone) this.#forget(worker);
      else statuses.finish(worker.pod, status);
    });
  }

  #forget(worker: PodWorker): void {
    const { uid } = worker.pod.metadata;
    this.#workers.delete(uid);
    this.#kubelet.statuses.forget(uid);
    this.#kubelet.host.machine.containers.remove(uid);
  }
}
