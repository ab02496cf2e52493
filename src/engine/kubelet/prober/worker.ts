/**
 * Probes one container in one way, period after period, until that cannot change anything any more. Upstream:
 * pkg/kubelet/prober/worker.go, results/results_manager.go v1.36. Not modelled: probes that fail, and what they bring about.
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

/** Success or not of a probe: until the first one for a new container `Failure` of its readiness, `Unknown` of its start. */
export type ProbeResult = "Success" | "Failure" | "Unknown";

export interface ProbeHost {
  readonly context: ComponentContext;
  /** When the kubelet was started; long ago where it was before the simulation. */
  readonly startedAt: Instant;
  /** As the kubelet told it last. */
  readonly statusOf: (podUid: string) => PodStatus | undefined;
  /** Hears of each result that is another one than before. */
  readonly updated: (worker: ProbeWorker, containerId: string, result: ProbeResult) => void;
  /** Hears when a probe is made next, or made no more. */
  readonly planned: (worker: ProbeWorker) => void;
}

/** How long before the kubelet's start a container has to have been there to be told from one that came after it. */
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
  /** What is known is known of this container; another one of its name begins anew. */
  #containerId = "";
  #result: ProbeResult | undefined;
  #successes = 0;
  /** Nothing is probed until there is a new container. */
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

  /** Its pod ran before the simulation: what is told of the container holds until there is a new one. */
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

  /** By when the probe has succeeded; undefined where it waits for something else first, or never does. */
  get due(): Instant | undefined {
    if (this.#error !== undefined) return undefined;
    const first = this.#firstAsked();
    return first && first + Math.max(0, this.#threshold - this.#successes - 1) * this.#periodMs;
  }

  /** When something is told of the container next: the first time that a probe cannot be made, too. */
  get newsAt(): Instant | undefined {
    return this.#error === undefined ? this.due : this.#hasErred ? undefined : this.#firstAsked();
  }

  #firstAsked(): Instant | undefined {
    const status = this.#status();
    if (status === undefined || this.#isDone(status)) return undefined;
    if (!this.#isItsTurn(status) || (this.type === "Readiness" && status.ready)) return undefined;
    return this.#tick(Math.max(this.#host.context.now, this.#delayedUntil(status)));
  }

  /** By when it has where it is first made then, or once its delay is over. */
  dueAfter(at: Instant): Instant | undefined {
    const status = this.#status();
    if (status === undefined || this.#error !== undefined) return undefined;
    const delayedUntil = this.#delayedUntil(status);
    const first = at >= delayedUntil ? at : delayedUntil + this.#periodMs;
    return first + (this.#threshold - 1) * this.#periodMs;
  }

  /** What is waited for. */
  get words(): string {
    const { initialDelaySeconds = 0 } = this.#probe;
    const from = initialDelaySeconds > 0 ? ` from ${initialDelaySeconds} s after its start on` : "";
    return `its ${this.type.toLowerCase()} probe, made every ${this.#periodMs / 1000} s${from}`;
  }

  get #threshold(): number {
    return this.#probe.successThreshold ?? 1;
  }

  /** The container's status is told anew; one that has started and is not ready yet is probed at once. Upstream: UpdatePodStatus. */
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

  /** The container's, while it runs. */
  #status(): ContainerStatus | undefined {
    const { containerStatuses = [], initContainerStatuses = [] } =
      this.#host.statusOf(this.pod.metadata.uid) ?? {};
    return [...containerStatuses, ...initContainerStatuses].find(
      ({ name, state }) => name === this.container.name && state?.running !== undefined,
    );
  }

  /** What is found once its container runs is found at ticks. */
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

  /** Until a container has started it is asked for nothing else. */
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

  /** After a restart of the kubelet what was said of a container holds. */
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

/** Was the container there before its kubelet, which has been started anew since? Upstream: kubeletRestartGracePeriod. */
export function wasThereBefore(kubeletStartedAt: Instant, startedAt: string | undefined): boolean {
  return instantOf(startedAt ?? "") < kubeletStartedAt - restartGraceMs;
}
