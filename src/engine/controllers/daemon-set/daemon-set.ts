/**
 * Runs one pod on each eligible node. Upstream: kube-controller-manager v1.36, pkg/controller/daemon/daemon_controller.go.
 * Not modeled: the retry of a status update on the live object (the next sync does it), parallel creation within a batch.
 */
import { deepEqual } from "../../api/json.ts";
import { controllerOf, type Draft, type Key, keyOf, refOf } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, isNotFound, type Task, updateStatus } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { wakesDaemonSetsForTheirPods } from "../../version-differences.ts";
import { claimChildren } from "../workload/claim-children.ts";
import { claimable, indexByController } from "../workload/controller-index.ts";
import { type Revision, retryRevision } from "../workload/controller-revision.ts";
import { lookThrough } from "../workload/look-through.ts";
import { PodControl } from "../workload/pod-control.ts";
import { PodOwners } from "../workload/pod-owners.ts";
import { isPodAvailable, isTerminating } from "../workload/pod-status.ts";
import { indexPodsByNode, podsOnNode } from "../workload/pods-by-node.ts";
import { wokenOwners } from "../workload/woken-owners.ts";
import {
  type DaemonSet,
  daemonPod,
  hashLabel,
  isPodUpdated,
  type Node,
  type Pod,
  placementOn,
  refusalOf,
} from "./daemon-pod.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { cleanUpHistory, syncHistory } from "./history.ts";
import { byPlaceAndCreation, daemonSetStatus, groupByNode, type PodsByNode } from "./status.ts";
import { allowsSurge, nextReplacement } from "./update.ts";

/** Most pods to create, and most to delete, in one sync. Upstream: BurstReplicas. */
const burstReplicas = 250;
/** Most nodes to record reasons for. */
const candidateCountMax = 10;

export const daemonSetController: Component = {
  name: "daemonset-controller",
  source: "daemonset-controller",
  start: (ctx) => new DaemonSetController(ctx).run(),
};

class DaemonSetController {
  readonly #ctx: ComponentContext;
  readonly #sets: Informer<"DaemonSet">;
  readonly #pods: Informer<"Pod">;
  readonly #nodes: Informer<"Node">;
  readonly #revisions: Informer<"ControllerRevision">;
  readonly #queue: WorkQueue;
  readonly #control = new PodControl();
  readonly #expectations = this.#control.expectations;
  readonly #backoff = new FailedPodBackoff();

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#sets = ctx.informer("DaemonSet");
    this.#pods = ctx.informer("Pod");
    this.#nodes = ctx.informer("Node");
    this.#revisions = ctx.informer("ControllerRevision");
    this.#queue = ctx.queue({ workers: 2, sync: (key) => this.#sync(key) });
  }

  run(): void {
    indexByController(this.#pods);
    indexByController(this.#revisions);
    indexPodsByNode(this.#pods);
    const wake = (set: DaemonSet): void => this.#queue.add(keyOf(set));
    this.#sets.on({
      add: wake,
      update: (_, set) => wake(set),
      delete: (set) => {
        this.#expectations.forget(keyOf(set));
        wake(set);
      },
    });
    this.#revisions.on({
      add: (revision) => {
        if (controllerOf(revision) === undefined) this.#revisionChanged(undefined, revision);
      },
      update: (before, revision) => this.#revisionChanged(before, revision),
      delete: (revision) => this.#revisionChanged(revision, undefined),
    });
    new PodOwners("DaemonSet", this.#sets, this.#queue, this.#expectations).listenTo(this.#pods);
    // A node's deletion queues nothing: the deletion of its pods will.
    this.#nodes.on({
      add: (node) => this.#nodeChanged(undefined, node),
      update: (before, node) => this.#nodeChanged(before, node),
    });
  }

  /**
   * Queues the owner of a changed or deleted revision, and sets that could adopt one without an owner. Upstream: addHistory,
   * updateHistory, deleteHistory.
   */
  #revisionChanged(before: Revision | undefined, after: Revision | undefined): void {
    for (const set of wokenOwners(this.#sets, "DaemonSet", before, after))
      this.#queue.add(keyOf(set));
  }

  /** Queues the sets concerned if labels or taints changed; placement reads nothing else of a node. */
  #nodeChanged(before: Node | undefined, node: Node): void {
    const isSame =
      before !== undefined &&
      deepEqual(before.metadata.labels, node.metadata.labels) &&
      deepEqual(before.spec?.taints, node.spec?.taints);
    if (isSame) return;
    for (const set of this.#sets.list()) {
      const wakes = wakesDaemonSetsForTheirPods(this.#ctx.version)
        ? this.#concerns(node, set)
        : !deepEqual(before && placementOn(set, before), placementOn(set, node));
      if (wakes) this.#queue.add(keyOf(set));
    }
  }

  /**
   * True if the set needs a pod on the node, has one that must go, or counts pods as misscheduled. False if the set's pod has
   * only become one that may stay: that is noticed at the next sync for another reason. Upstream: syncNodeUpdate.
   */
  #concerns(node: Node, set: DaemonSet): boolean {
    const { shouldRun, mayStay } = placementOn(set, node);
    const isThere = podsOnNode(this.#pods, node.metadata.name).some(
      (pod) => controllerOf(pod)?.uid === set.metadata.uid,
    );
    return isThere ? !mayStay || (set.status?.numberMisscheduled ?? 0) > 0 : shouldRun;
  }

  /** Upstream: syncDaemonSet. */
  *#sync(key: Key): Reconcile {
    yield* lookThrough(this.#nodes.list().length);
    const set = this.#sets.get(key);
    if (set === undefined) return done("Deleted");
    const selector = set.spec?.selector;
    if (
      Object.keys(selector?.matchLabels ?? {}).length +
        (selector?.matchExpressions ?? []).length ===
      0
    ) {
      const text = "This daemon set is selecting all pods. A non-empty selector is required.";
      yield* event(refOf(set), "Warning", "SelectingAll", text);
      return done("SelectingAll");
    }
    if (set.metadata.deletionTimestamp !== undefined) return done("BeingDeleted");
    const revisions = yield* claimChildren<"ControllerRevision">(claimable(this.#revisions, set), {
      owner: set,
      matches: (revision) => labelSelectorMatches(selector, revision.metadata.labels),
    });
    if (revisions.error !== undefined) return retry(revisions.error.message);
    const history = yield* syncHistory(set, revisions.children);
    if (!history.ok) return retryRevision(this.#ctx, set, history.error);
    const { hash, old } = history.object;
    const pods = yield* this.#claimPods(set);
    if (!pods.ok) return retry(pods.error);
    if (!this.#expectations.satisfied(key)) {
      // The set was not acted upon, so the status must not claim to have observed this generation.
      const unwritten = yield* this.#writeStatus(set, hash, set.status?.observedGeneration ?? 0);
      return unwritten === undefined ? done("Synced") : retry(unwritten);
    }
    const failure =
      (yield* this.#update(set, pods.pods, hash)) ?? (yield* cleanUpHistory(set, old, pods.pods));
    const unwritten = yield* this.#writeStatus(set, hash, set.metadata.generation ?? 1);
    const problem = failure ?? unwritten;
    return problem === undefined ? done("Synced") : retry(problem);
  }

  *#claimPods(
    set: DaemonSet,
  ): Task<
    | { readonly ok: true; readonly pods: readonly Pod[] }
    | { readonly ok: false; readonly error: string }
  > {
    const claimed = yield* claimChildren<"Pod">(claimable(this.#pods, set), {
      owner: set,
      matches: (pod) => labelSelectorMatches(set.spec?.selector, pod.metadata.labels),
    });
    if (claimed.error !== undefined) return { ok: false, error: claimed.error.message };
    return { ok: true, pods: claimed.children };
  }

  /** Upstream: updateDaemonSet. */
  *#update(set: DaemonSet, pods: readonly Pod[], hash: string): Task<string | undefined> {
    this.#explain(set);
    const byNode = groupByNode(pods);
    const managed = yield* this.#manage(set, byNode, hash);
    if (managed !== undefined) return managed;
    if (!this.#expectations.satisfied(keyOf(set)) || set.spec?.updateStrategy?.type === "OnDelete")
      return undefined;
    // Claims the pods again: those that were deleted above are terminating now.
    const current = yield* this.#claimPods(set);
    if (!current.ok) return current.error;
    const next = nextReplacement({
      set,
      podsByNode: groupByNode(current.pods),
      wantsPod: new Map(
        this.#nodes.list().map((node) => [node.metadata.name, placementOn(set, node).shouldRun]),
      ),
      hash,
      now: this.#ctx.now,
    });
    return typeof next === "string"
      ? next
      : yield* this.#syncNodes(set, next.remove, next.surgeOnto, hash);
  }

  /** Records why nodes get no pod. */
  #explain(set: DaemonSet): void {
    const nodes = this.#nodes.list();
    const refused = nodes.flatMap((node) => {
      const failed = refusalOf(set, node);
      return failed === undefined ? [] : [{ ref: refOf(node), failed: [failed] }];
    });
    if (refused.length === 0) return;
    const text = `its pods may run on ${nodes.length - refused.length} of ${nodes.length} nodes`;
    const candidates = refused.slice(0, candidateCountMax);
    this.#ctx.decide(refOf(set), {
      reason: "NodesLeftOut",
      text,
      candidates,
      candidateCount: refused.length,
    });
  }

  /** Upstream: manage, podsShouldBeOnNode. */
  *#manage(set: DaemonSet, byNode: PodsByNode, hash: string): Task<string | undefined> {
    const needing: string[] = [];
    const surplus: Pod[] = [];
    const known = new Set<string>();
    for (const node of this.#nodes.list()) {
      const { name } = node.metadata;
      known.add(name);
      const pods = byNode.get(name);
      const { shouldRun, mayStay } = placementOn(set, node);
      if (pods === undefined) {
        if (shouldRun) needing.push(name);
      } else if (mayStay) {
        const running = yield* this.#alive(set, name, pods, surplus);
        // With surge, a terminating pod does not delay its successor.
        if (running.length === 0 && shouldRun && allowsSurge(set)) needing.push(name);
        surplus.push(...this.#extraPods(set, running, hash));
      } else {
        surplus.push(...pods.filter((pod) => !isTerminating(pod)));
      }
    }
    for (const [node, pods] of byNode) {
      if (!known.has(node)) surplus.push(...pods.filter((pod) => pod.spec.nodeName === undefined));
    }
    return yield* this.#syncNodes(set, surplus, needing, hash);
  }

  /** Returns the node's pods that have not ended; adds the ended ones to `surplus`, failed ones with a back-off. */
  *#alive(
    set: DaemonSet,
    node: string,
    pods: readonly Pod[],
    surplus: Pod[],
  ): Task<readonly Pod[]> {
    const running: Pod[] = [];
    for (const pod of pods) {
      if (isTerminating(pod)) continue;
      const { namespace, name } = pod.metadata;
      if (pod.status?.phase === "Failed") {
        const delayMs = this.#backoff.next(set, node, this.#ctx.now);
        if (delayMs !== undefined) {
          this.#queue.addAfter(keyOf(set), delayMs);
          continue;
        }
        const text = `Found failed daemon pod ${namespace ?? ""}/${name} on node ${node}, will try to kill it`;
        yield* event(refOf(set), "Warning", "FailedDaemonPod", text);
        surplus.push(pod);
      } else if (pod.status?.phase === "Succeeded") {
        const text = `Found succeeded daemon pod ${namespace ?? ""}/${name} on node ${node}, will try to delete it`;
        yield* event(refOf(set), "Normal", "SucceededDaemonPod", text);
        surplus.push(pod);
      } else {
        running.push(pod);
      }
    }
    return running;
  }

  /** The pods beyond the oldest. With surge, one old pod stays until the new one is available, or the old one not ready. */
  #extraPods(set: DaemonSet, running: readonly Pod[], hash: string): readonly Pod[] {
    const oldestFirst = [...running].sort(byPlaceAndCreation);
    if (!allowsSurge(set)) return oldestFirst.slice(1);
    const isNew = (pod: Pod): boolean => pod.metadata.labels?.[hashLabel] === hash;
    const updated = oldestFirst.filter(isNew);
    const old = oldestFirst.filter((pod) => !isNew(pod));
    const [keptNew, keptOld] = [updated[0], old[0]];
    const duplicates = [...updated.slice(1), ...old.slice(1)];
    if (keptNew === undefined || keptOld === undefined) return duplicates;
    const isNewAvailable = isPodAvailable(keptNew, set.spec?.minReadySeconds ?? 0, this.#ctx.now);
    return isNewAvailable || !isPodReady(keptOld) ? [...duplicates, keptOld] : duplicates;
  }

  /** Upstream: syncNodes. */
  *#syncNodes(
    set: DaemonSet,
    surplus: readonly Pod[],
    needing: readonly string[],
    hash: string,
  ): Task<string | undefined> {
    const nodes = needing.slice(0, burstReplicas);
    const draft = (index: number): Draft<"Pod"> => daemonPod(set, nodes[index] ?? "", hash);
    const created = yield* this.#control.createPods(set, nodes.length, draft);
    const removed = yield* this.#control.deletePods(set, surplus.slice(0, burstReplicas));
    return (created.error ?? removed.error)?.message;
  }

  *#writeStatus(
    set: DaemonSet,
    hash: string,
    observedGeneration: number,
  ): Task<string | undefined> {
    const claimed = yield* this.#claimPods(set);
    if (!claimed.ok) return claimed.error;
    const byNode = groupByNode(claimed.pods);
    const status = daemonSetStatus({
      set,
      nodes: this.#nodes.list(),
      byNode,
      hash,
      observedGeneration,
      now: this.#ctx.now,
    });
    if (!deepEqual(set.status, status)) {
      const written = yield* updateStatus<"DaemonSet">({ ...set, status });
      if (!written.ok) return isNotFound(written.error) ? undefined : written.error.message;
    }
    const { minReadySeconds = 0 } = set.spec ?? {};
    // If the set is queued for an earlier time already, that one counts, and pods unavailable then wait once more.
    if (minReadySeconds > 0 && status.numberReady !== (status.numberAvailable ?? 0))
      this.#queue.addAfter(keyOf(set), minReadySeconds * 1000);
    if (minReadySeconds > 0 && allowsSurge(set)) this.#noteNextLook(set, byNode, hash);
    return undefined;
  }

  /**
   * Records when a node's second, new pod is next checked for availability. The status counts only the oldest pod of a node,
   * so the only sync scheduled for the second one is that from its becoming ready, and an earlier scheduled sync replaces it.
   * A pod that becomes ready or ends queues the set too.
   */
  #noteNextLook(set: DaemonSet, byNode: PodsByNode, hash: string): void {
    const { minReadySeconds = 0 } = set.spec ?? {};
    const waits = [...byNode.values()].some((pods) => {
      const alive = pods.filter((pod) => !isTerminating(pod));
      const isSecond = (pod: Pod): boolean =>
        isPodUpdated(set, pod, hash) &&
        isPodReady(pod) &&
        !isPodAvailable(pod, minReadySeconds, this.#ctx.now);
      return alive.length > 1 && alive.some(isSecond);
    });
    if (!waits) return;
    const due = this.#queue.plannedAt(keyOf(set));
    const pods = [...byNode.values()].flat();
    const isWoken = pods.some((pod) => isTerminating(pod) || !isPodReady(pod));
    const text =
      "the new pods have not been ready for minReadySeconds yet, and the controller has no other sync scheduled";
    if (due !== undefined) this.#ctx.decide(refOf(set), { reason: "LooksAgain", due });
    else if (isWoken) this.#ctx.decide(refOf(set), { reason: "LooksAgain" });
    else this.#ctx.decide(refOf(set), { reason: "LooksNoMore", text });
  }
}
