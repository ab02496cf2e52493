/**
 * When the kubelet learns that a container has started or ended: it lists all containers once a second (relist). Upstream:
 * pkg/kubelet/pleg/generic.go v1.36.
 */
import { type ContainerRuntime, nextExit } from "../node/container-runtime.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { latency } from "../runtime/latency.ts";
import type { Instant } from "../trace/instant.ts";
import type { PodWorker } from "./pod-worker.ts";

export const relistMs = 1000;

export class PodLifecycle {
  readonly #context: ComponentContext;
  readonly #containers: ContainerRuntime;
  readonly #startedAt: Instant;
  readonly #noticed: (worker: PodWorker) => void;

  constructor(
    context: ComponentContext,
    containers: ContainerRuntime,
    noticed: (worker: PodWorker) => void,
  ) {
    this.#context = context;
    this.#containers = containers;
    this.#startedAt = context.now;
    this.#noticed = noticed;
  }

  /**
   * Checks the pod at the first relist after `at`, or on its own without waiting for one.
   * Upstream: Relist, relistPod.
   */
  relist(worker: PodWorker, at: Instant, isAtOnce = false): void {
    worker.cancelRelist?.();
    const delayMs = isAtOnce ? latency.readMs : this.nextRelist(at) - this.#context.now;
    worker.cancelRelist = this.#context.after(delayMs, () => {
      worker.cancelRelist = undefined;
      this.#noticed(worker);
    });
  }

  /** The first relist after `at`. */
  nextRelist(at: Instant): Instant {
    return this.#startedAt + relistMs * (Math.floor((at - this.#startedAt) / relistMs) + 1);
  }

  /** Checks the pod when the next of its containers has ended, unless a check is due already. */
  watchExits(worker: PodWorker): void {
    if (worker.cancelRelist !== undefined) return;
    const sandbox = this.#containers.sandbox(worker.pod.metadata.uid);
    const next = sandbox === undefined ? undefined : nextExit(sandbox, this.#context.now);
    if (next !== undefined) this.relist(worker, next);
  }
}
