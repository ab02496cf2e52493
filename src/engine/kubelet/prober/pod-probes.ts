/** What a pod's status says of its containers by the probes that were made. Upstream: prober_manager.go UpdatePodStatus v1.36. */
import type { Container, Pod } from "../../api/types.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { Instant } from "../../trace/instant.ts";
import { keepsReadinessOverRestarts } from "../../version-differences.ts";
import type { ProbeType } from "./prober.ts";
import { type ProbeWorker, wasThereBefore } from "./worker.ts";

/** A container that runs. */
export interface ProbedContainer {
  readonly container: Container;
  readonly containerId: string;
  readonly startedAt: string;
  /** Was it said before, of this container or the one before it, that it has started? */
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

  /** Of a container that has started. Upstream: setReadyStateOnKubeletRestart for those that were there before their kubelet. */
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
