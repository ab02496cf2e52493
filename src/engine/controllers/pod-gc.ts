/**
 * Removes pods that no kubelet will ever terminate: those on deleted nodes, and terminating ones that have no node or whose
 * node is out of service. Upstream: kube-controller-manager v1.36, pkg/controller/podgc/gc_controller.go. Upstream checks every
 * 20 s; here the next check is planned only while there may be something to find. Not modeled: the limit of 12,500 ended pods.
 */
import type { KubeObject } from "../api/meta.ts";
import { timestamp } from "../api/timestamp.ts";
import { isNodeReady, isOutOfService } from "../matching/node-state.ts";
import { withDisruption } from "../matching/pod-condition.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { getLive, isNotFound, remove, type Task } from "../runtime/effects.ts";
import type { Informer } from "../runtime/informer.ts";
import { untilNextLook } from "../runtime/periodic-look.ts";
import type { Instant } from "../trace/instant.ts";
import { markAndDelete } from "./workload/marked-deletion.ts";
import { isTerminating } from "./workload/pod-status.ts";
import { indexPodsByNode, podsOnNode } from "./workload/pods-by-node.ts";

type Pod = KubeObject<"Pod">;
type Node = KubeObject<"Node">;

/** Upstream: gcCheckPeriod and quarantineTime. */
const checkMs = 20_000;
const quarantineMs = 40_000;

export const podGarbageCollector: Component = {
  name: "pod-garbage-collector-controller",
  source: "pod-garbage-collector-controller",
  start: (ctx) => new PodGarbageCollector(ctx).run(),
};

class PodGarbageCollector {
  readonly #ctx: ComponentContext;
  readonly #nodes: Informer<"Node">;
  readonly #pods: Informer<"Pod">;
  /** Unknown nodes that pods name, with the end of their quarantine; undefined until the first check. */
  readonly #missing = new Map<string, Instant | undefined>();
  readonly #outOfService = new Set<string>();
  readonly #unscheduled = new Map<string, Pod>();
  #isPlanned = false;
  #lookedAt: Instant | undefined;

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#nodes = ctx.informer("Node");
    this.#pods = ctx.informer("Pod");
  }

  run(): void {
    indexPodsByNode(this.#pods);
    this.#nodes.on({
      add: (node) => this.#nodeChanged(node),
      update: (_, node) => this.#nodeChanged(node),
      delete: (node) => this.#nodeGone(node.metadata.name),
    });
    this.#pods.on({
      add: (pod) => this.#podChanged(pod),
      update: (_, pod) => this.#podChanged(pod),
      delete: (pod) => this.#unscheduled.delete(pod.metadata.uid),
    });
  }

  #nodeChanged(node: Node): void {
    const { name } = node.metadata;
    this.#missing.delete(name);
    if (!isNodeReady(node) && isOutOfService(node)) {
      this.#outOfService.add(name);
      this.#plan();
    } else {
      this.#outOfService.delete(name);
    }
  }

  #nodeGone(name: string): void {
    this.#outOfService.delete(name);
    if (podsOnNode(this.#pods, name).length > 0) this.#miss(name);
  }

  #podChanged(pod: Pod): void {
    const node = pod.spec.nodeName;
    if (node === undefined) {
      if (!isTerminating(pod)) return;
      this.#unscheduled.set(pod.metadata.uid, pod);
      this.#plan();
    } else if (this.#nodes.get(node) === undefined) {
      this.#miss(node);
    } else if (isTerminating(pod) && this.#outOfService.has(node)) {
      this.#plan();
    }
  }

  #miss(node: string): void {
    if (!this.#missing.has(node)) this.#missing.set(node, undefined);
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#ctx.after(untilNextLook(checkMs, this.#lookedAt, this.#ctx.now), () => {
      this.#isPlanned = false;
      this.#lookedAt = this.#ctx.now;
      this.#ctx.go(this.#collect());
    });
  }

  /** Removes what it can; pods that could not be removed are left for another check. */
  *#collect(): Task {
    let isLeft = false;
    for (const name of this.#outOfService) {
      for (const pod of podsOnNode(this.#pods, name))
        if (isTerminating(pod) && !(yield* this.#end(pod))) isLeft = true;
    }
    for (const [name, until] of [...this.#missing]) {
      const again = this.#ctx.now + quarantineMs;
      if (until === undefined) {
        this.#missing.set(name, again);
      } else if (until <= this.#ctx.now) {
        this.#missing.delete(name);
        if (!(yield* this.#collectOrphans(name))) this.#missing.set(name, again);
      }
    }
    for (const pod of [...this.#unscheduled.values()])
      if (yield* this.#end(pod)) this.#unscheduled.delete(pod.metadata.uid);
    if (isLeft || this.#missing.size > 0 || this.#unscheduled.size > 0) this.#plan();
  }

  /**
   * Returns false if a pod is left: as long as pods name a missing node, upstream puts it into quarantine again. Asks the API
   * server for the node once more. Upstream: gcOrphaned, discoverDeletedNodes.
   */
  *#collectOrphans(name: string): Task<boolean> {
    const live = yield* getLive("Node", undefined, name);
    if (live.ok || !isNotFound(live.error)) return live.ok;
    let isDone = true;
    for (const pod of podsOnNode(this.#pods, name))
      if (!(yield* this.#end(pod, "PodGC: node no longer exists"))) isDone = false;
    return isDone;
  }

  /**
   * Marks the pod as failed, because nobody else will, and deletes it. Returns true if it is gone. Upstream:
   * markFailedAndDeletePodWithCondition.
   */
  *#end(pod: Pod, message?: string): Task<boolean> {
    const { namespace, name } = pod.metadata;
    const at = timestamp(this.#ctx.now);
    const force = { gracePeriodSeconds: 0 };
    const removed = isPodEnded(pod)
      ? yield* remove("Pod", namespace, name, force)
      : yield* markAndDelete(pod, (current) => failed(current, at, message), force);
    return removed.ok || isNotFound(removed.error);
  }
}

function failed(pod: Pod, at: string, message: string | undefined): Pod {
  const marked = message === undefined ? pod : withDisruption(pod, "DeletionByPodGC", message, at);
  return { ...marked, status: { ...marked.status, phase: "Failed" } };
}
