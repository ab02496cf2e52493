/**
 * Which volumes the pods of each node need attached. Upstream: pkg/controller/volume/attachdetach/cache
 * desired_state_of_world.go v1.36.
 */
import type { Ref } from "../../api/meta.ts";
import type { Pod, PodSpec } from "../../api/types.ts";
import type { AttachableVolume } from "../../volume/attachable-volume.ts";

export interface DesiredPod {
  readonly uid: string;
  readonly ref: Ref;
  readonly namespace: string;
  readonly name: string;
}

export interface DesiredVolume {
  readonly volume: AttachableVolume;
  readonly pods: Map<string, DesiredPod>;
  /** True once the pods have the event about another node that holds the volume. */
  isConflictReported: boolean;
}

/** A pod that wants at least one volume. */
interface PodRecord {
  readonly node: string;
  /** The pod's spec once all its volumes are here; undefined while some may be missing. */
  whole: PodSpec | undefined;
}

export class DesiredState {
  readonly #nodes = new Map<string, Map<string, DesiredVolume>>();
  /** Arrays and not sets, since most volumes have one node. */
  readonly #nodesByVolume = new Map<string, readonly string[]>();
  /** By uid. */
  readonly #pods = new Map<string, PodRecord>();

  addNode(node: string): void {
    if (!this.#nodes.has(node)) this.#nodes.set(node, new Map());
  }

  /** Keeps a node that still has volumes. */
  removeNode(node: string): void {
    if (this.#nodes.get(node)?.size === 0) this.#nodes.delete(node);
  }

  hasNode(node: string): boolean {
    return this.#nodes.has(node);
  }

  get(volume: string, node: string): DesiredVolume | undefined {
    return this.#nodes.get(node)?.get(volume);
  }

  /** Keyed by volume name. */
  volumesOn(node: string): ReadonlyMap<string, DesiredVolume> {
    return this.#nodes.get(node) ?? noVolumes;
  }

  isWantedBy(volume: string, node: string, podUid: string): boolean {
    return this.get(volume, node)?.pods.has(podUid) === true;
  }

  nodesOf(volume: string): readonly string[] {
    return this.#nodesByVolume.get(volume) ?? noNodes;
  }

  /** Returns true if the volume was not desired on the node before. */
  add(volume: AttachableVolume, node: string, pod: DesiredPod): boolean {
    const volumes = this.#nodes.get(node);
    if (volumes === undefined) return false;
    if (this.#pods.get(pod.uid)?.node !== node) this.#pods.set(pod.uid, { node, whole: undefined });
    const known = volumes.get(volume.name);
    if (known !== undefined) {
      known.pods.set(pod.uid, pod);
      return false;
    }
    volumes.set(volume.name, {
      volume,
      pods: new Map([[pod.uid, pod]]),
      isConflictReported: false,
    });
    this.#nodesByVolume.set(volume.name, this.nodesOf(volume.name).concat(node));
    return true;
  }

  /** `isWhole` says that every volume of the pod that can ever need an attach is here. */
  markWhole({ metadata, spec }: Pod, isWhole: boolean): void {
    const record = this.#pods.get(metadata.uid);
    if (record !== undefined) record.whole = isWhole ? spec : undefined;
  }

  /** True if every volume of this spec was found and added, and none has been removed since. */
  isWhole({ metadata, spec }: Pod): boolean {
    return this.#pods.get(metadata.uid)?.whole === spec;
  }

  hasPod(uid: string): boolean {
    return this.#pods.has(uid);
  }

  /**
   * Takes the pod off those of its volumes for which `isLeft` is true. Returns its node and the volumes that no pod there
   * needs any more.
   */
  removePod(
    uid: string,
    isLeft: (volume: string) => boolean,
  ): { readonly node: string; readonly volumes: readonly string[] } {
    const record = this.#pods.get(uid);
    const node = record?.node ?? "";
    const released: string[] = [];
    let hasMore = false;
    for (const [name, { pods }] of [...this.volumesOn(node)]) {
      if (!pods.has(uid)) continue;
      if (!isLeft(name)) {
        hasMore = true;
        continue;
      }
      pods.delete(uid);
      if (pods.size > 0) continue;
      released.push(name);
      this.#remove(name, node);
    }
    if (!hasMore) this.#pods.delete(uid);
    else if (record !== undefined) record.whole = undefined;
    return { node, volumes: released };
  }

  /** The volumes of a driver, once for each node that wants them. */
  volumesOfDriver(driver: string): readonly (readonly [volume: string, node: string])[] {
    const found: (readonly [string, string])[] = [];
    for (const [node, volumes] of this.#nodes)
      for (const [name, { volume }] of volumes)
        if (volume.csi?.driver === driver) found.push([name, node]);
    return found;
  }

  /** Removes the volume even though pods want it; they are no longer whole, so they may add it again. */
  removeVolume(name: string, node: string): void {
    for (const uid of this.get(name, node)?.pods.keys() ?? []) {
      const record = this.#pods.get(uid);
      if (record !== undefined) record.whole = undefined;
    }
    this.#remove(name, node);
  }

  #remove(name: string, node: string): void {
    this.#nodes.get(node)?.delete(name);
    const others = this.nodesOf(name).filter((other) => other !== node);
    if (others.length > 0) this.#nodesByVolume.set(name, others);
    else this.#nodesByVolume.delete(name);
  }
}

const noNodes: readonly string[] = [];
const noVolumes: ReadonlyMap<string, DesiredVolume> = new Map();
