/**
 * All volumes, filed so that a claim's match is found without looking at each: by access modes, then by what has to be equal
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

/** The volume that was found where some shelves are in reach and some volumes are taken. */
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

/** A volume, as it was filed and as it is: it changes several times between two questions, and is filed when one is asked. */
class Filed implements SizedVolume {
  /** The newest; undefined where it is gone. */
  newest: PersistentVolume | undefined;
  isPending = false;
  /** The one that became pending after it. */
  nextPending: Filed | undefined = undefined;
  isGone = false;
  readonly name: string;
  /** What follows is of this one. */
  volume: PersistentVolume;
  size = 0n;
  roundedSize = 0;
  /** Undefined until it is first filed. */
  group: ModeGroup | undefined = undefined;
  /** Where it stands while it is free. */
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

/** How many volumes of other claims stand for all of them. */
const strangersMax = 3;

export interface InventoryOptions {
  /** Serves matches for a node: volumes out of its reach are then skipped together. */
  readonly byNodeAffinity: boolean;
  /** Its own where absent. */
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
  /** What is to be filed, in order: a chain, for it is short and there is a new one at every step. */
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

  /** Grows with every change, and with news that tell of none. */
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

  /** Volumes whose claimRef names the claim, whatever its uid. */
  namingClaim(claim: Key): readonly PersistentVolume[] {
    this.#fileAll();
    return this.#byClaim.get(claim)?.map(({ volume }) => volume) ?? noVolumes;
  }

  put(volume: PersistentVolume): void {
    this.putUnless(volume, never);
  }

  /** The same, but false and nothing done where the volume is known and this is said of it. */
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
   * The volume for a claim as the PV controller chooses it: the first group of access modes that has one wins, so neither
   * the smallest nor the reserved volume is that of all groups. Upstream: findBestMatchForClaim.
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

  /** The volume for a claim on a node as the scheduler chooses it: of the claim's class, over all groups. */
  findForNode(request: NodeRequest): PersistentVolume | undefined {
    return this.finderFor(request)?.(request);
  }

  /**
   * The same for one claim on node after node, as long as no volume changes; the requests differ in the node and the excluded
   * volumes only. Undefined where no node makes a difference: nothing is reserved for the claim, nothing free is large enough.
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
    // What is free is found by what is in reach: nodes with the same reach are not told apart.
    const first = new Found();
    return (asked) => {
      let found = first;
      for (const slot of slots) found = found.within(this.#inReach(slot, asked.node.labels));
      // The other claims of the pod have taken the same from where the same is in reach, mostly.
      for (const name of asked.excluded ?? []) found = found.within(name);
      if (!found.isKnown) {
        found.volume = find(asked);
        found.isKnown = true;
      }
      return found.volume;
    };
  }

  /** A free volume of the right class and size but that one; it need not match the claim's selector. */
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
   * Some volumes that a person would compare with the claim: all where there are few, else those that name it and the free
   * ones nearest to its size. Where none of these exist, a few others stand for the many that somebody else has.
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

  /** In order of name. */
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

  /** The shelf for a free volume. */
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

/** What has to be equal between claim and volume, as one text. */
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

/** Reserved volumes, then those of several shelves in one order. */
class Candidates implements VolumeWalk {
  readonly #reserved: readonly Filed[];
  #reservedCount = 0;
  readonly #walksOf: () => readonly SizedVolumes[];
  /** Begun once the first free volume is asked for: a reserved one may come to be taken before. */
  #walks: readonly SizedVolumes[] | undefined;
  /** The next one of each walk, once the first was asked for. */
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
