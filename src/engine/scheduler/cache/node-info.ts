/**
 * A node with the pods on it and the resources and ports they use. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/types.go NodeInfo, HostPortInfo.
 */
import { type Ref, refOf } from "../../api/meta.ts";
import type { ContainerPort, Node } from "../../api/types.ts";
import { NodeRoom, roomColumns } from "./node-room.ts";
import type { PodInfo } from "./pod-info.ts";
import {
  allocatableOf,
  type MainAmounts,
  mainAmounts,
  noResources,
  type Resources,
  type ScoredAmounts,
  scoredAmounts,
} from "./resources.ts";

const anyAddress = "0.0.0.0";

export class NodeInfo {
  readonly name: string;
  readonly ref: Ref;
  /** Grows whenever a pod comes or goes. */
  generation = 0;
  /** The table with the node's room, which begins at index `row`. */
  readonly room: NodeRoom;
  readonly row: number;
  #node: Node;
  #allocatable: Resources;
  /** How many pods the node takes. */
  slots: number;
  allocatable: Readonly<MainAmounts>;
  allocatableForScore: ScoredAmounts;
  /** By uid. */
  readonly pods: Map<string, PodInfo> = new Map();
  readonly #listed: PodInfo[] = [];
  readonly #requested = new Map<string, number>();
  readonly requested: MainAmounts = { cpu: 0, memory: 0, ephemeralStorage: 0 };
  readonly requestedForScore: { -readonly [name in keyof ScoredAmounts]: number } = {
    cpu: 0,
    memory: 0,
  };
  /** The number of uses, by `protocol address port`. */
  readonly #ports = new Map<string, number>();

  /** Requested by pods that are not part of the run. */
  readonly #taken: Resources;

  constructor(
    node: Node,
    pods: Iterable<PodInfo> = [],
    taken: Resources = noResources,
    room: NodeRoom = new NodeRoom(),
  ) {
    this.name = node.metadata.name;
    this.ref = refOf(node);
    this.room = room;
    this.row = room.addRow();
    this.#node = node;
    this.#allocatable = allocatableOf(node);
    this.slots = this.amountAllocatable("pods");
    this.allocatable = mainAmounts(this.#allocatable);
    this.allocatableForScore = scoredAmounts(this.#allocatable);
    this.#taken = taken;
    if (taken !== noResources) this.#request(taken, scoredAmounts(taken), 1);
    this.#measure();
    for (const pod of pods) this.add(pod);
  }

  get node(): Node {
    return this.#node;
  }

  /** Replaces the node object; the pods stay. */
  setNode(node: Node): void {
    this.#node = node;
    const allocatable = allocatableOf(node);
    if (allocatable === this.#allocatable) return;
    this.#allocatable = allocatable;
    this.slots = this.amountAllocatable("pods");
    this.allocatable = mainAmounts(allocatable);
    this.allocatableForScore = scoredAmounts(allocatable);
    this.#measure();
  }

  copy(): NodeInfo {
    return new NodeInfo(this.#node, this.#listed, this.#taken);
  }

  /** The pods in the order in which preemption considers them. */
  get listed(): readonly PodInfo[] {
    return this.#listed;
  }

  add(pod: PodInfo): void {
    this.pods.set(pod.uid, pod);
    this.#listed.push(pod);
    this.#count(pod, 1);
  }

  remove(uid: string): PodInfo | undefined {
    const pod = this.pods.get(uid);
    if (pod === undefined) return undefined;
    this.pods.delete(uid);
    this.#unlist(pod);
    this.#count(pod, -1);
    return pod;
  }

  /** Moves an updated pod to the end of the list. Upstream: Cache.updatePod takes it off the node and puts it back. */
  relist(pod: PodInfo): void {
    this.#unlist(pod);
    this.#listed.push(pod);
  }

  /** Moves the last pod of the list into the gap. Upstream: removeFromSlice. */
  #unlist(pod: PodInfo): void {
    const last = this.#listed.pop();
    if (last !== undefined && last !== pod) this.#listed[this.#listed.indexOf(pod)] = last;
  }

  amountAllocatable(resource: string): number {
    return this.#allocatable.get(resource) ?? 0;
  }

  amountRequested(resource: string): number {
    return this.#requested.get(resource) ?? 0;
  }

  /** True if one of the ports is taken. A port without an address takes the port on all addresses. */
  hasPortConflict(ports: readonly ContainerPort[]): boolean {
    return ports.some((port) => this.#isTaken(port));
  }

  #isTaken(port: ContainerPort): boolean {
    if (this.#ports.size === 0) return false;
    const address = addressOf(port);
    if (address !== anyAddress) {
      return this.#ports.has(portKey(port, address)) || this.#ports.has(portKey(port, anyAddress));
    }
    const wanted = ` ${port.hostPort ?? 0}`;
    const protocol = `${protocolOf(port)} `;
    for (const taken of this.#ports.keys()) {
      if (taken.startsWith(protocol) && taken.endsWith(wanted)) return true;
    }
    return false;
  }

  #count(pod: PodInfo, by: 1 | -1): void {
    this.generation++;
    this.#request(pod.requests, pod.requestsForScore, by);
    this.#measure();
    for (const port of pod.hostPorts) {
      const key = portKey(port, addressOf(port));
      const uses = (this.#ports.get(key) ?? 0) + by;
      if (uses > 0) this.#ports.set(key, uses);
      else this.#ports.delete(key);
    }
  }

  #measure(): void {
    const { row, allocatable, requested } = this;
    const { values } = this.room;
    values[row + roomColumns.cpu] = allocatable.cpu - requested.cpu;
    values[row + roomColumns.memory] = allocatable.memory - requested.memory;
    values[row + roomColumns.ephemeralStorage] =
      allocatable.ephemeralStorage - requested.ephemeralStorage;
    values[row + roomColumns.pods] = this.slots - this.pods.size;
    values[row + roomColumns.cpuInAll] = allocatable.cpu;
    values[row + roomColumns.memoryInAll] = allocatable.memory;
    values[row + roomColumns.ephemeralStorageInAll] = allocatable.ephemeralStorage;
  }

  #request(resources: Resources, { cpu, memory }: ScoredAmounts, by: 1 | -1): void {
    if (resources !== noResources) {
      count(this.#requested, resources, by);
      Object.assign(this.requested, mainAmounts(this.#requested));
    }
    this.requestedForScore.cpu += by * cpu;
    this.requestedForScore.memory += by * memory;
  }
}

function count(amounts: Map<string, number>, resources: Resources, by: 1 | -1): void {
  for (const [name, amount] of resources) {
    amounts.set(name, (amounts.get(name) ?? 0) + by * amount);
  }
}

function addressOf(port: ContainerPort): string {
  return port.hostIP === undefined || port.hostIP === "" ? anyAddress : port.hostIP;
}

function protocolOf(port: ContainerPort): string {
  return port.protocol ?? "TCP";
}

function portKey(port: ContainerPort, address: string): string {
  return `${protocolOf(port)} ${address} ${port.hostPort ?? 0}`;
}

/** True if two pods cannot have their ports on the same node. */
export function portsConflict(
  ports: readonly ContainerPort[],
  others: readonly ContainerPort[],
): boolean {
  return ports.some((a) =>
    others.some(
      (b) =>
        a.hostPort === b.hostPort &&
        protocolOf(a) === protocolOf(b) &&
        (addressOf(a) === anyAddress ||
          addressOf(b) === anyAddress ||
          addressOf(a) === addressOf(b)),
    ),
  );
}
