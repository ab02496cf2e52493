/**
 * Free volumes for the same kind of claim, with one shelf per node affinity, so that volumes out of a node's reach are skipped
 * together. Upstream: component-helpers v0.36 storage/volume/pv_helpers.go FindMatchingVolume, which calls CheckNodeAffinity
 * for each volume and node.
 */
import { push } from "../api/go/multi-map.ts";
import type { Labels } from "../api/selection/label-selector.ts";
import type { PersistentVolume } from "../api/types.ts";
import { isReachableFrom, soleLabel } from "./node-affinity.ts";
import { SortedVolumes } from "./sorted-volumes.ts";

/** Free volumes that are reachable from the same nodes. */
export interface Shelf {
  /** Its index within the slot. */
  readonly number: number;
  readonly sample: PersistentVolume;
  readonly volumes: SortedVolumes;
}

/** Shelves for one kind of claim, by node affinity. A shelf stays when it becomes empty. */
export class Slot {
  readonly shelves: Map<string, Shelf> = new Map();
  /** Shelves that are reachable from nodes with certain values of one label: most volumes name a zone or a machine. */
  readonly #byLabel = new Map<string, Map<string, Shelf[]>>();
  readonly #others: Shelf[] = [];
  /** The shelves within a node's reach, by the node's labels; cleared when a shelf is added. */
  #reachable = new WeakMap<Labels, readonly Shelf[]>();
  /** The same lists by their contents, so that nodes with the same reach share one list. */
  readonly #reaches = new Map<string, readonly Shelf[]>();

  add(reach: string, sample: PersistentVolume): Shelf {
    const shelf = { number: this.shelves.size, sample, volumes: new SortedVolumes() };
    this.shelves.set(reach, shelf);
    this.#reachable = new WeakMap();
    const label = soleLabel(sample);
    if (label === undefined) {
      this.#others.push(shelf);
      return shelf;
    }
    const byValue = this.#byLabel.get(label.key) ?? new Map<string, Shelf[]>();
    this.#byLabel.set(label.key, byValue);
    for (const value of new Set(label.values)) {
      push(byValue, value, shelf);
    }
    return shelf;
  }

  inReach(labels: Labels): readonly Shelf[] {
    let shelves = this.#reachable.get(labels);
    if (shelves === undefined) {
      const found = this.#others.filter(({ sample }) => isReachableFrom(sample, labels));
      for (const [key, byValue] of this.#byLabel) {
        const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
        if (value !== undefined) found.push(...(byValue.get(value) ?? []));
      }
      const name = found
        .map(({ number }) => number)
        .sort((a, b) => a - b)
        .join();
      shelves = this.#reaches.get(name) ?? found;
      this.#reaches.set(name, shelves);
      this.#reachable.set(labels, shelves);
    }
    return shelves;
  }
}
