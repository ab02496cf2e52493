/**
 * The container runtime of a machine: which pods have a sandbox and what became of their containers. It goes on while the
 * kubelet is down. Upstream: what a kubelet sees through the CRI. Not modelled: images, sandbox networks, logs.
 */
import { containersAtCreation } from "../api/pod-containers.ts";
import type { ContainerStatus, Pod } from "../api/types.ts";
import type { Instant } from "../trace/instant.ts";
import { type PlannedExit, plannedExit } from "./planned-exit.ts";

export interface ContainerRecord {
  readonly name: string;
  readonly image: string;
  readonly id: string;
  readonly isInit: boolean;
  /** 0 for the first start of this container in its pod. */
  readonly restartCount: number;
  readonly startedAt: Instant;
  /** When it ends or ended; never where absent. */
  finishesAt?: Instant;
  exitCode: number;
  /** Nothing of it is left, so that the pod's containers start anew. */
  isRemoved?: true;
}

export interface PodSandbox {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  ip: string;
  ready: boolean;
  /** When its kubelet next makes a probe of which news is expected. */
  probedAt?: Instant | undefined;
  /** Every container that was started, oldest first. */
  readonly containers: ContainerRecord[];
}

/** What was last told of a pod's containers when the simulation began, by name; it holds for as long as nothing happens to them. */
export type ReportedStatuses = ReadonlyMap<string, ContainerStatus>;

export interface NewContainer {
  readonly name: string;
  readonly image: string;
  readonly isInit: boolean;
  readonly exit: PlannedExit | undefined;
}

/** 128 and the number of SIGTERM, or of SIGKILL, as runtimes report it. */
const terminatedCode = 143;
const killedCode = 137;

export class ContainerRuntime {
  readonly #sandboxes = new Map<string, PodSandbox>();
  readonly #reported = new Map<string, ReportedStatuses>();
  readonly #nodeIndex: number;
  readonly #isRecorder: boolean;
  #addressCount = 0;

  /** The `nodeIndex`-th of the cluster's nodes; `isRecorder` where it runs no programs, as that of the recordings. */
  constructor(nodeIndex: number, isRecorder: boolean) {
    this.#nodeIndex = nodeIndex;
    this.#isRecorder = isRecorder;
  }

  sandbox(podUid: string): PodSandbox | undefined {
    return this.#sandboxes.get(podUid);
  }

  /** Undefined for pods that the simulation has brought. */
  reported(podUid: string): ReportedStatuses | undefined {
    return this.#reported.get(podUid);
  }

  get sandboxes(): readonly PodSandbox[] {
    return [...this.#sandboxes.values()];
  }

  makeSandbox(pod: Pick<PodSandbox, "uid" | "namespace" | "name">): PodSandbox {
    const { uid, namespace, name } = pod;
    const ip = this.#nextAddress();
    const sandbox: PodSandbox = { uid, namespace, name, ip, ready: true, containers: [] };
    this.#sandboxes.set(pod.uid, sandbox);
    return sandbox;
  }

  /** As kubeadm parts its usual network: 254 addresses for each node, the first for the node itself. They are used in turn. */
  #nextAddress(): string {
    const node = this.#nodeIndex;
    const host = 2 + (this.#addressCount++ % 253);
    return `10.${(244 + (node >> 8)) & 255}.${node & 255}.${host}`;
  }

  start(sandbox: PodSandbox, container: NewContainer, now: Instant): ContainerRecord {
    const restartCount = (latestRun(sandbox, container.name)?.restartCount ?? -1) + 1;
    const record: ContainerRecord = {
      name: container.name,
      image: container.image,
      id: `${sandbox.uid}/${container.name}/${restartCount}`,
      isInit: container.isInit,
      restartCount,
      startedAt: now,
      exitCode: container.exit?.code ?? 0,
      ...(container.exit !== undefined && { finishesAt: now + container.exit.afterMs }),
    };
    sandbox.containers.push(record);
    return record;
  }

  /** Keeps what is told of a pod that is on this machine already when the simulation begins. */
  noteReported(pod: Pod): void {
    this.#reported.set(
      pod.metadata.uid,
      new Map(statusesOf(pod).map((status) => [status.name, status])),
    );
  }

  /**
   * Takes over a pod that runs on this machine already when the simulation begins: its containers are as its status says.
   * Those that run go on as if they had been started now.
   */
  adopt(pod: Pod, now: Instant): void {
    this.noteReported(pod);
    const { uid, namespace = "", name } = pod.metadata;
    const sandbox = this.makeSandbox({ uid, namespace, name });
    sandbox.ip = pod.status?.podIP ?? sandbox.ip;
    const all = containersAtCreation(pod.spec);
    for (const status of statusesOf(pod)) {
      const container = all.find((c) => c.name === status.name);
      if (container === undefined) continue;
      const isInit = !pod.spec.containers.includes(container);
      const ended = status.state?.terminated ?? status.lastState?.terminated;
      const isRunning = status.state?.running !== undefined;
      if (!isRunning && ended === undefined) continue;
      const exit = isRunning ? plannedExit(pod, container, isInit) : undefined;
      sandbox.containers.push({
        name: status.name,
        image: container.image ?? "",
        id: `${uid}/${status.name}/${status.restartCount}`,
        isInit,
        restartCount: status.restartCount,
        startedAt: now,
        exitCode: exit?.code ?? ended?.exitCode ?? 0,
        ...(exit !== undefined && { finishesAt: now + exit.afterMs }),
        ...(!isRunning && { finishesAt: now }),
      });
    }
  }

  /**
   * Ends a running container; it answers the signal at once. What was to end by itself later is not done, so it has not
   * succeeded: the signal is what ends it.
   */
  stop(container: ContainerRecord, now: Instant): void {
    if (!isRunning(container, now)) return;
    const isCutShort = container.finishesAt !== undefined && !this.#isRecorder;
    container.finishesAt = now;
    container.exitCode = isCutShort ? terminatedCode : 0;
  }

  /** Ends a running container that has not answered the signal. */
  kill(container: ContainerRecord, now: Instant): void {
    if (!isRunning(container, now)) return;
    container.finishesAt = now;
    container.exitCode = killedCode;
  }

  /** Kills a container that runs, and forgets it but for the number of its starts. */
  removeContainer(container: ContainerRecord, now: Instant): void {
    container.finishesAt = Math.min(container.finishesAt ?? now, now);
    container.exitCode = killedCode;
    container.isRemoved = true;
  }

  remove(podUid: string): void {
    this.#sandboxes.delete(podUid);
    this.#reported.delete(podUid);
  }
}

export function isRunning(container: ContainerRecord, now: Instant): boolean {
  return container.finishesAt === undefined || now < container.finishesAt;
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

/** The latest run of the container with that name. */
export function latestRun(
  sandbox: PodSandbox | undefined,
  name: string,
): ContainerRecord | undefined {
  return sandbox?.containers.findLast((c) => c.name === name);
}

/** The latest run, where it was not removed. */
export function presentRun(
  sandbox: PodSandbox | undefined,
  name: string,
): ContainerRecord | undefined {
  const run = latestRun(sandbox, name);
  return run?.isRemoved === true ? undefined : run;
}

/** When a running container of the pod ends next by itself. */
export function nextExit(sandbox: PodSandbox, now: Instant): Instant | undefined {
  let next: Instant | undefined;
  for (const { finishesAt } of sandbox.containers) {
    if (finishesAt !== undefined && finishesAt > now && (next === undefined || finishesAt < next))
      next = finishesAt;
  }
  return next;
}
