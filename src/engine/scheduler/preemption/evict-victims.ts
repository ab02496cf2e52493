/**
 * Evicts the victims on the node that a pod is nominated for. In 1.32 this still blocked the scheduling of other pods.
 * Upstream: kube-scheduler v1.36 framework/preemption/preemption.go prepareCandidateAsync, executor.go PreemptPod.
 */
import type { Key } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { Pod } from "../../api/types.ts";
import { withDisruption } from "../../matching/pod-condition.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { eventInSeries, isNotFound, patch, remove, type Task } from "../../runtime/effects.ts";
import { sparesPodsInPreBind } from "../../version-differences.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { BindingWaits } from "../volume/binding-waits.ts";

/** Preemptors whose victims are being evicted, each with its last victim once that one's turn has come. */
export class RunningPreemptions {
  readonly #lastVictims = new Map<string, Key | undefined>();

  begin(preemptor: PodInfo): void {
    this.#lastVictims.set(preemptor.uid, undefined);
  }

  lastVictim(preemptor: PodInfo, victim: PodInfo): void {
    this.#lastVictims.set(preemptor.uid, victim.key);
  }

  end(preemptor: PodInfo): void {
    this.#lastVictims.delete(preemptor.uid);
  }

  /**
   * False once the last victim is being deleted: from then on its end can wake the preemptor. Upstream: IsPodRunningPreemption.
   */
  isRunning(preemptor: Pod, podOf: (key: Key) => Pod | undefined): boolean {
    const { uid } = preemptor.metadata;
    if (!this.#lastVictims.has(uid)) return false;
    const last = this.#lastVictims.get(uid);
    if (last === undefined) return true;
    const victim = podOf(last);
    return victim !== undefined && victim.metadata.deletionTimestamp === undefined;
  }
}

export interface EvictionParts {
  readonly context: ComponentContext;
  readonly running: RunningPreemptions;
  /** Pods whose volumes are being bound: to make room it is enough to cancel their binding. */
  readonly waits: BindingWaits;
}

/** Evicts the victims, which must not be terminating yet. Returns false if the API server refused one; the rest stay. */
export function* evictVictims(
  { context, running, waits }: EvictionParts,
  preemptor: PodInfo,
  victims: readonly PodInfo[],
  node: string,
): Task<boolean> {
  const held: PodInfo[] = [];
  let ok = true;
  for (const victim of victims) {
    if (victim === victims.at(-1)) running.lastVictim(preemptor, victim);
    if (sparesPodsInPreBind(context.version) && waits.isWaiting(victim.uid)) {
      held.push(victim);
      const message = `${preemptedBy(preemptor, node)} (in kube-scheduler memory).`;
      yield* preempted(preemptor, victim, message);
      continue;
    }
    ok = yield* evict(context, preemptor, victim, node);
    if (!ok) break;
  }
  running.end(preemptor);
  for (const { uid } of held) waits.cancel(uid);
  return ok;
}

function* evict(
  context: ComponentContext,
  preemptor: PodInfo,
  victim: PodInfo,
  node: string,
): Task<boolean> {
  const { namespace, name } = victim.pod.metadata;
  const text = `${preemptor.pod.spec.schedulerName ?? "default-scheduler"}: preempting to accommodate a higher priority pod`;
  const marked = yield* patch(
    "Pod",
    namespace,
    name,
    (pod) => withDisruption(pod, "PreemptionByScheduler", text, timestamp(context.now)),
    "status",
  );
  if (!marked.ok) return isNotFound(marked.error);
  const deleted = yield* remove("Pod", namespace, name);
  if (!deleted.ok) return isNotFound(deleted.error);
  yield* preempted(preemptor, victim, preemptedBy(preemptor, node));
  return true;
}

function* preempted({ uid }: PodInfo, { ref, pod }: PodInfo, message: string): Task {
  yield* eventInSeries(
    { ref, metadata: pod.metadata, related: uid },
    "Normal",
    "Preempted",
    message,
  );
}

function preemptedBy(preemptor: PodInfo, node: string): string {
  return `Preempted by pod ${preemptor.uid} on node ${node}`;
}
