/**
 * Rolls templates out through ReplicaSets. Upstream: kube-controller-manager v1.36,
 * pkg/controller/deployment/deployment_controller.go. Not modeled: the deprecated rollback annotation.
 */

import { type Key, type KubeObject, keyOf, refOf } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import { hasProgressDeadline } from "../../matching/progress-deadline.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, type Task, updateStatus } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Outcome, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/instant.ts";
import { claimChildren } from "../workload/claim-children.ts";
import {
  claimable,
  controlledBy,
  indexByController,
  ownerOf,
} from "../workload/controller-index.ts";
import { wokenOwners } from "../workload/woken-owners.ts";
import { condition, conditionOf, withCondition } from "./conditions.ts";
import { isRolling } from "./fenceposts.ts";
import { recreate } from "./recreate.ts";
import { creationFailure, syncRevision } from "./replica-sets.ts";
import { rollOut } from "./rolling.ts";
import { cleanUpHistory, isScalingEvent, scaleAll } from "./scale.ts";
import { syncStatus } from "./status.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;

/** Failures in a row before a Deployment is given up, after 164 s of back-off. Upstream: maxRetries. */
const retriesMax = 15;

export const deploymentController: Component = {
  name: "deployment-controller",
  source: "deployment-controller",
  start: (ctx) => new DeploymentController(ctx).run(),
};

class DeploymentController {
  readonly #ctx: ComponentContext;
  readonly #deployments: Informer<"Deployment">;
  readonly #sets: Informer<"ReplicaSet">;
  readonly #pods: Informer<"Pod">;
  readonly #queue: WorkQueue;

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#deployments = ctx.informer("Deployment");
    this.#sets = ctx.informer("ReplicaSet");
    this.#pods = ctx.informer("Pod");
    this.#queue = ctx.queue({ workers: 5, sync: (key) => this.#syncOrGiveUp(key) });
  }

  run(): void {
    indexByController(this.#pods);
    indexByController(this.#sets);
    const wake = (deployment: Deployment): void => this.#queue.add(keyOf(deployment));
    this.#deployments.on({ add: wake, update: (_, deployment) => wake(deployment), delete: wake });
    this.#sets.on({
      add: (set) => this.#setChanged(undefined, set),
      update: (before, set) => this.#setChanged(before, set),
      delete: (set) => this.#setChanged(set, undefined),
    });
    this.#pods.on({ delete: (pod) => this.#podDeleted(pod) });
  }

  #setChanged(before: ReplicaSet | undefined, after: ReplicaSet | undefined): void {
    for (const deployment of wokenOwners(this.#deployments, "Deployment", before, after))
      this.#queue.add(keyOf(deployment));
  }

  /** With Recreate, which waits for that, queues the Deployment when its last pod is deleted; ended pods count as pods. */
  #podDeleted(pod: KubeObject<"Pod">): void {
    const set = ownerOf(this.#sets, "ReplicaSet", pod);
    const owner = set === undefined ? undefined : ownerOf(this.#deployments, "Deployment", set);
    if (owner === undefined || isRolling(owner)) return;
    const isLast = controlledBy(this.#sets, owner.metadata.uid).every(
      ({ metadata }) => controlledBy(this.#pods, metadata.uid).length === 0,
    );
    if (isLast) this.#queue.add(keyOf(owner));
  }

  /** A Deployment that is given up is left alone until it or one of its ReplicaSets changes. Upstream: handleErr. */
  *#syncOrGiveUp(key: Key): Reconcile {
    const outcome = yield* this.#sync(key);
    if (outcome.type !== "retry") return outcome;
    const givesUp = this.#queue.failures(key) >= retriesMax;
    if (outcome.error.startsWith(creationFailure))
      this.#explain(this.#deployments.get(key), givesUp ? undefined : this.#queue.retryAt(key));
    return givesUp ? done("GivenUp") : outcome;
  }

  /** Records when the creation of a refused ReplicaSet is tried again. */
  #explain(deployment: Deployment | undefined, due: Instant | undefined): void {
    if (deployment === undefined) return;
    const never = "is not tried again until the Deployment or one of its ReplicaSets changes";
    this.#ctx.decide(
      refOf(deployment),
      due === undefined ? { reason: "GivenUp", text: never } : { reason: "TriedAgain", due },
    );
  }

  /** Upstream: syncDeployment. */
  *#sync(key: Key): Reconcile {
    const deployment = this.#deployments.get(key);
    if (deployment === undefined) return done("Deleted");
    const selector = deployment.spec?.selector ?? {};
    if (
      (selector.matchExpressions ?? []).length === 0 &&
      Object.keys(selector.matchLabels ?? {}).length === 0
    ) {
      const text = "This deployment is selecting all pods. A non-empty selector is required.";
      yield* event(refOf(deployment), "Warning", "SelectingAll", text);
      return done("SelectingAll");
    }
    const claimed = yield* claimChildren<"ReplicaSet">(claimable(this.#sets, deployment), {
      owner: deployment,
      matches: (set) => labelSelectorMatches(selector, set.metadata.labels),
    });
    if (claimed.error !== undefined) return retry(claimed.error.message);
    const sets = claimed.children;
    if (deployment.metadata.deletionTimestamp !== undefined)
      return yield* this.#syncStatusOnly(deployment, sets);
    const checked = yield* this.#checkPaused(deployment);
    if (checked === undefined) return retry("conflict");
    if (checked.spec?.paused === true) return yield* this.#scale(checked, sets);
    const synced = yield* syncRevision(checked, sets, this.#ctx);
    if (!synced.ok) return retry(synced.error.message);
    const current = synced.object.deployment;
    if (isScalingEvent(current, synced.object.rollout)) return yield* this.#scale(current, sets);
    return isRolling(current)
      ? yield* rollOut(current, sets, this.#ctx)
      : yield* recreate(
          current,
          sets,
          (set) => controlledBy(this.#pods, set.metadata.uid),
          this.#ctx,
        );
  }

  *#syncStatusOnly(deployment: Deployment, sets: readonly ReplicaSet[]): Task<Outcome> {
    const synced = yield* syncRevision(deployment, sets, this.#ctx);
    return synced.ok
      ? yield* syncStatus(synced.object.deployment, synced.object.rollout, this.#ctx)
      : retry(synced.error.message);
  }

  /**
   * Marks a pause or its end in the Progressing condition, so that it does not count as lack of progress. Returns undefined if
   * the write failed. Upstream: checkPausedConditions.
   */
  *#checkPaused(deployment: Deployment): Task<Deployment | undefined> {
    if (!hasProgressDeadline(deployment)) return deployment;
    const reason = conditionOf(deployment.status, "Progressing")?.reason;
    const isPaused = deployment.spec?.paused === true;
    if (reason === "ProgressDeadlineExceeded" || isPaused === (reason === "DeploymentPaused"))
      return deployment;
    const next = isPaused
      ? condition(
          "Progressing",
          "Unknown",
          "DeploymentPaused",
          "Deployment is paused",
          this.#ctx.now,
        )
      : condition(
          "Progressing",
          "Unknown",
          "DeploymentResumed",
          "Deployment is resumed",
          this.#ctx.now,
        );
    const conditions = withCondition(deployment.status?.conditions ?? [], next);
    const written = yield* updateStatus<"Deployment">({
      ...deployment,
      status: { ...deployment.status, conditions },
    });
    return written.ok ? written.object : undefined;
  }

  /** Scales the sets without rolling out: after a change of size, and whenever paused. Upstream: sync. */
  *#scale(deployment: Deployment, sets: readonly ReplicaSet[]): Task<Outcome> {
    const synced = yield* syncRevision(deployment, sets, this.#ctx);
    if (!synced.ok) return retry(synced.error.message);
    const { deployment: current, rollout } = synced.object;
    const scaled = yield* scaleAll(current, rollout);
    if (!scaled.ok) return retry(scaled.error.message);
    if (current.spec?.paused === true) {
      const cleaned = yield* cleanUpHistory(current, rollout.oldSets);
      if (!cleaned.ok) return retry(cleaned.error.message);
    }
    return yield* syncStatus(current, rollout, this.#ctx);
  }
}
