/**
 * Writes the statuses of this node's pods, and deletes the pods that have ended.
 * Upstream: pkg/kubelet/status/status_manager.go v1.36.
 */
import { compareText } from "../api/go/text-order.ts";
import { deepEqual, withFields } from "../api/json.ts";
import type { ContainerStatus, Pod, PodCondition, PodStatus } from "../api/types.ts";
import { isTerminalPhase } from "../matching/pod-state.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { patch, remove } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";
import type { WorkQueue } from "../runtime/work-queue.ts";
import { isOwnCondition, withReadiness } from "./pod-conditions.ts";
import { withoutReason } from "./pod-status.ts";

interface Known {
  readonly pod: Pod;
  readonly status: PodStatus;
  /** True if none of the pod's containers runs any more. */
  readonly hasEnded: boolean;
  /** True if nothing of the pod is left on this node, so that its object may be deleted. */
  readonly isFinished: boolean;
  /** The status in the API server's answer to the last write. */
  readonly written: PodStatus | undefined;
  /** True if it replaces the previous status instead of being merged into it. */
  readonly isWhole?: boolean;
}

/** How often statuses that somebody else has changed are reconciled. */
const batchMs = 10_000;

export class StatusManager {
  readonly #known = new Map<string, Known>();
  readonly #queue: WorkQueue;
  readonly #context: ComponentContext;

  constructor(context: ComponentContext) {
    this.#context = context;
    const sync = (uid: string): Reconcile => this.#sync(uid);
    this.#queue = context.queue({ sync, baseMs: 1000, maxMs: 10_000 });
  }

  get(podUid: string): PodStatus | undefined {
    return this.#known.get(podUid)?.status;
  }

  /** Sets the status of a pod whose containers may still run: a terminal phase is held back. */
  set(pod: Pod, status: PodStatus): void {
    this.#set(pod, status, false);
  }

  /** Sets the status of a pod none of whose containers runs any more. */
  setEnded(pod: Pod, status: PodStatus): void {
    this.#set(pod, status, true);
  }

  #set(pod: Pod, status: PodStatus, hasEnded: boolean): void {
    const { uid } = pod.metadata;
    const before = this.#known.get(uid);
    this.#known.set(uid, {
      pod,
      status,
      hasEnded,
      isFinished: before?.isFinished === true,
      written: before?.written,
    });
    const isNews = before?.hasEnded !== hasEnded || !deepEqual(before.status, status);
    if (isNews) this.#queue.add(uid);
  }

  /** Writes the result of a probe without waiting for the next sync. Upstream: SetContainerReadiness, SetContainerStartup. */
  setContainer(podUid: string, containerId: string, said: "ready" | "started", is: boolean): void {
    const known = this.#known.get(podUid);
    if (known === undefined) return;
    const { pod, status, hasEnded } = known;
    const { containerStatuses = [], initContainerStatuses } = status;
    const changed = (c: ContainerStatus): ContainerStatus =>
      c.containerID === containerId && c[said] !== is ? { ...c, [said]: is } : c;
    const next = withFields(status, {
      containerStatuses: containerStatuses.map(changed),
      ...(initContainerStatuses !== undefined && {
        initContainerStatuses: initContainerStatuses.map(changed),
      }),
    });
    this.#set(pod, said === "ready" ? withReadiness(pod, next, this.#context.now) : next, hasEnded);
  }

  /** Sets the last status of a pod of which nothing is left here. */
  finish(pod: Pod, status: PodStatus): void {
    this.#setAnew({ pod, status, hasEnded: true, isFinished: true });
  }

  /** Replaces the status of a pod that is not admitted. Upstream: rejectPod. */
  reject(pod: Pod, status: PodStatus): void {
    this.#setAnew({ pod, status, hasEnded: true, isFinished: true, isWhole: true });
  }

  /** The same while containers of the pod still run. */
  rejectLater(pod: Pod, status: PodStatus): void {
    this.#setAnew({ pod, status, hasEnded: true, isFinished: false, isWhole: true });
  }

  #setAnew(known: Omit<Known, "written">): void {
    const { uid } = known.pod.metadata;
    this.#known.set(uid, { ...known, written: undefined });
    this.#queue.add(uid);
  }

  /** The pod was updated: schedules a write if others have changed its status. Upstream: needsReconcile. */
  podChanged(pod: Pod): void {
    const { uid } = pod.metadata;
    const known = this.#known.get(uid);
    if (known?.written === undefined || pod.status === known.written) return;
    if (merged(pod, uid, known) !== pod) this.#queue.addAfter(uid, batchMs);
  }

  forget(podUid: string): void {
    this.#known.delete(podUid);
  }

  *#sync(uid: string): Reconcile {
    const known = this.#known.get(uid);
    if (known === undefined) return done("forgotten");
    const { namespace, name } = known.pod.metadata;
    const written = yield* patch(
      "Pod",
      namespace,
      name,
      (pod) => merged(pod, uid, known),
      "status",
    );
    if (!written.ok) {
      if (written.error.reason !== "NotFound") return retry(written.error.message);
      this.#known.delete(uid);
      return done("gone");
    }
    const { metadata, status } = written.object;
    const latest = this.#known.get(uid);
    if (latest !== undefined) this.#known.set(uid, { ...latest, written: status });
    if (metadata.uid !== uid) return done("replaced by another pod");
    if (!known.isFinished || metadata.deletionTimestamp === undefined) return done("written");
    const options = { gracePeriodSeconds: 0, preconditionUid: uid };
    const deleted = yield* remove("Pod", namespace, name, options);
    if (!deleted.ok && deleted.error.reason !== "NotFound") return retry(deleted.error.message);
    this.#known.delete(uid);
    return done("deleted");
  }
}

/** Ignores the order of conditions. Upstream: isPodStatusByKubeletEqual. */
function isSame(a: PodStatus, b: PodStatus): boolean {
  const isEqual = (field: string): boolean =>
    field === "conditions" || deepEqual(a[field as keyof PodStatus], b[field as keyof PodStatus]);
  for (const field in a) if (!isEqual(field)) return false;
  for (const field in b) if (!isEqual(field)) return false;
  const [x, y] = [a.conditions ?? [], b.conditions ?? []];
  return deepEqual(x, y) || deepEqual(byType(x), byType(y));
}

function byType(conditions: readonly PodCondition[]): readonly PodCondition[] {
  return [...conditions].sort((x, y) => compareText(x.type, y.type));
}

/**
 * Merges the kubelet's status into the pod's: conditions of others stay, and a terminal phase is held back until the containers
 * have ended, because watchers may then reuse what they held. Upstream: mergePodStatus.
 */
function merged(pod: Pod, uid: string, { status, hasEnded, isWhole }: Known): Pod {
  if (pod.metadata.uid !== uid) return pod;
  const present = pod.status ?? {};
  const isEnding = isTerminalPhase(status.phase) && !isTerminalPhase(present.phase);
  const isHeldBack = isEnding && !hasEnded;
  const others = (present.conditions ?? []).filter((c) => !isOwnCondition(c));
  const conditions = [...others, ...(status.conditions ?? []).filter(isOwnCondition)];
  const kept = isWhole === true ? {} : withoutReason(present);
  const whole: PodStatus = Object.assign({}, kept, status, { conditions });
  const next = isHeldBack ? withEndOf(whole, present) : whole;
  return isSame(next, present) ? pod : withFields(pod, { status: next });
}

/** The status with phase, reason and message of another one. */
function withEndOf(status: PodStatus, { phase, reason, message }: PodStatus): PodStatus {
  const { phase: _, reason: __, message: ___, ...rest } = status;
  return {
    ...rest,
    ...(phase !== undefined && { phase }),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
}
