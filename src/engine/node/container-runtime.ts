/**
 * The container runtime of a machine: pods' sandboxes and containers. It keeps running while the kubelet is down. Upstream:
 * what a kubelet sees through the CRI. Not modeled: images, sandbox networks, logs.
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
  /** When it ends or ended; absent if it never ends. */
  finishesAt?: Instant;
  exitCode: number;
  /** Set when the container was removed because all containers of the pod are restarted. */
  isRemoved?: true;
}

export interface PodSandbox {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  ip: string;
  ready: boolean;
  /** When the kubelet next makes a probe whose result may change something. */
  probedAt?: Instant | undefined;
  /** Every container that was started, oldest first. */
  readonly containers: ContainerRecord[];
}

/** The statuses that a pod's containers had when the simulation began, by name; valid until something happens to them. */
export type ReportedStatuses = ReadonlyMap<string, ContainerStatus>;

export interface NewContainer {
  readonly name: string;
  readonly image: string;
  readonly isInit: boolean;
  readonly exit: PlannedExit | undefined;
}

/** 128 plus the number of SIGTERM or SIGKILL, as runtimes report it. */
const terminatedCode = 143;
const killedCode = 137;

export class ContainerRuntime {
  readonly #sandboxes = new Map<string, PodSandbox>();
  readonly #reported = new Map<string, ReportedStatuses>();
  readonly #nodeIndex: number;
  readonly #isRecorder: boolean;
  #addressCount = 0;

  /**
   * `nodeIndex` is the node's place in the cluster. `isRecorder` if programs are not run, as on the recorded clusters' nodes.
   */
  constructor(nodeIndex: number, isRecorder: boolean) {
    this.#nodeIndex = nodeIndex;
    this.#isRecorder = isRecorder;
  }

  sandbox(podUid: string): PodSandbox | undefined {
    return this.#sandboxes.get(podUid);
  }

  /** Undefined for pods that were created in the simulation. */
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

  /** Returns the next pod address. As kubeadm's default network does, each node has 254 addresses, the first being its own. */
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

  /** Keeps the container statuses of a pod that was on this machine when the simulation began. */
  noteReported(pod: Pod): void {
    this.#reported.set(
      pod.metadata.uid,
      new Map(statusesOf(pod).map((status) => [status.name, status])),
    );
  }

  /**
   * Takes over a pod that was on this machine when the simulation began, with the containers in its status. Running ones
   * continue as if started now.
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
   * Ends a running container, which reacts to SIGTERM at once. One that would have ended by itself later has not finished its
   * work, so its exit code says that the signal ended it.
   */
  stop(container: ContainerRecord, now: Instant): void {
    if (!isRunning(container, now)) return;
    const isCutShort = container.finishesAt !== undefined && !this.#isRecorder;
    container.finishesAt = now;
    container.exitCode = isCutShort ? terminatedCode : 0;
  }

  /** Ends a running container that did not react to SIGTERM. */
  kill(container: ContainerRecord, now: Instant): void {
    if (!isRunning(container, now)) return;
    container.finishesAt = now;
    container.exitCode = killedCode;
  }

  /** Kills a container and marks it as removed; only its restart count is still used. */
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

/** The latest run, unless it was removed. */
export function presentRun(
  sandbox: PodSandbox | undefined,
  name: string,
): ContainerRecord | undefined {
  const run = latestRun(sandbox, name);
  return run?.isRemoved === true ? undefined : run;
}

/** Returns when the next container of the pod ends by itself; undefined if none will. */
export function nextExit(sandbox: PodSandbox, now: Instant): Instant | undefined {
  let next: Instant | undefined;
  for (const { finishesAt } of sandbox.containers) {
    if (finishesAt !== undefined && finishesAt > now && (next === undefined || finishesAt < next))
      next = finishesAt;
  }
  return next;
}
