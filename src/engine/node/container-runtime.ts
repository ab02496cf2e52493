/**
 * The container runtime of a machine: which pods have a sandbox and what became of their containers. It goes on while the
 * kubelet is down. Upstream: what a kubelet sees through the CRI. Not modelled: images, sandbox networks, logs.
 */
import type { Instant } from "../trace/trace.ts";
import type { PlannedExit } from "./planned-exit.ts";

export interface ContainerRecord {
  readonly name: string;
  readonly id: string;
  readonly isInit: boolean;
  /** 0 for the first start of this container in its pod. */
  readonly restartCount: number;
  readonly startedAt: Instant;
  /** When it ends or ended; never where absent. */
  finishesAt?: Instant;
  exitCode: number;
}

export interface PodSandbox {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly ip: string;
  ready: boolean;
  /** Every container that was started, oldest first. */
  readonly containers: ContainerRecord[];
}

export interface NewContainer {
  readonly name: string;
  readonly isInit: boolean;
  readonly exit: PlannedExit | undefined;
}

export class ContainerRuntime {
  readonly #sandboxes = new Map<string, PodSandbox>();
  #addressCount = 0;

  sandbox(podUid: string): PodSandbox | undefined {
    return this.#sandboxes.get(podUid);
  }

  get sandboxes(): readonly PodSandbox[] {
    return [...this.#sandboxes.values()];
  }

  makeSandbox(pod: Pick<PodSandbox, "uid" | "namespace" | "name">): PodSandbox {
    const n = ++this.#addressCount;
    const ip = `10.244.${(n >> 8) & 255}.${n & 255}`;
    const sandbox: PodSandbox = { ...pod, ip, ready: true, containers: [] };
    this.#sandboxes.set(pod.uid, sandbox);
    return sandbox;
  }

  start(sandbox: PodSandbox, container: NewContainer, now: Instant): ContainerRecord {
    const earlier = sandbox.containers.filter((c) => c.name === container.name).length;
    const record: ContainerRecord = {
      name: container.name,
      id: `${sandbox.uid}/${container.name}/${earlier}`,
      isInit: container.isInit,
      restartCount: earlier,
      startedAt: now,
      exitCode: container.exit?.code ?? 0,
      ...(container.exit !== undefined && { finishesAt: now + container.exit.afterMs }),
    };
    sandbox.containers.push(record);
    return record;
  }

  /** Ends a running container; it answers the signal at once, with code 0. */
  stop(container: ContainerRecord, now: Instant): void {
    if (!isRunning(container, now)) return;
    container.finishesAt = now;
    container.exitCode = 0;
  }

  remove(podUid: string): void {
    this.#sandboxes.delete(podUid);
  }
}

export function isRunning(container: ContainerRecord, now: Instant): boolean {
  return container.finishesAt === undefined || now < container.finishesAt;
}

/** The latest run of the container with that name. */
export function latestRun(
  sandbox: PodSandbox | undefined,
  name: string,
): ContainerRecord | undefined {
  return sandbox?.containers.findLast((c) => c.name === name);
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
