/**
 * Where volumes are attached, as far as the controller knows, and what the nodes are told of it.
 * Upstream: pkg/controller/volume/attachdetach/cache actual_state_of_world.go v1.36.
 */
import type { Instant } from "../../trace/trace.ts";
import type { AttachableVolume } from "../../volume/attachable-volume.ts";

export interface AttachedRecord {
  /** Absent where the volume is known from the node's status alone. */
  volume: AttachableVolume | undefined;
  /** False: an attach or detach failed, so the volume may be attached or not. */
  isConfirmed: boolean;
  /** The kubelet says that it uses the volume; assumed until it speaks. */
  isMounted: boolean;
  detachRequestedAt: Instant | undefined;
}

export class ActualState {
  readonly #records = new Map<string, Map<string, AttachedRecord>>();
  readonly #volumesByNode = new Map<string, Set<string>>();
  readonly #reported = new Map<string, Set<string>>();
  readonly #unsaved = new Set<string>();

  get(volume: string, node: string): AttachedRecord | undefined {
    return this.#records.get(volume)?.get(node);
  }

  nodesOf(volume: string): readonly string[] {
    return [...(this.#records.get(volume)?.keys() ?? [])];
  }

  /** Uncertain records do not count: only the driver knows about them. */
  confirmedNodesOf(volume: string): readonly string[] {
    const records = this.#records.get(volume);
    if (records === undefined) return [];
    return [...records].filter(([, record]) => record.isConfirmed).map(([node]) => node);
  }

  volumesOn(node: string): Iterable<string> {
    return this.#volumesByNode.get(node) ?? [];
  }

  markAttached(name: string, node: string, volume: AttachableVolume | undefined): void {
    const record = this.#put(name, node, volume);
    record.isConfirmed = true;
    record.detachRequestedAt = undefined;
    this.report(name, node);
  }

  markUncertain(name: string, node: string, volume: AttachableVolume | undefined): void {
    this.#put(name, node, volume).isConfirmed = false;
    this.unreport(name, node);
  }

  markDetached(name: string, node: string): void {
    const records = this.#records.get(name);
    records?.delete(node);
    if (records?.size === 0) this.#records.delete(name);
    this.#volumesByNode.get(node)?.delete(name);
    this.unreport(name, node);
  }

  report(name: string, node: string): void {
    const reported = this.#reported.get(node);
    if (reported === undefined) this.#reported.set(node, new Set([name]));
    else if (reported.has(name)) return;
    else reported.add(name);
    this.#unsaved.add(node);
  }

  unreport(name: string, node: string): void {
    if (this.#reported.get(node)?.delete(name) === true) this.#unsaved.add(node);
  }

  reportedOn(node: string): readonly string[] {
    return [...(this.#reported.get(node) ?? [])];
  }

  /** Nodes whose status does not say yet what is reported; asking takes them off the list. */
  takeUnsaved(): readonly string[] {
    const nodes = [...this.#unsaved];
    this.#unsaved.clear();
    return nodes;
  }

  markUnsaved(node: string): void {
    this.#unsaved.add(node);
  }

  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  #put(name: string, node: string, volume: AttachableVolume | undefined): AttachedRecord {
    let records = this.#records.get(name);
    if (records === undefined) this.#records.set(name, (records = new Map()));
    let record = records.get(node);
    if (record === undefined) {
      record = { volume, isConfirmed: false, isMounted: true, detachRequestedAt: undefined };
      records.set(node, record);
      const onNode = this.#volumesByNode.get(node);
      if (onNode === undefined) this.#volumesByNode.set(node, new Set([name]));
      else onNode.add(name);
    }
    record.volume ??= volume;
    return record;
  }
}
