/**
 * The probes of a node's pods. Upstream: pkg/kubelet/prober/prober_manager.go v1.36. Liveness probes are assumed to succeed,
 * which changes nothing, so only those that cannot be made have a worker.
 */
import { push } from "../../api/go/multi-map.ts";
import { refOf } from "../../api/meta.ts";
import { containersAtCreation } from "../../api/pod-containers.ts";
import type { Container, Pod } from "../../api/types.ts";
import type { Instant } from "../../trace/instant.ts";
import { relistMs } from "../pod-lifecycle.ts";
import type { VolumeHost } from "../volumes/plugin.ts";
import { PodProbes } from "./pod-probes.ts";
import { probeError } from "./prober.ts";
import { type ProbeHost, ProbeWorker } from "./worker.ts";

export class ProberManager {
  readonly #kubelet: VolumeHost;
  readonly #host: ProbeHost;
  /** By pod uid; only pods with probes. */
  readonly #workers = new Map<string, readonly ProbeWorker[]>();

  constructor(kubelet: VolumeHost, host: Omit<ProbeHost, "context" | "planned">) {
    this.#kubelet = kubelet;
    this.#host = {
      ...host,
      context: kubelet.context,
      planned: ({ pod }) => this.#tellWait(pod),
    };
  }

  /** Returns true if the pod has probes that were not known before. `isAdopted`: its containers ran before the simulation. */
  addPod(pod: Pod, isAdopted: boolean): boolean {
    const { uid } = pod.metadata;
    if (this.#workers.has(uid) || !isProbed(pod)) return false;
    const workers = containersAtCreation(pod.spec).flatMap((container) =>
      this.#newWorkers(pod, container),
    );
    if (isAdopted) for (const worker of workers) worker.adopt();
    this.#workers.set(uid, workers);
    this.#tellWait(pod);
    return true;
  }

  #newWorkers(pod: Pod, container: Container): readonly ProbeWorker[] {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    const host = this.#host;
    const workers: ProbeWorker[] = [];
    if (startupProbe !== undefined)
      workers.push(new ProbeWorker(host, pod, container, "Startup", startupProbe));
    if (readinessProbe !== undefined)
      workers.push(new ProbeWorker(host, pod, container, "Readiness", readinessProbe));
    if (livenessProbe !== undefined && probeError(container, livenessProbe) !== undefined)
      workers.push(new ProbeWorker(host, pod, container, "Liveness", livenessProbe));
    return workers;
  }

  /** Undefined if the pod has no probes. */
  probesOf(pod: Pod): PodProbes | undefined {
    const { startedAt, context } = this.#host;
    const workers = this.#workers.get(pod.metadata.uid);
    // A restarted kubelet makes statuses before it has probe workers.
    return workers !== undefined || isProbed(pod)
      ? new PodProbes(pod, workers ?? [], startedAt, context.version)
      : undefined;
  }

  /** Call after the pod's status was set. */
  statusTold({ metadata: { uid } }: Pod): void {
    for (const worker of this.#workers.get(uid) ?? []) worker.statusTold();
  }

  /** True if a readiness probe is due, which each sync makes again. */
  isWaiting(podUid: string): boolean {
    return (this.#workers.get(podUid) ?? []).some(({ type, due }) => type === "Readiness" && due);
  }

  /** Call when the pod begins to stop. */
  stopLivenessAndStartup({ metadata: { uid } }: Pod): void {
    const workers = this.#workers.get(uid);
    if (workers === undefined) return;
    for (const worker of workers) if (worker.type !== "Readiness") worker.stop();
    this.#workers.set(
      uid,
      workers.filter(({ type }) => type === "Readiness"),
    );
  }

  /** Call once the pod's containers have stopped. */
  removePod(pod: Pod): void {
    const { uid } = pod.metadata;
    for (const worker of this.#workers.get(uid) ?? []) worker.stop();
    this.#workers.delete(uid);
    this.#noteProbedAt(uid, undefined);
  }

  /** Records in the trace why the pod is not ready yet, and by when it will be. */
  #tellWait(pod: Pod): void {
    const workers = this.#workers.get(pod.metadata.uid);
    if (workers === undefined) return;
    const { context } = this.#host;
    const news = workers.flatMap(({ newsAt }) => newsAt ?? []);
    this.#noteProbedAt(pod.metadata.uid, news.length === 0 ? undefined : Math.min(...news));
    const waits = workers.flatMap((worker) => this.#waitOf(worker, workers));
    const due = Math.max(...waits.map((wait) => wait.due));
    if (due <= context.now) return;
    context.decide(refOf(pod), { reason: "WaitsForProbe", text: waitText(waits), due });
  }

  /** A readiness probe that waits for a startup probe is made as soon as the kubelet has noticed the latter's success. */
  #waitOf(worker: ProbeWorker, all: readonly ProbeWorker[]): readonly Wait[] {
    const { container, type } = worker;
    const startup = all.find((one) => one.type === "Startup" && one.container === container);
    const startedAt = type === "Readiness" ? startup?.due : undefined;
    const due = worker.due ?? (startedAt && worker.dueAfter(startedAt + relistMs));
    return due === undefined ? [] : [{ container: container.name, probe: worker.words, due }];
  }

  #noteProbedAt(podUid: string, at: Instant | undefined): void {
    const sandbox = this.#kubelet.machine.containers.sandbox(podUid);
    if (sandbox !== undefined) sandbox.probedAt = at;
  }
}

interface Wait {
  readonly container: string;
  readonly probe: string;
  readonly due: Instant;
}

function waitText(waits: readonly Wait[]): string {
  const probes = new Map<string, string[]>();
  for (const { container, probe } of waits) push(probes, container, probe);
  const texts = [...probes].map(
    ([container, all]) => `container "${container}" must pass ${all.join(" and ")}`,
  );
  return `${texts.join("; ")}; probes are assumed to succeed`;
}

function isProbed({ spec }: Pod): boolean {
  return containersAtCreation(spec).some(
    (c) => (c.startupProbe ?? c.readinessProbe ?? c.livenessProbe) !== undefined,
  );
}
