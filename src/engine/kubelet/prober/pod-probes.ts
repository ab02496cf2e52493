/**
 * Whether a pod's containers have started and are ready, according to their probes. Upstream: prober_manager.go UpdatePodStatus
 * v1.36.
 */
import type { Container, Pod } from "../../api/types.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { Instant } from "../../trace/instant.ts";
import { keepsReadinessOverRestarts } from "../../version-differences.ts";
import type { ProbeType } from "./prober.ts";
import { type ProbeWorker, wasThereBefore } from "./worker.ts";

/** A running container. */
export interface ProbedContainer {
  readonly container: Container;
  readonly containerId: string;
  readonly startedAt: string;
  /** True if the previous status had `started`, for this container or its predecessor. */
  readonly wasStarted: boolean;
}

export class PodProbes {
  readonly #pod: Pod;
  readonly #workers: readonly ProbeWorker[];
  readonly #kubeletStartedAt: Instant;
  readonly #keepsReadiness: boolean;

  constructor(
    pod: Pod,
    workers: readonly ProbeWorker[],
    kubeletStartedAt: Instant,
    version: KubernetesVersion,
  ) {
    this.#pod = pod;
    this.#workers = workers;
    this.#kubeletStartedAt = kubeletStartedAt;
    this.#keepsReadiness = keepsReadinessOverRestarts(version);
  }

  /** Upstream: isContainerStarted. */
  isStarted({ container, containerId, wasStarted }: ProbedContainer): boolean {
    const worker = this.#worker(container, "Startup");
    const result = worker?.result(containerId);
    if (result !== undefined) return result === "Success";
    return (this.#keepsReadiness && wasStarted) || worker === undefined;
  }

  /** For a container that has started. Containers older than their kubelet: upstream setReadyStateOnKubeletRestart. */
  isReady({ container, containerId, startedAt }: ProbedContainer): boolean {
    const worker = this.#worker(container, "Readiness");
    const result = worker?.result(containerId);
    if (result === "Success") return true;
    if (!this.#keepsReadiness || !wasThereBefore(this.#kubeletStartedAt, startedAt))
      return worker === undefined;
    const isKept = worker === undefined || result === undefined;
    return isKept && (container.readinessProbe === undefined || isPodReady(this.#pod));
  }

  #worker({ name }: Container, type: ProbeType): ProbeWorker | undefined {
    return this.#workers.find((worker) => worker.type === type && worker.container.name === name);
  }
}
