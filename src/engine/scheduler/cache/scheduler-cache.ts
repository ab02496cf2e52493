/**
 * The nodes and the pods on them. A pod counts as being on its node as soon as that is decided: it is assumed there until the
 * watch event of its binding. Upstream: kube-scheduler v1.36 pkg/scheduler/backend/cache/{cache,node_tree}.go. One cycle runs
 * at a time and no event comes in between, so the cache itself serves as the snapshot.
 */
import { push } from "../../api/go/multi-map.ts";
import type { Key } from "../../api/meta.ts";
import type { Node, Pod } from "../../api/types.ts";
import { zoneKeyOf } from "../../matching/node-state.ts";
import type { NamespaceLabels } from "./affinity-term.ts";
import { NodeInfo } from "./node-info.ts";
import { NodeRoom } from "./node-room.ts";
import { PlacedTerms } from "./placed-terms.ts";
import { type PlacedPod, PodCounts } from "./pod-counts.ts";
import { type PodInfo, podInfo, updatedPodInfo } from "./pod-info.ts";
import { noResources, type Resources } from "./resources.ts";
import type { Snapshot } from "./snapshot.ts";

interface Placement extends PlacedPod {
  /** True until a watch event confirms the placement. */
  assumed: boolean;
}

/** Whether any node has cordons, taints or images. If none has, the filter or scorer need not ask each node. */
interface NodeTraits {
  readonly cordons: boolean;
  readonly taints: boolean;
  readonly images: boolean;
}

export class SchedulerCache implements Snapshot {
  readonly namespaceLabels: NamespaceLabels;
  readonly terms: PlacedTerms = new PlacedTerms();
  /** What pods that are not part of the run have taken of a node. */
  readonly #takenOf: (node: string) => Resources;
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #room = new NodeRoom();
  readonly #placements = new Map<string, Placement>();
  /** Pods on nodes that the cache does not know yet or any more, by node. */
  readonly #strays = new Map<string, Map<string, PodInfo>>();
  /** Made on first use: in most clusters no pod has rules about other pods. */
  #counts: PodCounts | undefined;
  /** How many pods on known nodes use a claim. Upstream: Snapshot.usedPVCSet. */
  readonly #claimUses = new Map<Key, number>();
  /** How many pods each priority has; most clusters use few priorities. */
  readonly #countByPriority = new Map<number, number>();
  #ordered: readonly NodeInfo[] | undefined;
  #traits: NodeTraits | undefined;

  constructor(
    namespaceLabels: NamespaceLabels,
    takenOf: (node: string) => Resources = () => noResources,
  ) {
    this.namespaceLabels = namespaceLabels;
    this.#takenOf = takenOf;
  }

  get counts(): PodCounts {
    this.#counts ??= new PodCounts(this.#placements.values());
    return this.#counts;
  }

  /** A namespace was added, removed or relabeled: drops the counts, which may depend on its labels. */
  namespaceChanged(): void {
    this.#counts?.forget();
  }

  get nodes(): readonly NodeInfo[] {
    this.#ordered ??= inTurnsByZone([...this.#nodes.values()]);
    return this.#ordered;
  }

  node(name: string): NodeInfo | undefined {
    return this.#nodes.get(name);
  }

  get hasCordons(): boolean {
    return this.#knownTraits.cordons;
  }

  get hasTaints(): boolean {
    return this.#knownTraits.taints;
  }

  get hasImages(): boolean {
    return this.#knownTraits.images;
  }

  get #knownTraits(): NodeTraits {
    this.#traits ??= {
      cordons: this.nodes.some(({ node }) => node.spec.unschedulable === true),
      taints: this.nodes.some(({ node }) => node.spec.taints !== undefined),
      images: this.nodes.some(({ node }) => node.status?.images !== undefined),
    };
    return this.#traits;
  }

  hasPodsBelow(priority: number): boolean {
    for (const other of this.#countByPriority.keys()) if (other < priority) return true;
    return false;
  }

  claimUses(key: Key): number {
    return this.#claimUses.get(key) ?? 0;
  }

  setNode(node: Node): void {
    const { name } = node.metadata;
    const known = this.#nodes.get(name);
    if (known === undefined) {
      const pods = this.#strays.get(name)?.values();
      const added = new NodeInfo(node, pods, this.#takenOf(name), this.#room);
      this.#nodes.set(name, added);
      this.#strays.delete(name);
      for (const pod of added.pods.values()) this.#countClaims(pod, 1);
      this.#ordered = undefined;
    } else {
      if (zoneKeyOf(known.node) !== zoneKeyOf(node)) this.#ordered = undefined;
      known.setNode(node);
    }
    this.#traits = undefined;
  }

  removeNode(name: string): void {
    const pods = this.#nodes.get(name)?.pods;
    if (pods !== undefined && pods.size > 0) this.#strays.set(name, pods);
    for (const pod of pods?.values() ?? []) this.#countClaims(pod, -1);
    this.#nodes.delete(name);
    this.#ordered = undefined;
    this.#traits = undefined;
  }

  isAssumed(uid: string): boolean {
    return this.#placements.get(uid)?.assumed === true;
  }

  /** Counts the pod as bound to the node until a watch event confirms it or `forget` is called. */
  assume(pod: PodInfo, node: string): void {
    this.#place({ pod, node, assumed: true });
  }

  /** Undoes `assume` and returns the pod as it was assumed; undefined if it was not. */
  forget(uid: string): Pod | undefined {
    const placement = this.#placements.get(uid);
    if (placement?.assumed !== true) return undefined;
    this.#displace(uid);
    return placement.pod.pod;
  }

  /** Takes a pod that has a node from a watch event. */
  setPod(pod: Pod): void {
    const node = pod.spec.nodeName ?? "";
    const known = this.#placements.get(pod.metadata.uid);
    const isSame =
      known?.node === node &&
      known.pod.pod.metadata.labels === pod.metadata.labels &&
      known.pod.pod.metadata.deletionTimestamp === pod.metadata.deletionTimestamp &&
      known.pod.pod.spec.containers === pod.spec.containers;
    if (isSame && known !== undefined) {
      // Nothing that counts has changed: only the newest version of the object is kept.
      known.pod.pod = pod;
      known.assumed = false;
      this.#nodes.get(node)?.relist(known.pod);
      return;
    }
    this.#displace(pod.metadata.uid);
    const info = known === undefined ? podInfo(pod) : updatedPodInfo(known.pod, pod);
    this.#place({ pod: info, node, assumed: false });
  }

  removePod(uid: string): void {
    this.#displace(uid);
  }

  #place(placement: Placement): void {
    const { pod, node } = placement;
    this.#placements.set(pod.uid, placement);
    const known = this.#nodes.get(node);
    if (known === undefined) this.#addStray(pod, node);
    else known.add(pod);
    this.#counts?.add(placement);
    this.#count(placement, 1);
  }

  #addStray(pod: PodInfo, node: string): void {
    const others = this.#strays.get(node);
    if (others === undefined) this.#strays.set(node, new Map([[pod.uid, pod]]));
    else others.set(pod.uid, pod);
  }

  #displace(uid: string): void {
    const placement = this.#placements.get(uid);
    if (placement === undefined) return;
    this.#placements.delete(uid);
    const known = this.#nodes.get(placement.node);
    if (known === undefined) this.#removeStray(uid, placement.node);
    else known.remove(uid);
    this.#counts?.remove(placement);
    this.#count(placement, -1);
  }

  #removeStray(uid: string, node: string): void {
    const others = this.#strays.get(node);
    others?.delete(uid);
    if (others?.size === 0) this.#strays.delete(node);
  }

  #count({ pod, node }: Placement, by: 1 | -1): void {
    this.terms.shift(pod, node, by);
    if (this.#nodes.has(node)) this.#countClaims(pod, by);
    shift(this.#countByPriority, pod.priority, by);
  }

  #countClaims({ claimKeys }: PodInfo, by: 1 | -1): void {
    for (const key of claimKeys) shift(this.#claimUses, key, by);
  }
}

/** Adds to a count; deletes it once it is 0. */
function shift<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Takes one node from each zone in turn. Upstream: nodeTree.list. */
function inTurnsByZone(nodes: readonly NodeInfo[]): readonly NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const node of nodes) {
    push(zones, zoneKeyOf(node.node), node);
  }
  const ordered: NodeInfo[] = [];
  for (let turn = 0; ordered.length < nodes.length; turn++) {
    for (const zone of zones.values()) {
      const node = zone[turn];
      if (node !== undefined) ordered.push(node);
    }
  }
  return ordered;
}
