/**
 * All volumes, filed so that a claim's match is found without looking at each: by access modes, then by what has to be equal
 * (class, volume mode, attributes class), then by size. Upstream: pkg/controller/volume/persistentvolume/index.go v1.36
 * persistentVolumeOrderedIndex, and the scheduler's pv assume cache, which index less and scan more.
 */
import type { Labels } from "../api/label-selector.ts";
import type { Key } from "../api/meta.ts";
import { makeKey } from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";
import { accessModeSet, containsAllModes } from "./access-modes.ts";
import { claimKeyOf } from "./claim-reference.ts";
import { type MatchRequest, sizeOf, volumeModeOf } from "./match-request.ts";
import { isReachableFrom, nodeAffinitySignature } from "./node-affinity.ts";
import { compareSizedVolumes, type SizedVolume, SortedVolumes } from "./sorted-volumes.ts";
import { findMatchingVolume } from "./volume-match.ts";

/** Free volumes that are reachable from the same nodes. */
interface Shelf {
  readonly sample: PersistentVolume;
  readonly volumes: SortedVolumes;
}

/** Shelves for one kind of claim, by node affinity. A shelf stays when its last volume goes. */
interface Slot {
  readonly shelves: Map<string, Shelf>;
  /** Shelves within a node's reach, by the node's labels; forgotten when a shelf is added. */
  reachable: WeakMap<Labels, readonly Shelf[]>;
}

/** Volumes with the same access modes. */
interface ModeGroup {
  readonly modes: readonly string[];
  /** By `slotName`, then by node affinity. */
  readonly slots: Map<string, Slot>;
}

interface Filed {
  readonly entry: SizedVolume;
  readonly group: ModeGroup;
  /** Where the volume stands while it is free. */
  readonly place: { readonly slot: string; readonly shelf: string } | undefined;
}

export type NodeRequest = MatchRequest & { readonly node: NonNullable<MatchRequest["node"]> };

/** Finds a claim's volume on a node. */
export type NodeFinder = (request: NodeRequest) => PersistentVolume | undefined;

/** How many volumes of other claims stand for all of them. */
const strangersMax = 3;

export class VolumeInventory {
  readonly #byNodeAffinity: boolean;
  readonly #volumes = new Map<string, Filed>();
  /** Ordered by number of modes, then by name. */
  readonly #groups: ModeGroup[] = [];
  readonly #byClaim = new Map<Key, Map<string, PersistentVolume>>();
  /** Changes that are filed when somebody asks: a volume changes several times between two questions. */
  readonly #pending = new Map<string, PersistentVolume | undefined>();
  #version = 0;

  /** `byNodeAffinity` serves matches for a node: volumes out of its reach are then skipped together. */
  constructor(options: { readonly byNodeAffinity: boolean }) {
    this.#byNodeAffinity = options.byNodeAffinity;
  }

  get count(): number {
    this.#fileAll();
    return this.#volumes.size;
  }

  /** Grows with every change, and with news that tell of none. */
  get version(): number {
    return this.#version;
  }

  get(name: string): PersistentVolume | undefined {
    return this.#pending.has(name)
      ? this.#pending.get(name)
      : this.#volumes.get(name)?.entry.volume;
  }

  *all(): Generator<PersistentVolume> {
    this.#fileAll();
    for (const { entry } of this.#volumes.values()) yield entry.volume;
  }

  /** Volumes whose claimRef names the claim, whatever its uid. */
  namingClaim(claim: Key): readonly PersistentVolume[] {
    this.#fileAll();
    const volumes = this.#byClaim.get(claim);
    return volumes === undefined ? [] : [...volumes.values()];
  }

  put(volume: PersistentVolume): void {
    this.#version++;
    this.#pending.set(volume.metadata.name, volume);
  }

  delete(name: string): void {
    if (this.get(name) === undefined) return;
    this.#version++;
    this.#pending.set(name, undefined);
  }

  /**
   * The volume for a claim as the PV controller chooses it: the first group of access modes that has one wins, so neither
   * the smallest nor the reserved volume is that of all groups. Upstream: findBestMatchForClaim.
   */
  find(request: MatchRequest): PersistentVolume | undefined {
    this.#fileAll();
    for (const group of this.#groupsFor(request.claim)) {
      const found = findMatchingVolume(this.#candidates(group, request), request);
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
      (volume) => effectiveClassName(volume) === request.className,
    );
    const slots = this.#groupsFor(request.claim).flatMap(
      (group) => group.slots.get(requestedSlot(request)) ?? [],
    );
    const isLargeEnough = ({ volumes }: Shelf): boolean =>
      (volumes.last?.size ?? -1n) >= request.size;
    if (
      reserved.length === 0 &&
      !slots.some((slot) => [...slot.shelves.values()].some(isLargeEnough))
    )
      return undefined;
    return (asked) => {
      const streams: Generator<SizedVolume>[] = [];
      for (const slot of slots) {
        for (const { volumes } of this.#inReach(slot, asked.node.labels))
          if (!volumes.isEmpty) streams.push(volumes.from(asked.size));
      }
      return findMatchingVolume(reservedFirst(reserved, streams), asked);
    };
  }

  /** A free volume of the right class and size but that one; it need not match the claim's selector. */
  nextFit(request: MatchRequest, butName: string): PersistentVolume | undefined {
    this.#fileAll();
    for (const group of this.#groupsFor(request.claim)) {
      for (const { volumes } of shelvesFor(group, request)) {
        for (const { volume } of volumes.from(request.size)) {
          if (volume.metadata.name !== butName) return volume;
        }
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
          const first = volumes.from(request.size).next();
          const entry = first.done === true ? volumes.last : first.value;
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

  #fileAll(): void {
    if (this.#pending.size === 0) return;
    for (const [name, volume] of this.#pending) {
      const before = this.#volumes.get(name);
      if (before !== undefined && before.entry.volume === volume) continue;
      if (volume === undefined) {
        this.#volumes.delete(name);
        if (before !== undefined) this.#unshelve(before);
      } else {
        const filed = this.#file(volume, before);
        if (before !== undefined && !isSamePlace(before, filed)) this.#unshelve(before);
        this.#volumes.set(name, filed);
        this.#shelve(filed);
      }
      this.#fileByClaim(before?.entry.volume, volume);
    }
    this.#pending.clear();
  }

  #groupsFor(claim: PersistentVolumeClaim): readonly ModeGroup[] {
    return this.#groups.filter((group) => containsAllModes(group.modes, claim.spec.accessModes));
  }

  *#candidates(group: ModeGroup, request: MatchRequest): Generator<PersistentVolume> {
    yield* this.#reserved(request).filter(
      (volume) => this.#volumes.get(volume.metadata.name)?.group === group,
    );
    if (request.delayed) return;
    const shelves = [...shelvesFor(group, request)];
    yield* merged(shelves.map((shelf) => shelf.volumes.from(request.size)));
  }

  #reserved({ claim }: MatchRequest): PersistentVolume[] {
    return this.namingClaim(claimKey(claim)).toSorted((a, b) =>
      a.metadata.name < b.metadata.name ? -1 : 1,
    );
  }

  #inReach(slot: Slot, labels: Labels): readonly Shelf[] {
    let shelves = slot.reachable.get(labels);
    if (shelves === undefined) {
      shelves = [...slot.shelves.values()].filter(
        ({ sample }) => !this.#byNodeAffinity || isReachableFrom(sample, labels),
      );
      slot.reachable.set(labels, shelves);
    }
    return shelves;
  }

  #file(volume: PersistentVolume, before: Filed | undefined): Filed {
    const known = before?.entry.volume;
    const size =
      known?.spec.capacity === volume.spec.capacity && before !== undefined
        ? before.entry.size
        : sizeOf(volume);
    const group =
      known?.spec.accessModes === volume.spec.accessModes && before !== undefined
        ? before.group
        : this.#group(volume);
    const free =
      volume.status?.phase === "Available" &&
      volume.spec.claimRef === undefined &&
      volume.metadata.deletionTimestamp === undefined;
    const place = free
      ? { slot: slotOf(volume), shelf: this.#byNodeAffinity ? nodeAffinitySignature(volume) : "" }
      : undefined;
    return { entry: { size, volume }, group, place };
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

  #shelve({ entry, group, place }: Filed): void {
    if (place === undefined) return;
    let slot = group.slots.get(place.slot);
    if (slot === undefined) {
      slot = { shelves: new Map(), reachable: new WeakMap() };
      group.slots.set(place.slot, slot);
    }
    let shelf = slot.shelves.get(place.shelf);
    if (shelf === undefined) {
      shelf = { sample: entry.volume, volumes: new SortedVolumes() };
      slot.shelves.set(place.shelf, shelf);
      slot.reachable = new WeakMap();
    }
    shelf.volumes.put(entry);
  }

  #unshelve({ entry, group, place }: Filed): void {
    if (place === undefined) return;
    group.slots.get(place.slot)?.shelves.get(place.shelf)?.volumes.delete(entry);
  }

  #fileByClaim(before: PersistentVolume | undefined, after: PersistentVolume | undefined): void {
    const from = before === undefined ? undefined : claimKeyOf(before);
    const to = after === undefined ? undefined : claimKeyOf(after);
    if (before !== undefined && from !== undefined && from !== to) {
      const volumes = this.#byClaim.get(from);
      volumes?.delete(before.metadata.name);
      if (volumes?.size === 0) this.#byClaim.delete(from);
    }
    if (after === undefined || to === undefined) return;
    let volumes = this.#byClaim.get(to);
    if (volumes === undefined) this.#byClaim.set(to, (volumes = new Map()));
    volumes.set(after.metadata.name, after);
  }
}

function isSamePlace(a: Filed, b: Filed): boolean {
  return (
    a.group === b.group &&
    a.entry.size === b.entry.size &&
    a.place !== undefined &&
    a.place.slot === b.place?.slot &&
    a.place.shelf === b.place.shelf
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

function* reservedFirst(
  reserved: readonly PersistentVolume[],
  streams: readonly Generator<SizedVolume>[],
): Generator<PersistentVolume> {
  yield* reserved;
  yield* merged(streams);
}

/** Several ordered streams as one. */
function* merged(streams: readonly Generator<SizedVolume>[]): Generator<PersistentVolume> {
  const only = streams[0];
  if (streams.length === 1 && only !== undefined) {
    for (const { volume } of only) yield volume;
    return;
  }
  const heads = streams.flatMap((stream) => {
    const next = stream.next();
    return next.done === true ? [] : [{ entry: next.value, stream }];
  });
  for (;;) {
    let first = heads[0];
    for (const head of heads)
      if (first !== undefined && compareSizedVolumes(head.entry, first.entry) < 0) first = head;
    if (first === undefined) return;
    yield first.entry.volume;
    const next = first.stream.next();
    if (next.done === true) heads.splice(heads.indexOf(first), 1);
    else first.entry = next.value;
  }
}
