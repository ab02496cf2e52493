/**
 * An index of all volumes that finds a claim's match without looking at each: by access modes, then by what must be equal
 * (class, volume mode, attributes class), then by size. Upstream: pkg/controller/volume/persistentvolume/index.go v1.36
 * persistentVolumeOrderedIndex, and the scheduler's pv assume cache, which index less and scan more.
 */
import { accessModeSet, containsAllModes } from "../api/access-modes.ts";
import type { Key } from "../api/meta.ts";
import { makeKey } from "../api/meta.ts";
import type { Labels } from "../api/selection/label-selector.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";
import { ByKey, InOrder, KeyNumbers } from "../by-key.ts";
import { claimKeyOf } from "./claim-reference.ts";
import { type MatchRequest, sizeOf, volumeModeOf } from "./match-request.ts";
import { nodeAffinitySignature } from "./node-affinity.ts";
import { compareSizedVolumes, type SizedVolume, type SizedVolumes } from "./sorted-volumes.ts";
import { findMatchingVolume, type VolumeWalk } from "./volume-match.ts";
import { type Shelf, Slot } from "./volume-shelves.ts";

/** A cache tree: the volume found for a combination of shelves in reach and excluded volumes. */
class Found {
  readonly #within = new Map<readonly Shelf[] | string, Found>();
  isKnown = false;
  volume: PersistentVolume | undefined = undefined;

  within(what: readonly Shelf[] | string): Found {
    let found = this.#within.get(what);
    if (found === undefined) this.#within.set(what, (found = new Found()));
    return found;
  }
}

/** Volumes with the same access modes. */
interface ModeGroup {
  readonly modes: readonly string[];
  /** By `slotName`, then by node affinity. */
  readonly slots: Map<string, Slot>;
}

/**
 * A volume as last indexed, and its newest version. It changes several times between two queries, so it is re-indexed only at a
 * query.
 */
class Filed implements SizedVolume {
  /** The newest version; undefined if the volume is gone. */
  newest: PersistentVolume | undefined;
  isPending = false;
  /** The next volume that is waiting to be indexed. */
  nextPending: Filed | undefined = undefined;
  isGone = false;
  readonly name: string;
  /** The version that the following fields describe. */
  volume: PersistentVolume;
  size = 0n;
  roundedSize = 0;
  /** Undefined until it is first indexed. */
  group: ModeGroup | undefined = undefined;
  /** Its shelf while it is free. */
  shelf: Shelf | undefined = undefined;
  /** The claim that its claimRef names. */
  claim: Key | undefined = undefined;

  constructor(volume: PersistentVolume) {
    this.newest = volume;
    this.name = volume.metadata.name;
    this.volume = volume;
  }
}

export type NodeRequest = MatchRequest & { readonly node: NonNullable<MatchRequest["node"]> };

/** Finds a claim's volume on a node. */
export type NodeFinder = (request: NodeRequest) => PersistentVolume | undefined;

/** How many volumes of other claims are shown as examples of all of them. */
const strangersMax = 3;

export interface InventoryOptions {
  /** Set if matches are made per node: volumes that the node cannot reach are then skipped together. */
  readonly byNodeAffinity: boolean;
  /** Key numbers; the inventory's own where absent. */
  readonly volumes?: KeyNumbers;
  readonly claims?: KeyNumbers;
}

export class VolumeInventory {
  readonly #byNodeAffinity: boolean;
  readonly #volumes: ByKey<Filed>;
  readonly #all = new InOrder<Filed>(({ isGone }) => isGone);
  /** Ordered by number of modes, then by name. */
  readonly #groups: ModeGroup[] = [];
  readonly #byClaim: ByKey<readonly Filed[]>;
  /** Volumes waiting to be indexed, in order: a linked list, because it is short and rebuilt at every step. */
  #firstPending: Filed | undefined;
  #lastPending: Filed | undefined;
  #version = 0;

  constructor({ byNodeAffinity, volumes, claims }: InventoryOptions) {
    this.#byNodeAffinity = byNodeAffinity;
    this.#volumes = new ByKey(volumes ?? new KeyNumbers());
    this.#byClaim = new ByKey(claims ?? new KeyNumbers());
  }

  get count(): number {
    this.#fileAll();
    return this.#all.count;
  }

  /** Increases with every update, even one that changes nothing. */
  get version(): number {
    return this.#version;
  }

  get(name: string): PersistentVolume | undefined {
    return this.#volumes.get(name)?.newest;
  }

  *all(): Generator<PersistentVolume> {
    this.#fileAll();
    for (const { volume } of this.#all.items) yield volume;
  }

  /** Returns the volumes whose claimRef names the claim, whatever its uid. */
  namingClaim(claim: Key): readonly PersistentVolume[] {
    this.#fileAll();
    return this.#byClaim.get(claim)?.map(({ volume }) => volume) ?? noVolumes;
  }

  put(volume: PersistentVolume): void {
    this.putUnless(volume, never);
  }

  /** Like `put`, but returns false and does nothing if the volume is known and `isRefused` is true for the known version. */
  putUnless(volume: PersistentVolume, isRefused: (known: PersistentVolume) => boolean): boolean {
    const { name } = volume.metadata;
    let filed = this.#volumes.get(name);
    if (filed?.newest !== undefined && isRefused(filed.newest)) return false;
    this.#version++;
    if (filed === undefined) {
      filed = new Filed(volume);
      this.#volumes.set(name, filed);
      this.#all.add(filed);
    }
    this.#change(filed, volume);
    return true;
  }

  delete(name: string): void {
    const filed = this.#volumes.get(name);
    if (filed?.newest === undefined) return;
    this.#version++;
    this.#change(filed, undefined);
  }

  /**
   * Finds the volume for a claim as the PV controller does: it takes the first group of access modes that has a match, so it
   * may miss a smaller or a reserved volume in a later group. Upstream: findBestMatchForClaim.
   */
  find(request: MatchRequest): PersistentVolume | undefined {
    const reserved = this.#reserved(request);
    for (const group of this.#groups) {
      if (!servesClaim(group, request)) continue;
      const candidates = new Candidates(
        reserved.filter((filed) => filed.group === group),
        () =>
          request.delayed
            ? []
            : Array.from(shelvesFor(group, request), (shelf) => shelf.volumes.from(request.size)),
      );
      const found = findMatchingVolume(candidates, request);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Finds the volume for a claim on a node as the scheduler does: within the claim's class, over all groups. */
  findForNode(request: NodeRequest): PersistentVolume | undefined {
    return this.finderFor(request)?.(request);
  }

  /**
   * Returns a finder for one claim on several nodes, valid as long as no volume changes; the requests may differ in node and
   * excluded volumes only. Returns undefined if no node can have a match: nothing is reserved for the claim, and no free volume
   * is large enough.
   */
  finderFor(request: MatchRequest): NodeFinder | undefined {
    const reserved = this.#reserved(request).filter(
      ({ volume }) => effectiveClassName(volume) === request.className,
    );
    const slots = this.#groups
      .filter((group) => servesClaim(group, request))
      .flatMap((group) => group.slots.get(requestedSlot(request)) ?? []);
    const isLargeEnough = ({ volumes }: Shelf): boolean =>
      (volumes.last?.size ?? -1n) >= request.size;
    if (
      reserved.length === 0 &&
      !slots.some((slot) => [...slot.shelves.values()].some(isLargeEnough))
    )
      return undefined;
    const walksFor = (asked: NodeRequest): readonly SizedVolumes[] => {
      const walks: SizedVolumes[] = [];
      for (const slot of slots) {
        for (const { volumes } of this.#inReach(slot, asked.node.labels))
          if (!volumes.isEmpty) walks.push(volumes.from(asked.size));
      }
      return walks;
    };
    const find = (asked: NodeRequest): PersistentVolume | undefined =>
      findMatchingVolume(new Candidates(reserved, () => walksFor(asked)), asked);
    if (reserved.length > 0) return find;
    // The match depends only on the shelves in reach, so nodes with the same reach share it.
    const first = new Found();
    return (asked) => {
      let found = first;
      for (const slot of slots) found = found.within(this.#inReach(slot, asked.node.labels));
      // With the same reach, the pod's other claims have mostly taken the same volumes.
      for (const name of asked.excluded ?? []) found = found.within(name);
      if (!found.isKnown) {
        found.volume = find(asked);
        found.isKnown = true;
      }
      return found.volume;
    };
  }

  /** Returns a free volume of the right class and size other than `butName`; it need not match the claim's selector. */
  nextFit(request: MatchRequest, butName: string): PersistentVolume | undefined {
    this.#fileAll();
    for (const group of this.#groups) {
      if (!servesClaim(group, request)) continue;
      for (const { volumes } of shelvesFor(group, request)) {
        const walk = volumes.from(request.size);
        for (let entry = walk.next(); entry !== undefined; entry = walk.next())
          if (entry.name !== butName) return entry.volume;
      }
    }
    return undefined;
  }

  /**
   * Returns volumes to compare with the claim: all if there are few, otherwise those that name it and the free ones nearest to
   * its size. If there are none of these, a few others represent the many that belong to other claims.
   */
  nearby(request: MatchRequest, countMax: number): readonly PersistentVolume[] {
    if (this.count <= countMax) return [...this.all()];
    const found = this.namingClaim(claimKey(request.claim)).slice(0, countMax);
    for (const group of this.#groups) {
      for (const slot of group.slots.values()) {
        for (const { volumes } of slot.shelves.values()) {
          if (found.length >= countMax) return found;
          const entry = volumes.from(request.size).next() ?? volumes.last;
          if (entry !== undefined) found.push(entry.volume);
        }
      }
    }
    return found.length > 0 ? found : this.#strangers();
  }

  #strangers(): readonly PersistentVolume[] {
    const found: PersistentVolume[] = [];
    for (const volume of this.all()) {
      if (found.length >= strangersMax) break;
      found.push(volume);
    }
    return found;
  }

  #change(filed: Filed, newest: PersistentVolume | undefined): void {
    filed.newest = newest;
    if (filed.isPending) return;
    filed.isPending = true;
    if (this.#lastPending === undefined) this.#firstPending = filed;
    else this.#lastPending.nextPending = filed;
    this.#lastPending = filed;
  }

  #fileAll(): void {
    let filed = this.#firstPending;
    this.#firstPending = undefined;
    this.#lastPending = undefined;
    for (let next: Filed | undefined; filed !== undefined; filed = next) {
      next = filed.nextPending;
      filed.nextPending = undefined;
      filed.isPending = false;
      if (filed.newest === undefined) this.#unfile(filed);
      else if (filed.newest !== filed.volume || filed.group === undefined)
        this.#file(filed, filed.newest);
    }
  }

  #unfile(filed: Filed): void {
    this.#volumes.delete(filed.name);
    filed.isGone = true;
    this.#all.hasLost();
    filed.shelf?.volumes.delete(filed);
    this.#fileByClaim(filed, undefined);
  }

  #file(filed: Filed, volume: PersistentVolume): void {
    const { spec } = filed.volume;
    const isNew = filed.group === undefined;
    const isSized = !isNew && spec.capacity === volume.spec.capacity;
    const size = isSized ? filed.size : sizeOf(volume);
    const group =
      filed.group !== undefined && spec.accessModes === volume.spec.accessModes
        ? filed.group
        : this.#group(volume);
    const shelf = isFree(volume) ? this.#shelf(group, volume) : undefined;
    const isMoved = shelf !== filed.shelf || size !== filed.size;
    if (isMoved) filed.shelf?.volumes.delete(filed);
    if (isNew || spec.claimRef !== volume.spec.claimRef)
      this.#fileByClaim(filed, claimKeyOf(volume));
    filed.volume = volume;
    filed.size = size;
    filed.roundedSize = Number(size);
    filed.group = group;
    filed.shelf = shelf;
    if (isMoved) shelf?.volumes.put(filed);
  }

  /** The volumes reserved for the claim, sorted by name. */
  #reserved({ claim }: MatchRequest): readonly Filed[] {
    this.#fileAll();
    const reserved = this.#byClaim.get(claimKey(claim));
    if (reserved === undefined) return [];
    return reserved.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  #inReach(slot: Slot, labels: Labels): readonly Shelf[] {
    return this.#byNodeAffinity ? slot.inReach(labels) : [...slot.shelves.values()];
  }

  #group(volume: PersistentVolume): ModeGroup {
    const modes = accessModeSet(volume.spec.accessModes);
    const name = modes.join();
    const known = this.#groups.find((group) => group.modes.join() === name);
    if (known !== undefined) return known;
    const group: ModeGroup = { modes, slots: new Map() };
    this.#groups.push(group);
    this.#groups.sort(
      (a, b) => a.modes.length - b.modes.length || (a.modes.join() < b.modes.join() ? -1 : 1),
    );
    return group;
  }

  /** Returns the shelf for a free volume, creating it if necessary. */
  #shelf(group: ModeGroup, volume: PersistentVolume): Shelf {
    const slotName = slotOf(volume);
    let slot = group.slots.get(slotName);
    if (slot === undefined) group.slots.set(slotName, (slot = new Slot()));
    const reach = this.#byNodeAffinity ? nodeAffinitySignature(volume) : "";
    return slot.shelves.get(reach) ?? slot.add(reach, volume);
  }

  #fileByClaim(filed: Filed, claim: Key | undefined): void {
    const before = filed.claim;
    if (before === claim) return;
    filed.claim = claim;
    if (before !== undefined) {
      const rest = this.#byClaim.get(before)?.filter((other) => other !== filed) ?? [];
      if (rest.length === 0) this.#byClaim.delete(before);
      else this.#byClaim.set(before, rest);
    }
    if (claim === undefined) return;
    this.#byClaim.set(claim, [...(this.#byClaim.get(claim) ?? []), filed]);
  }
}

const never = (): boolean => false;
const noVolumes: readonly PersistentVolume[] = [];

function isFree({ metadata, spec, status }: PersistentVolume): boolean {
  return (
    status?.phase === "Available" &&
    spec.claimRef === undefined &&
    metadata.deletionTimestamp === undefined
  );
}

/** Combines what must be equal between claim and volume. */
function slotName(className: string, volumeMode: string, attributesClassName: string): string {
  return `${className}\n${volumeMode}\n${attributesClassName}`;
}

function slotOf(volume: PersistentVolume): string {
  return slotName(
    effectiveClassName(volume),
    volumeModeOf(volume),
    volume.spec.volumeAttributesClassName ?? "",
  );
}

function servesClaim({ modes }: ModeGroup, { claim }: MatchRequest): boolean {
  return containsAllModes(modes, claim.spec.accessModes);
}

function shelvesFor(group: ModeGroup, request: MatchRequest): Iterable<Shelf> {
  return group.slots.get(requestedSlot(request))?.shelves.values() ?? [];
}

function requestedSlot({
  className,
  volumeMode,
  attributesClassName,
  attributesClasses,
}: MatchRequest): string {
  return slotName(className, volumeMode, attributesClasses ? attributesClassName : "");
}

function claimKey(claim: PersistentVolumeClaim): Key {
  return makeKey(claim.metadata.namespace, claim.metadata.name);
}

/** Iterates over reserved volumes, then over those of several shelves in one order. */
class Candidates implements VolumeWalk {
  readonly #reserved: readonly Filed[];
  #reservedCount = 0;
  readonly #walksOf: () => readonly SizedVolumes[];
  /** Created when the first free volume is asked for, because a reserved one may match before that. */
  #walks: readonly SizedVolumes[] | undefined;
  /** The next volume of each walk, once the first was asked for. */
  #heads: (SizedVolume | undefined)[] | undefined;

  constructor(reserved: readonly Filed[], walksOf: () => readonly SizedVolumes[]) {
    this.#reserved = reserved;
    this.#walksOf = walksOf;
  }

  next(): PersistentVolume | undefined {
    const reserved = this.#reserved[this.#reservedCount];
    if (reserved !== undefined) {
      this.#reservedCount++;
      return reserved.volume;
    }
    const walks = (this.#walks ??= this.#walksOf());
    return walks.length === 1 ? walks[0]?.next()?.volume : this.#first(walks);
  }

  #first(walks: readonly SizedVolumes[]): PersistentVolume | undefined {
    const heads = (this.#heads ??= walks.map((walk) => walk.next()));
    let first: SizedVolume | undefined;
    for (const head of heads) {
      if (head === undefined) continue;
      if (first === undefined || compareSizedVolumes(head, first) < 0) first = head;
    }
    if (first === undefined) return undefined;
    const at = heads.indexOf(first);
    heads[at] = walks[at]?.next();
    return first.volume;
  }
}
