/**
 * Runs one probe of a container, period after period, until it cannot change anything any more. Upstream:
 * pkg/kubelet/prober/worker.go, results/results_manager.go v1.36. Not modeled: failing probes and their consequences.
 */
import { refOf } from "../../api/meta.ts";
import { instantOf } from "../../api/timestamp.ts";
import type { Container, ContainerStatus, Pod, PodStatus, Probe } from "../../api/types.ts";
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import { containerEvent } from "../../runtime/effects.ts";
import { latency } from "../../runtime/latency.ts";
import type { Instant } from "../../trace/instant.ts";
import { keepsReadinessOverRestarts } from "../../version-differences.ts";
import { erroredText, type ProbeType, probeError } from "./prober.ts";

/** The result of a probe. Before the first probe of a new container it is `Failure` for readiness and `Unknown` for startup. */
export type ProbeResult = "Success" | "Failure" | "Unknown";

export interface ProbeHost {
  readonly context: ComponentContext;
  /** When the kubelet was started; -Infinity if before the simulation. */
  readonly startedAt: Instant;
  /** The pod's status as the kubelet last set it. */
  readonly statusOf: (podUid: string) => PodStatus | undefined;
  /** Called with each result that differs from the one before. */
  readonly updated: (worker: ProbeWorker, containerId: string, result: ProbeResult) => void;
  /** Called when the next probe is scheduled, or none any more. */
  readonly planned: (worker: ProbeWorker) => void;
}

/** How much older than its kubelet a container has to be to count as from before the restart. */
const restartGraceMs = 10_000;

export class ProbeWorker {
  readonly pod: Pod;
  readonly container: Container;
  readonly type: ProbeType;
  readonly #host: ProbeHost;
  readonly #probe: Probe;
  readonly #periodMs: number;
  readonly #error: string | undefined;
  #tickFrom: Instant;
  /** The container that the results are about; a new container starts from scratch. */
  #containerId = "";
  #result: ProbeResult | undefined;
  #successes = 0;
  /** True if probing pauses until there is a new container. */
  #onHold = false;
  #hasErred = false;
  #hasEnded = false;
  #cancel: CancelTimer | undefined;

  constructor(host: ProbeHost, pod: Pod, container: Container, type: ProbeType, probe: Probe) {
    this.#host = host;
    this.pod = pod;
    this.container = container;
    this.type = type;
    this.#probe = probe;
    this.#periodMs = 1000 * (probe.periodSeconds ?? 10);
    this.#error = probeError(container, probe);
    const { now } = host.context;
    const isKubeletNew = this.#periodMs > now - host.startedAt;
    const waitMs = isKubeletNew ? Math.round(this.#periodMs * host.context.fraction()) : 0;
    this.#tickFrom = now + waitMs;
    this.#plan(now);
  }

  /** For a pod that ran before the simulation: its container's status holds until there is a new container. */
  adopt(): void {
    this.#tickFrom -= Math.round(this.#periodMs * this.#host.context.fraction());
    this.#containerId = this.#status()?.containerID ?? "";
    this.#onHold = true;
    this.#plan(this.#host.context.now);
  }

  stop(): void {
    this.#hasEnded = true;
    this.#cancel?.();
  }

  result(containerId: string): ProbeResult | undefined {
    return containerId === this.#containerId ? this.#result : undefined;
  }

  /** By when the probe will have succeeded; undefined if it waits for something else first, or never succeeds. */
  get due(): Instant | undefined {
    if (this.#error !== undefined) return undefined;
    const first = this.#firstAsked();
    return first && first + Math.max(0, this.#threshold - this.#successes - 1) * this.#periodMs;
  }

  /** When the probe next leads to a report; for one that cannot be made this is its first error. */
  get newsAt(): Instant | undefined {
    return this.#error === undefined ? this.due : this.#hasErred ? undefined : this.#firstAsked();
  }

  #firstAsked(): Instant | undefined {
    const status = this.#status();
    if (status === undefined || this.#isDone(status)) return undefined;
    if (!this.#isItsTurn(status) || (this.type === "Readiness" && status.ready)) return undefined;
    return this.#tick(Math.max(this.#host.context.now, this.#delayedUntil(status)));
  }

  /** By when the probe will have succeeded if it is first made at `at`, or once its initial delay is over. */
  dueAfter(at: Instant): Instant | undefined {
    const status = this.#status();
    if (status === undefined || this.#error !== undefined) return undefined;
    const delayedUntil = this.#delayedUntil(status);
    const first = at >= delayedUntil ? at : delayedUntil + this.#periodMs;
    return first + (this.#threshold - 1) * this.#periodMs;
  }

  /** Describes the probe that is waited for. */
  get words(): string {
    const { initialDelaySeconds = 0 } = this.#probe;
    const from =
      initialDelaySeconds > 0 ? ` from ${initialDelaySeconds} s after the container's start` : "";
    return `its ${this.type.toLowerCase()} probe (every ${this.#periodMs / 1000} s${from})`;
  }

  get #threshold(): number {
    return this.#probe.successThreshold ?? 1;
  }

  /**
   * Call after the pod's status was set. A container that has started and is not ready yet is probed at once. Upstream:
   * UpdatePodStatus.
   */
  statusTold(): void {
    const { now } = this.#host.context;
    const status = this.#status();
    const isTriggered =
      this.type === "Readiness" &&
      status?.started === true &&
      this.result(status.containerID ?? "") !== "Success" &&
      now >= this.#tickFrom;
    if (!isTriggered) {
      this.#plan(now + 1);
      return;
    }
    this.#tickFrom = now;
    this.#doProbe();
  }

  /** The container's status while it runs; else undefined. */
  #status(): ContainerStatus | undefined {
    const { containerStatuses = [], initContainerStatuses = [] } =
      this.#host.statusOf(this.pod.metadata.uid) ?? {};
    return [...containerStatuses, ...initContainerStatuses].find(
      ({ name, state }) => name === this.container.name && state?.running !== undefined,
    );
  }

  /** Schedules the next probe, at a tick; none if there is nothing to find out. */
  #plan(from: Instant): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { context, planned } = this.#host;
    const at = this.#nextProbe(from);
    if (at !== undefined) this.#cancel = context.after(at - context.now, () => this.#doProbe());
    planned(this);
  }

  #nextProbe(from: Instant): Instant | undefined {
    const status = this.#status();
    if (status === undefined || this.#isDone(status)) return undefined;
    if (status.containerID !== this.#containerId) return this.#tick(from);
    if (!this.#isItsTurn(status)) return undefined;
    return this.#tick(Math.max(from, this.#delayedUntil(status)));
  }

  #tick(from: Instant): Instant {
    const count = Math.ceil((from - this.#tickFrom) / this.#periodMs);
    return this.#tickFrom + Math.max(0, count) * this.#periodMs;
  }

  #isDone({ containerID }: ContainerStatus): boolean {
    const isKnown = containerID === this.#containerId;
    return this.#hasEnded || (isKnown && (this.#onHold || this.#result === "Success"));
  }

  #delayedUntil({ state }: ContainerStatus): Instant {
    return (
      instantOf(state?.running?.startedAt ?? "") + 1000 * (this.#probe.initialDelaySeconds ?? 0)
    );
  }

  /** Until a container has started, only its startup probe is made; after that, only the others. */
  #isItsTurn({ started }: ContainerStatus): boolean {
    return (this.type === "Startup") !== (started === true);
  }

  #doProbe(): void {
    const { context } = this.#host;
    const status = this.#status();
    if (status !== undefined) {
      this.#meet(status);
      if (!this.#onHold && this.#isItsTurn(status) && this.#delayedUntil(status) <= context.now)
        this.#ask();
    }
    this.#plan(context.now + 1);
  }

  /** Takes note of a new container. After a kubelet restart, the previous status of an older container holds. */
  #meet({ containerID = "", state }: ContainerStatus): void {
    if (containerID === this.#containerId) return;
    this.#containerId = containerID;
    this.#result = undefined;
    this.#onHold = false;
    const wasThere = wasThereBefore(this.#host.startedAt, state?.running?.startedAt);
    const isNew = !keepsReadinessOverRestarts(this.#host.context.version) || !wasThere;
    if (isNew && this.type !== "Liveness")
      this.#set(this.type === "Startup" ? "Unknown" : "Failure");
  }

  #ask(): void {
    const { context } = this.#host;
    if (this.#error !== undefined) {
      this.#hasErred = true;
      const text = erroredText(this.type, this.#error, context.version);
      const about = refOf(this.pod);
      context.go(containerEvent(about, this.container.name, "Warning", "Unhealthy", text));
      return;
    }
    const asked = this.#containerId;
    context.after(latency.probeMs, () => {
      if (!this.#hasEnded && asked === this.#status()?.containerID) this.#succeed();
    });
  }

  #succeed(): void {
    this.#successes++;
    if (this.#successes < this.#threshold) return;
    this.#onHold = this.type === "Startup";
    this.#set("Success");
    this.#plan(this.#host.context.now + 1);
  }

  #set(result: ProbeResult): void {
    if (this.#result === result) return;
    this.#result = result;
    this.#host.updated(this, this.#containerId, result);
  }
}

/** True if the container was there before its kubelet, which has been restarted since. Upstream: kubeletRestartGracePeriod. */
export function wasThereBefore(kubeletStartedAt: Instant, startedAt: string | undefined): boolean {
  return instantOf(startedAt ?? "") < kubeletStartedAt - restartGraceMs;
}
