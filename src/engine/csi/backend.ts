/**
 * The storage behind a driver: volumes, snapshots, pools, publications. It refuses what any careful real driver would; the
 * traits in a driver's profile decide the rest.
 */
import { compareText } from "../api/go/text-order.ts";
import { quantityBytes } from "../api/quantity.ts";
import { unixMs } from "../api/timestamp.ts";
import type { NodeProfile } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { nodeIdOf, segmentOf, topologyKeysOf } from "./driver-capabilities.ts";
import type { DriverProfile, SegmentSpan } from "./driver-profile.ts";
import type {
  SnapshotMessage,
  Topology,
  TopologyRequirement,
  VolumeContentSource,
  VolumeMessage,
} from "./messages.ts";
import { isMissing, isRefusal, type Refusal, refuse } from "./rpc.ts";
import { sizeText } from "./size.ts";
import { isOneOf, parametersOf } from "./volume-condition.ts";
import { VolumeSizes } from "./volume-sizes.ts";

export interface Publication {
  readonly readonly: boolean;
  readonly mode: string;
  readonly type: "Block" | "Filesystem";
  readonly singleNode: boolean;
}

export interface StoredVolume {
  readonly id: string;
  /** True if nobody created it: its first use made it count as pre-provisioned. */
  readonly isStatic: boolean;
  /** 0 if unknown. */
  size: bigint;
  /** The topology segments from which it can be reached; empty: from everywhere. */
  readonly segments: readonly string[];
  readonly mode: "Block" | "Filesystem" | undefined;
  readonly source: VolumeContentSource | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  mutableParameters: Readonly<Record<string, string>>;
  /** An expansion that the driver had refused for good before the run: to this size or beyond. */
  readonly refusedGrowth?: { readonly size: bigint; readonly refusal: Refusal } | undefined;
  /** By the ids of the nodes that it is published to. */
  readonly published: Map<string, Publication>;
}

export interface StoredSnapshot {
  readonly id: string;
  readonly isStatic: boolean;
  readonly volume: string;
  readonly size: bigint;
  readonly createdAt: Instant;
}

/** What a node's plugin has staged, by volume and staging path, and published, by target path. */
export interface NodeState {
  readonly staged: Map<string, { readonly kind: string }>;
  readonly published: Map<string, { readonly volume: string; readonly kind: string }>;
}

/** The pools that a volume takes space from. */
export function poolsOf({ segments }: StoredVolume): readonly string[] {
  return segments.length === 0 ? [""] : segments;
}

function attributesOf(
  profile: DriverProfile,
  { id, parameters, segments }: StoredVolume,
): Readonly<Record<string, string>> {
  const { newAttributes } = profile;
  if (newAttributes === undefined) return parameters;
  const parameterOf = parametersOf(profile, parameters);
  const filled = (value: string): string =>
    value
      .replaceAll("<ID>", id)
      .replaceAll("<SEGMENT>", segments[0] ?? "")
      .replaceAll(/<@([\w./-]+)\??>/g, (_, key: string) => parameterOf(key));
  return Object.fromEntries(
    Object.entries(newAttributes)
      .map(([key, value]): readonly [string, string] => [key, filled(value)])
      .filter(([key, value]) => value !== "" || newAttributes[key]?.endsWith("?>") !== true),
  );
}

function spanOf(
  profile: DriverProfile,
  parameters: Readonly<Record<string, string>>,
): SegmentSpan | undefined {
  if (profile.spans === undefined) return undefined;
  const parameterOf = parametersOf(profile, parameters);
  return profile.spans.find((span) => isOneOf({ ...span, foldsCase: true }, parameterOf));
}

/** What changed the free space of a pool. */
export type RoomChange = "creation" | "deletion" | "growth";

export class Backend {
  readonly profile: DriverProfile;
  readonly sizes: VolumeSizes;
  /** By the ids that the driver uses for them. */
  readonly nodes: ReadonlyMap<string, NodeProfile>;
  readonly volumes: Map<string, StoredVolume> = new Map();
  readonly snapshots: Map<string, StoredSnapshot> = new Map();
  readonly deletedVolumes: Set<string> = new Set();
  readonly deletedSnapshots: Set<string> = new Set();
  readonly #onNode: ReadonlyMap<string, NodeState>;
  readonly #segments: readonly string[];
  /** 0: unlimited. */
  readonly #poolPerZone: bigint;
  /** Cached by requirement: the provisioner passes the same one for thousands of claims. */
  readonly #candidatesOf = new WeakMap<TopologyRequirement, readonly string[]>();
  /** Bytes used by the volumes of each segment. */
  readonly #used = new Map<string, bigint>();

  #roomListeners: ((change: RoomChange) => void)[] = [];

  constructor(profile: DriverProfile, nodes: readonly NodeProfile[]) {
    this.profile = profile;
    this.nodes = new Map(nodes.map((node) => [nodeIdOf(profile.name, node), node]));
    this.#onNode = new Map(
      nodes.map((node) => [node.name, { staged: new Map(), published: new Map() }]),
    );
    this.sizes = new VolumeSizes(profile);
    this.#poolPerZone = quantityBytes(profile.poolPerZone);
    const values = new Set<string>();
    for (const node of nodes) {
      const segment = segmentOf(profile, node);
      if (segment !== undefined) values.add(segment);
    }
    this.#segments = profile.topologyKey === "" ? [""] : [...values].sort(compareText);
  }

  nodeState(node: string): NodeState | undefined {
    return this.#onNode.get(node);
  }

  /** Returns the volume. An unknown one counts as pre-provisioned, unless it was deleted or the profile rejects those. */
  volume(id: string | undefined): StoredVolume | Refusal {
    if (id === undefined || id === "") return isMissing("volume id");
    const known = this.volumes.get(id);
    if (known !== undefined) return known;
    if (this.profile.staticVolumes !== "adopt" || this.deletedVolumes.has(id)) {
      return refuse("NotFound", `volume ${id} does not exist`);
    }
    const adopted: StoredVolume = {
      id,
      isStatic: true,
      size: 0n,
      segments: [],
      mode: undefined,
      source: undefined,
      parameters: {},
      mutableParameters: {},
      published: new Map(),
    };
    this.volumes.set(id, adopted);
    return adopted;
  }

  snapshot(id: string | undefined, now: Instant): StoredSnapshot | Refusal {
    if (id === undefined || id === "") return isMissing("snapshot id");
    const known = this.snapshots.get(id);
    if (known !== undefined) return known;
    if (this.profile.staticSnapshots !== "adopt" || this.deletedSnapshots.has(id)) {
      return refuse("NotFound", `snapshot ${id} does not exist`);
    }
    const adopted: StoredSnapshot = { id, isStatic: true, volume: "", size: 0n, createdAt: now };
    this.snapshots.set(id, adopted);
    return adopted;
  }

  addVolume(volume: StoredVolume): void {
    this.volumes.set(volume.id, volume);
    this.deletedVolumes.delete(volume.id);
    this.#take(volume, volume.size, "creation");
  }

  deleteVolume(id: string): void {
    const volume = this.volumes.get(id);
    if (volume !== undefined) this.#take(volume, -volume.size, "deletion");
    this.volumes.delete(id);
    this.deletedVolumes.add(id);
  }

  grow(volume: StoredVolume, size: bigint): void {
    this.#take(volume, size - volume.size, "growth");
    volume.size = size;
  }

  /** Pre-provisioned volumes take no space from a pool. */
  #take(volume: StoredVolume, more: bigint, change: RoomChange): void {
    if (volume.isStatic) return;
    const listeners = this.#roomListeners;
    this.#roomListeners = [];
    for (const listener of listeners) listener(change);
    for (const segment of poolsOf(volume)) {
      this.#used.set(segment, (this.#used.get(segment) ?? 0n) + more);
    }
  }

  /** Calls `action` once, at the next change of a pool's free space. */
  whenRoomChanges(action: (change: RoomChange) => void): void {
    this.#roomListeners.push(action);
  }

  /** Ids of the nodes to which the volume is published or on which it is mounted. */
  usersOf(volume: StoredVolume): readonly string[] {
    const ids = new Set(volume.published.keys());
    for (const [nodeId, { name }] of this.nodes) {
      for (const { volume: id } of this.nodeState(name)?.published.values() ?? [])
        if (id === volume.id) ids.add(nodeId);
    }
    return [...ids].sort(compareText);
  }

  /** Topology segments with storage; [""] if the driver has no topology. */
  segments(): readonly string[] {
    return this.#segments;
  }

  /** Free bytes in a segment's pool; undefined if unlimited. */
  free(segment: string): bigint | undefined {
    if (this.#poolPerZone === 0n) return undefined;
    const free = this.#poolPerZone - (this.#used.get(segment) ?? 0n);
    return free > 0n ? free : 0n;
  }

  roomError(segment: string, more: bigint, use: "create" | "grow"): Refusal | undefined {
    const free = this.free(segment);
    if (free === undefined || more <= free) return undefined;
    const own = this.profile.noRoom?.[use];
    if (own !== undefined) {
      const text = own.text.replace("<FREE>", String(free)).replace("<NEEDED>", String(more));
      return refuse(own.code, text);
    }
    const pool = segment === "" ? "pool" : `pool of ${segment}`;
    return refuse(
      "ResourceExhausted",
      `${pool} has ${sizeText(free)} left, ${sizeText(more)} needed`,
    );
  }

  /**
   * Returns the segments of a new volume: the first candidate, or with placement "spill" the first that has space; several if a
   * parameter of its class says so. None if it is reachable from everywhere.
   */
  place(
    requirement: TopologyRequirement | undefined,
    size: bigint,
    parameters: Readonly<Record<string, string>>,
  ): readonly string[] | Refusal {
    const { topologyKey, reachesAllSegments, placement, name } = this.profile;
    if (topologyKey === "" || reachesAllSegments === true)
      return this.roomError("", size, "create") ?? [];
    const candidates = this.#candidates(requirement);
    const [first] = candidates;
    if (first === undefined) {
      return refuse("ResourceExhausted", `${name} has no storage in the requested topology`);
    }
    const span = spanOf(this.profile, parameters);
    if (span !== undefined) return this.#span(span, candidates, size);
    const fits = (segment: string): boolean =>
      this.roomError(segment, size, "create") === undefined;
    const spilled = placement === "spill" ? candidates.find(fits) : undefined;
    if (spilled !== undefined) return [spilled];
    return this.roomError(first, size, "create") ?? [first];
  }

  #span(
    { count, refusal = "" }: SegmentSpan,
    candidates: readonly string[],
    size: bigint,
  ): readonly string[] | Refusal {
    if (count !== undefined && candidates.length < count) {
      return refuse("InvalidArgument", refusal.replaceAll("<COUNT>", String(candidates.length)));
    }
    const segments = count === undefined ? this.#segments : candidates.slice(0, count);
    for (const segment of segments) {
      const full = this.roomError(segment, size, "create");
      if (full !== undefined) return full;
    }
    return segments;
  }

  /** The candidate segments: those of the requirement, preferred ones first, else all. */
  #candidates(requirement: TopologyRequirement | undefined): readonly string[] {
    if (requirement === undefined) return this.#segments;
    let found = this.#candidatesOf.get(requirement);
    if (found === undefined) {
      const asked = [...(requirement.preferred ?? []), ...(requirement.requisite ?? [])];
      found = asked.length === 0 ? this.#segments : this.#known(asked);
      this.#candidatesOf.set(requirement, found);
    }
    return found;
  }

  #known(topologies: readonly Topology[]): readonly string[] {
    const keys = topologyKeysOf(this.profile);
    // The requirement may have keys that say nothing about the place, such as the operating system.
    const isKnown = (value: string | undefined): boolean =>
      value !== undefined && this.#segments.includes(value);
    const wanted = new Set(
      topologies.map(({ segments }) => keys.map((key) => segments[key]).find(isKnown)),
    );
    return [...wanted].filter((segment) => segment !== undefined);
  }

  volumeMessage(volume: StoredVolume): VolumeMessage {
    const { topologyKey, answersSize = true } = this.profile;
    const topology = volume.segments.map(
      (segment): Topology => ({ segments: { [topologyKey]: segment } }),
    );
    return {
      volume_id: volume.id,
      capacity_bytes: answersSize ? String(volume.size) : "0",
      volume_context: attributesOf(this.profile, volume),
      ...(volume.source !== undefined && { content_source: volume.source }),
      ...(topology.length > 0 && { accessible_topology: topology }),
    };
  }

  snapshotMessage(snapshot: StoredSnapshot, now: Instant): SnapshotMessage {
    const { createdAt } = snapshot;
    return {
      snapshot_id: snapshot.id,
      source_volume_id: snapshot.volume,
      size_bytes: String(snapshot.size),
      creation_time: {
        seconds: String(Math.floor(unixMs(createdAt) / 1000)),
        nanos: (unixMs(createdAt) % 1000) * 1_000_000,
      },
      ready_to_use: snapshot.isStatic || now - createdAt >= this.profile.snapshotReadyAfterMs,
    };
  }

  /** The size of the source of a new volume; 0 without a source. */
  sourceSize(source: VolumeContentSource | undefined, now: Instant): bigint | Refusal {
    const { name, snapshots, clone } = this.profile;
    if (source?.snapshot !== undefined) {
      if (!snapshots) return refuse("InvalidArgument", `${name} has no snapshots`);
      const snapshot = this.snapshot(source.snapshot.snapshot_id, now);
      return isRefusal(snapshot) ? snapshot : snapshot.size;
    }
    if (source?.volume !== undefined) {
      if (!clone) return refuse("InvalidArgument", `${name} cannot clone volumes`);
      const volume = this.volume(source.volume.volume_id);
      return isRefusal(volume) ? volume : volume.size;
    }
    return 0n;
  }
}
