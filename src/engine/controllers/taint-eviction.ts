/**
 * Deletes pods that do not tolerate a NoExecute taint of their node, at once or when their tolerationSeconds end. Upstream:
 * kube-controller-manager v1.36, pkg/controller/tainteviction/taint_eviction.go. Not modeled: taints of devices.
 */
import { deepEqual } from "../api/json.ts";
import { type Key, type KubeObject, keyOf, makeRef, refOf } from "../api/meta.ts";
import { tolerates } from "../api/selection/tolerations.ts";
import { timestamp } from "../api/timestamp.ts";
import type { Taint, Toleration } from "../api/types.ts";
import { withDisruption } from "../matching/pod-condition.ts";
import type { CancelTimer, Component, ComponentContext } from "../runtime/component.ts";
import { event, isNotFound, sleep, type Task } from "../runtime/effects.ts";
import type { Informer } from "../runtime/informer.ts";
import type { Instant } from "../trace/instant.ts";
import { forgetsEvictedPods } from "../version-differences.ts";
import { markAndDelete } from "./workload/marked-deletion.ts";
import { indexPodsByNode, podsOnNode } from "./workload/pods-by-node.ts";

type Pod = KubeObject<"Pod">;
type Node = KubeObject<"Node">;

export const taintEvictionController: Component = {
  name: "taint-eviction-controller",
  source: "taint-eviction-controller",
  start: (ctx) => new TaintEviction(ctx).run(),
};

interface Eviction {
  /** Absent if the eviction starts at once or has started: it can no longer be cancelled, and prevents a second one. */
  readonly cancel?: CancelTimer;
}

/** How often a failing deletion is tried; after that, only a change of taints or tolerations evicts the pod. */
const retryCount = 5;

class TaintEviction {
  readonly #ctx: ComponentContext;
  readonly #nodes: Informer<"Node">;
  readonly #pods: Informer<"Pod">;
  readonly #evictions = new Map<Key, Eviction>();

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#nodes = ctx.informer("Node");
    this.#pods = ctx.informer("Pod");
  }

  run(): void {
    indexPodsByNode(this.#pods);
    this.#nodes.on({
      add: (node) => this.#nodeChanged(undefined, node),
      update: (before, node) => this.#nodeChanged(before, node),
    });
    this.#pods.on({
      add: (pod) => this.#podChanged(pod),
      update: (before, pod) => {
        const isSame =
          before.spec.nodeName === pod.spec.nodeName &&
          deepEqual(before.spec.tolerations, pod.spec.tolerations);
        if (!isSame) this.#podChanged(pod);
      },
      delete: (pod) => this.#cancel(pod),
    });
  }

  #nodeChanged(before: Node | undefined, node: Node): void {
    if (before !== undefined && deepEqual(noExecuteTaints(before), noExecuteTaints(node))) return;
    for (const pod of podsOnNode(this.#pods, node.metadata.name)) this.#consider(pod, node);
  }

  #podChanged(pod: Pod): void {
    const node = this.#nodes.get(pod.spec.nodeName ?? "");
    if (node !== undefined && noExecuteTaints(node).length > 0) this.#consider(pod, node);
  }

  /** Upstream: processPodOnNode. */
  #consider(pod: Pod, node: Node): void {
    const taints = noExecuteTaints(node);
    if (taints.length === 0) {
      this.#cancel(pod);
      return;
    }
    const used = usedTolerations(taints, pod.spec.tolerations ?? []);
    if (used === undefined) {
      this.#cancel(pod);
      this.#schedule(pod, 0);
      return;
    }
    const patienceMs = minPatienceMs(used);
    if (patienceMs === undefined) {
      this.#cancel(pod);
      return;
    }
    // A pod that is already waiting keeps its time when another taint comes. Upstream restarts the wait if both checks are at
    // the same instant, which never happens.
    if (this.#evictions.get(keyOf(pod))?.cancel === undefined) this.#schedule(pod, patienceMs);
  }

  #schedule(pod: Pod, delayMs: number): void {
    const key = keyOf(pod);
    if (this.#evictions.has(key)) return;
    const node = makeRef("Node", undefined, pod.spec.nodeName ?? "");
    const text =
      delayMs === 0
        ? "the pod is deleted at once because of a NoExecute taint of its node"
        : `the pod tolerates a NoExecute taint of its node for ${delayMs / 1000} s and is then deleted`;
    const due = this.#ctx.now + delayMs;
    this.#ctx.decide(refOf(pod), { reason: "TaintManagerEviction", because: [node], text, due });
    const cancel = this.#ctx.after(delayMs, () => {
      this.#evictions.set(key, {});
      const eviction = { isDone: false };
      this.#ctx.go(
        evict(pod, eviction, () => this.#ctx.now),
        () => this.#ended(key, eviction.isDone),
      );
    });
    this.#evictions.set(key, delayMs === 0 ? {} : { cancel });
  }

  /** Upstream: getWrappedWorkerFunc of timed_workers.go. */
  #ended(key: Key, isDone: boolean): void {
    if (!isDone || forgetsEvictedPods(this.#ctx.version)) this.#evictions.delete(key);
  }

  /** Cancels a planned eviction, also when the pod is gone. Upstream: cancelWorkWithEvent, CancelWork. */
  #cancel(pod: Pod): void {
    const key = keyOf(pod);
    const planned = this.#evictions.get(key);
    this.#evictions.delete(key);
    if (planned?.cancel === undefined) return;
    planned.cancel();
    this.#ctx.go(
      event(refOf(pod), "Normal", "TaintManagerEviction", `Cancelling deletion of Pod ${key}`),
    );
  }
}

function noExecuteTaints(node: Node): readonly Taint[] {
  return (node.spec?.taints ?? []).filter((taint) => taint.effect === "NoExecute");
}

/** Returns the tolerations of all taints; undefined if one taint is not tolerated. Upstream: GetMatchingTolerations. */
function usedTolerations(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): readonly Toleration[] | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const bearing = tolerations.find((toleration) => tolerates(toleration, taint));
    if (bearing === undefined) return undefined;
    used.push(bearing);
  }
  return used;
}

/** Returns the smallest tolerationSeconds; undefined if all tolerate forever. Upstream: getMinTolerationTime. */
function minPatienceMs(used: readonly Toleration[]): number | undefined {
  const seconds = used
    .map((toleration) => toleration.tolerationSeconds)
    .filter((s) => s !== undefined);
  return seconds.length === 0 ? undefined : Math.max(0, Math.min(...seconds)) * 1000;
}

/** Upstream: deletePodHandler. */
function* evict(pod: Pod, eviction: { isDone: boolean }, now: () => Instant): Task {
  yield* event(
    refOf(pod),
    "Normal",
    "TaintManagerEviction",
    `Marking for deletion Pod ${keyOf(pod)}`,
  );
  for (let attempt = 0; attempt < retryCount; attempt++) {
    const at = timestamp(now());
    const removed = yield* markAndDelete(pod, (current) =>
      withDisruption(
        current,
        "DeletionByTaintManager",
        "Taint manager: deleting due to NoExecute taint",
        at,
      ),
    );
    eviction.isDone = removed.ok;
    if (removed.ok || isNotFound(removed.error)) return;
    yield* sleep(10);
  }
}
