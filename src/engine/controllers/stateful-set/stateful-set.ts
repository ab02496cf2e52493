/**
 * Pods with stable names and claims, in order. Upstream: kube-controller-manager v1.36,
 * pkg/controller/statefulset/stateful_set.go. Not modeled: the retry of a status update on the live object (the next sync does
 * it) and parallel work within a batch.
 */
import { deepEqual } from "../../api/json.ts";
import { type Key, type KubeObject, keyOf, refOf } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { StatefulSetStatus } from "../../api/types.ts";
import { parentAndOrdinal } from "../../matching/ordinals.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { isNotFound, type Task, updateStatus } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { checksStatefulPodsWhenAvailable } from "../../version-differences.ts";
import { claimChildren } from "../workload/claim-children.ts";
import {
  claimable,
  controlledBy,
  indexByController,
  ownerOf,
} from "../workload/controller-index.ts";
import { retryRevision } from "../workload/controller-revision.ts";
import { lookThrough } from "../workload/look-through.ts";
import { nextAvailableInMs } from "../workload/pod-status.ts";
import { wokenOwners } from "../workload/woken-owners.ts";
import { type Round, RoundOfSet } from "./control.ts";
import type { Pod, StatefulSet } from "./identity.ts";
import { StatefulPodControl } from "./pod-control.ts";
import { syncRevisions, truncateHistory } from "./revisions.ts";
import { withRolloutCompleted } from "./status.ts";

export const statefulSetController: Component = {
  name: "statefulset-controller",
  source: "statefulset-controller",
  start: (ctx) => new StatefulSetController(ctx).run(),
};

class StatefulSetController {
  readonly #ctx: ComponentContext;
  readonly #sets: Informer<"StatefulSet">;
  readonly #pods: Informer<"Pod">;
  readonly #revisions: Informer<"ControllerRevision">;
  readonly #control: StatefulPodControl;
  readonly #queue: WorkQueue;

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#sets = ctx.informer("StatefulSet");
    this.#pods = ctx.informer("Pod");
    this.#revisions = ctx.informer("ControllerRevision");
    this.#control = new StatefulPodControl(
      ctx.informer("PersistentVolumeClaim"),
      this.#pods,
      ctx.version,
    );
    this.#queue = ctx.queue({ workers: 5, sync: (key) => this.#sync(key) });
  }

  run(): void {
    indexByController(this.#pods);
    indexByController(this.#revisions);
    const wake = (set: StatefulSet): void => this.#queue.add(keyOf(set));
    this.#sets.on({ add: wake, update: (_, set) => wake(set), delete: wake });
    this.#pods.on({
      add: (pod) => this.#wake(undefined, pod),
      update: (before, pod) => this.#podUpdated(before, pod),
      delete: (pod) => this.#wake(pod, undefined),
    });
  }

  #wake(before: Pod | undefined, after: Pod | undefined): void {
    for (const set of wokenOwners(this.#sets, "StatefulSet", before, after))
      this.#queue.add(keyOf(set));
  }

  /**
   * Before 1.35, plans another sync for one second after a pod that became ready will be available; from 1.35 on, each sync
   * computes when that is (Δ78). Upstream: updatePod.
   */
  #podUpdated(before: Pod, pod: Pod): void {
    this.#wake(before, pod);
    const owner = ownerOf(this.#sets, "StatefulSet", pod);
    const delaySeconds = owner?.spec?.minReadySeconds ?? 0;
    if (
      owner !== undefined &&
      delaySeconds > 0 &&
      !checksStatefulPodsWhenAvailable(this.#ctx.version) &&
      !isPodReady(before) &&
      isPodReady(pod)
    )
      this.#queue.addAfter(keyOf(owner), (delaySeconds + 1) * 1000);
  }

  *#sync(key: Key): Reconcile {
    yield* lookThrough(this.#podCount(key));
    const set = this.#sets.get(key);
    if (set === undefined) return done("Deleted");
    const selector = set.spec?.selector;
    const revisions = yield* claimChildren<"ControllerRevision">(this.#revisionsOf(set), {
      owner: set,
      matches: () => true,
    });
    if (revisions.error !== undefined) return retry(revisions.error.message);
    const pods = yield* claimChildren<"Pod">(claimable(this.#pods, set), {
      owner: set,
      matches: (pod) => labelSelectorMatches(selector, pod.metadata.labels) && isMember(set, pod),
    });
    if (pods.error !== undefined) return retry(pods.error.message);
    return yield* this.#update(set, pods.children, revisions.children);
  }

  /**
   * A revision whose labels no longer match still belongs to the set but is ignored. Upstream: ListControllerRevisions,
   * adoptOrphanRevisions.
   */
  #revisionsOf(set: StatefulSet): readonly KubeObject<"ControllerRevision">[] {
    return claimable(this.#revisions, set).filter(({ metadata }) =>
      labelSelectorMatches(set.spec?.selector, metadata.labels),
    );
  }

  #podCount(key: Key): number {
    const set = this.#sets.get(key);
    return set === undefined ? 0 : controlledBy(this.#pods, set.metadata.uid).length;
  }

  /** Upstream: UpdateStatefulSet. */
  *#update(
    set: StatefulSet,
    pods: readonly Pod[],
    known: readonly KubeObject<"ControllerRevision">[],
  ): Reconcile {
    const revisions = yield* syncRevisions(set, known);
    if (!revisions.ok) return retryRevision(this.#ctx, set, revisions.error);
    const round = yield* new RoundOfSet(
      set,
      pods,
      revisions.object,
      this.#control,
      this.#ctx,
    ).run();
    if (round.waits !== undefined) this.#ctx.decide(refOf(set), round.waits);
    const unwritten = yield* this.#writeStatus(set, withRolloutCompleted(set, round.status));
    const kept = yield* truncateHistory(set, pods, revisions.object);
    const failure = round.failure ?? unwritten ?? kept;
    if (failure !== undefined) return retry(failure);
    const delayMs = this.#nextLookInMs(set, pods, round);
    return delayMs === undefined ? done("Synced") : wait("MinReadySeconds", Math.max(0, delayMs));
  }

  /** Upstream: end of syncStatefulSet. */
  #nextLookInMs(
    set: StatefulSet,
    pods: readonly Pod[],
    { status, waits }: Round,
  ): number | undefined {
    const { minReadySeconds = 0, replicas = 1 } = set.spec ?? {};
    const { version, now } = this.#ctx;
    if (!checksStatefulPodsWhenAvailable(version))
      return minReadySeconds > 0 && status.availableReplicas !== replicas
        ? minReadySeconds * 1000
        : undefined;
    const againMs = waits?.due === undefined ? undefined : waits.due - now;
    return nextAvailableInMs(pods, minReadySeconds, now) ?? againMs;
  }

  *#writeStatus(set: StatefulSet, status: StatefulSetStatus): Task<string | undefined> {
    if (isConsistent(set.status ?? {}, status)) return undefined;
    // As upstream, the deleted pod is subtracted even if no pod has the current revision. The API server refuses the negative
    // count, and the next sync corrects it.
    if ((status.currentReplicas ?? 0) < 0)
      return `StatefulSet.apps "${set.metadata.name}" is invalid: status.currentReplicas: Invalid value: ${status.currentReplicas}: must be greater than or equal to 0`;
    const written = yield* updateStatus<"StatefulSet">({ ...set, status });
    return written.ok || isNotFound(written.error) ? undefined : written.error.message;
  }
}

/** Ignores conditions, which others write: they stay until the next change. Upstream: inconsistentStatus. */
function isConsistent(known: Partial<StatefulSetStatus>, status: StatefulSetStatus): boolean {
  const { conditions: _, ...own } = known;
  return deepEqual(own, status);
}

function isMember(set: StatefulSet, pod: Pod): boolean {
  return parentAndOrdinal(pod.metadata.name).parent === set.metadata.name;
}
