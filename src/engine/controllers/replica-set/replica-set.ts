/**
 * Keeps the desired number of pods of a template. Upstream: kube-controller-manager v1.36,
 * pkg/controller/replicaset/replica_set.go; the replicationmanager is the same code behind an adapter, and so is it here. Not
 * modeled: the retry of a status update on the live object (the next sync does it), parallel creation within a batch.
 */
import { deepEqual } from "../../api/json.ts";
import {
  type ApiError,
  controllerOf,
  type Draft,
  type Key,
  type KubeObject,
  keyOf,
} from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { ReplicaSetStatus } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { isNotFound, type Task, updateStatus } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import {
  checksReplicasWhenAvailable,
  countsTerminatingReplicas,
} from "../../version-differences.ts";
import { claimChildren } from "../workload/claim-children.ts";
import { claimable, controlledBy, indexByController } from "../workload/controller-index.ts";
import { lookThrough } from "../workload/look-through.ts";
import { PodControl } from "../workload/pod-control.ts";
import { PodOwners } from "../workload/pod-owners.ts";
import { isCountedTerminating, isPodActive, nextAvailableInMs } from "../workload/pod-status.ts";
import { podFromTemplate } from "../workload/pod-template.ts";
import { selectorOf } from "../workload/woken-owners.ts";
import { podsToDelete } from "./pods-to-delete.ts";
import { replicaSetStatus } from "./status.ts";

type ReplicaKind = "ReplicaSet" | "ReplicationController";
type ReplicaOwner = KubeObject<ReplicaKind>;
type Pod = KubeObject<"Pod">;

/** Maximum number of pods created or deleted in one sync. Upstream: BurstReplicas. */
const burstReplicas = 500;

export const replicaSetController: Component = {
  name: "replicaset-controller",
  source: "replicaset-controller",
  start: (ctx) => new ReplicaSetController(ctx, "ReplicaSet").run(),
};

export const replicationController: Component = {
  name: "replicationcontroller-controller",
  source: "replication-controller",
  start: (ctx) => new ReplicaSetController(ctx, "ReplicationController").run(),
};

class ReplicaSetController {
  readonly #ctx: ComponentContext;
  readonly #kind: ReplicaKind;
  readonly #sets: Informer<ReplicaKind>;
  readonly #pods: Informer<"Pod">;
  readonly #queue: WorkQueue;
  readonly #control = new PodControl();
  readonly #expectations = this.#control.expectations;

  constructor(ctx: ComponentContext, kind: ReplicaKind) {
    this.#ctx = ctx;
    this.#kind = kind;
    this.#sets = ctx.informer(kind);
    this.#pods = ctx.informer("Pod");
    this.#queue = ctx.queue({ workers: 5, sync: (key) => this.#sync(key) });
  }

  run(): void {
    indexByController(this.#pods);
    indexByController(this.#sets);
    this.#sets.on({
      add: (set) => this.#queue.add(keyOf(set)),
      update: (_, set) => this.#queue.add(keyOf(set)),
      delete: (set) => {
        this.#expectations.forget(keyOf(set));
        this.#queue.add(keyOf(set));
      },
    });
    new PodOwners(this.#kind, this.#sets, this.#queue, this.#expectations).listenTo(this.#pods);
  }

  /** Upstream: syncReplicaSet. */
  *#sync(key: Key): Reconcile {
    yield* lookThrough(this.#podCount(key));
    const set = this.#sets.get(key);
    if (set === undefined) {
      this.#expectations.forget(key);
      return done("Deleted");
    }
    const mayManage = this.#expectations.satisfied(key);
    const selector = selectorOf(set);
    const matches = (pod: Pod): boolean => labelSelectorMatches(selector, pod.metadata.labels);
    const terminating = controlledBy(this.#pods, set.metadata.uid).filter(
      (pod) => isCountedTerminating(pod) && matches(pod),
    );
    // Pods that have ended or are terminating are neither adopted nor released.
    const claimed = yield* claimChildren<"Pod">(claimable(this.#pods, set).filter(isPodActive), {
      owner: set,
      matches,
    });
    if (claimed.error !== undefined) return retry(claimed.error.message);
    const active = claimed.children;
    const failure =
      mayManage && set.metadata.deletionTimestamp === undefined
        ? yield* this.#manage(set, active)
        : undefined;
    return yield* this.#writeStatus(set, active, terminating.length, failure);
  }

  #podCount(key: Key): number {
    const set = this.#sets.get(key);
    return set === undefined ? 0 : controlledBy(this.#pods, set.metadata.uid).length;
  }

  /** Upstream: manageReplicas. */
  *#manage(set: ReplicaOwner, active: readonly Pod[]): Task<ApiError | undefined> {
    const surplus = active.length - (set.spec?.replicas ?? 1);
    if (surplus < 0) {
      const template = set.spec?.template;
      const draft = (): Draft<"Pod"> => podFromTemplate(template, set);
      const count = Math.min(-surplus, burstReplicas);
      return (yield* this.#control.createPods(set, count, draft)).error;
    }
    if (surplus === 0) return undefined;
    const count = Math.min(surplus, burstReplicas);
    const doomed = podsToDelete(active, this.#related(set), count, this.#ctx.now);
    return (yield* this.#control.deletePods(set, doomed)).error;
  }

  /**
   * Returns the pods of all sets with the same controller. For a set without a controller there are none, not even its own, so
   * its pods' spread does not matter. Upstream: getIndirectlyRelatedPods, getReplicaSetsWithSameController.
   */
  #related(set: ReplicaOwner): readonly Pod[] {
    const controller = controllerOf(set);
    if (controller === undefined) return [];
    return controlledBy(this.#sets, controller.uid).flatMap((sibling) =>
      controlledBy(this.#pods, sibling.metadata.uid),
    );
  }

  *#writeStatus(
    set: ReplicaOwner,
    active: readonly Pod[],
    terminatingCount: number,
    error: ApiError | undefined,
  ): Reconcile {
    const minReadySeconds = set.spec?.minReadySeconds ?? 0;
    const replicas = set.spec?.replicas ?? 1;
    const status = replicaSetStatus({
      current: set.status,
      generation: set.metadata.generation ?? 1,
      minReadySeconds,
      templateLabels: set.spec?.template?.metadata?.labels ?? {},
      active,
      // Only ReplicaSets count terminating pods.
      terminatingCount:
        this.#kind === "ReplicaSet" && countsTerminatingReplicas(this.#ctx.version)
          ? terminatingCount
          : undefined,
      failure:
        error === undefined
          ? undefined
          : {
              reason: active.length < replicas ? "FailedCreate" : "FailedDelete",
              message: error.message,
            },
      now: this.#ctx.now,
    });
    if (!deepEqual(set.status, status)) {
      const written = yield* updateStatus({ ...set, status });
      if (!written.ok && !isNotFound(written.error)) return retry(written.error.message);
    }
    if (error !== undefined) return retry(error.message);
    const delayMs = this.#nextLookInMs(set, status, active);
    return delayMs === undefined ? done("Synced") : wait("MinReadySeconds", delayMs);
  }

  /** Upstream: end of syncReplicaSet. */
  #nextLookInMs(
    set: ReplicaOwner,
    { readyReplicas = 0, availableReplicas = 0 }: ReplicaSetStatus,
    active: readonly Pod[],
  ): number | undefined {
    const { minReadySeconds = 0, replicas = 1 } = set.spec ?? {};
    const { version, now } = this.#ctx;
    if (checksReplicasWhenAvailable(version))
      return nextAvailableInMs(active, minReadySeconds, now);
    const onlyWaits = readyReplicas === replicas && availableReplicas !== replicas;
    return onlyWaits && minReadySeconds > 0 ? minReadySeconds * 1000 : undefined;
  }
}
