/**
 * Where volumes are attached, as far as the controller knows, and what it reports in the nodes' statuses.
 * Upstream: pkg/controller/volume/attachdetach/cache actual_state_of_world.go v1.36.
 */
import type { AttachedVolume } from "../../api/types.ts";
import type { Instant } from "../../trace/instant.ts";
import type { AttachableVolume } from "../../volume/attachable-volume.ts";

export interface AttachedRecord {
  /** Undefined if the volume is known from the node's status alone. */
  volume: AttachableVolume | undefined;
  /** False if the volume may be attached or not, for example after a failed attach or detach. */
  isConfirmed: boolean;
  /** True if the node's status lists the volume as in use; assumed until the node sends a status. */
  isMounted: boolean;
  detachRequestedAt: Instant | undefined;
}

export class ActualState {
  /** By node, then by volume. */
  readonly #records = new Map<string, Map<string, AttachedRecord>>();
  /** Arrays and not sets, since most volumes have one node. */
  readonly #nodesByVolume = new Map<string, readonly string[]>();
  /** By node; sorted by volume name. */
  readonly #reported = new Map<string, readonly AttachedVolume[]>();
  /** Nodes whose status does not show yet what is reported. */
  readonly #unsaved = new Set<string>();

  get(volume: string, node: string): AttachedRecord | undefined {
    return this.#records.get(node)?.get(volume);
  }

  nodesOf(volume: string): readonly string[] {
    return this.#nodesByVolume.get(volume) ?? noNodes;
  }

  /** Leaves out uncertain records: only the driver knows whether those volumes are attached. */
  confirmedNodesOf(volume: string): readonly string[] {
    return this.nodesOf(volume).filter((node) => this.get(volume, node)?.isConfirmed === true);
  }

  /** By volume. */
  recordsOn(node: string): ReadonlyMap<string, AttachedRecord> {
    return this.#records.get(node) ?? noRecords;
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
    this.#records.get(node)?.delete(name);
    const others = this.nodesOf(name).filter((other) => other !== node);
    if (others.length > 0) this.#nodesByVolume.set(name, others);
    else this.#nodesByVolume.delete(name);
    this.unreport(name, node);
  }

  report(name: string, node: string): void {
    const reported = this.reportedOn(node);
    const at = placeOf(name, reported);
    if (reported[at]?.name === name) return;
    const added = Object.freeze({ name, devicePath: "" });
    this.#reported.set(node, Object.freeze(reported.toSpliced(at, 0, added)));
    this.#unsaved.add(node);
  }

  unreport(name: string, node: string): void {
    const reported = this.reportedOn(node);
    const at = placeOf(name, reported);
    if (reported[at]?.name !== name) return;
    this.#reported.set(node, Object.freeze(reported.toSpliced(at, 1)));
    this.#unsaved.add(node);
  }

  /** The volumesAttached that the node's status should show. */
  reportedOn(node: string): readonly AttachedVolume[] {
    return this.#reported.get(node) ?? nothing;
  }

  /** Returns the nodes whose status must be written, and clears that list. */
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
    let records = this.#records.get(node);
    if (records === undefined) this.#records.set(node, (records = new Map()));
    let record = records.get(name);
    if (record === undefined) {
      record = { volume, isConfirmed: false, isMounted: true, detachRequestedAt: undefined };
      records.set(name, record);
      this.#nodesByVolume.set(name, this.nodesOf(name).concat(node));
    }
    record.volume ??= volume;
    return record;
  }
}

const noNodes: readonly string[] = [];
const noRecords: ReadonlyMap<string, AttachedRecord> = new Map();
const nothing: readonly AttachedVolume[] = Object.freeze([]);

/** Index of the volume in the list, or where it would be inserted. */
function placeOf(name: string, sorted: readonly AttachedVolume[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.name ?? "") < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
