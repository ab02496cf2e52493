/**
 * How much of a zone is down: if everything seems so, the controller itself is more likely cut off. Upstream: pkg/controller/
 * nodelifecycle/node_lifecycle_controller.go ComputeZoneState, handleDisruption, ReducedQPSFunc v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { zoneKeyOf } from "../../matching/node-state.ts";
import type { Instant } from "../../trace/instant.ts";
import { evictionIntervalMs } from "./eviction-limiter.ts";
import { EvictionQueue } from "./eviction-queue.ts";

type Node = KubeObject<"Node">;

/** Upstream: SecondaryNodeEvictionRate 0.01/s, LargeClusterSizeThreshold, UnhealthyZoneThreshold. */
const secondaryIntervalMs = 100_000;
const largeZoneNodeCount = 50;
const unhealthyFraction = 0.55;
/** Nodes with this label do not count here, though their pods may be evicted. Upstream: labelNodeDisruptionExclusion. */
const excluded = "node.kubernetes.io/exclude-disruption";

type ZoneState = "normal" | "partial disruption" | "full disruption";

/** A node as the check of all nodes finds it. */
export interface Seen {
  readonly node: Node;
  readonly ready: string | undefined;
}

interface Zone {
  /** Undefined before its first check, and while none of its nodes counts. */
  state: ZoneState | undefined;
  readonly queue: EvictionQueue;
}

/** The cluster's zones, as the last check of all nodes has found them. */
export class Zones {
  readonly #zones = new Map<string, Zone>();
  #isEvictionStopped = false;

  /** True since all zones were found to be down. */
  get isEvictionStopped(): boolean {
    return this.#isEvictionStopped;
  }

  get names(): Iterable<string> {
    return this.#zones.keys();
  }

  queue(zone: string): EvictionQueue {
    return this.#zone(zone).queue;
  }

  /**
   * Returns true if all zones were down and no longer are. A zone that is still down when a new zone with ready nodes appears
   * stays stopped, because its own state has not changed. A zone in which no node counts keeps its queue, but not its state.
   */
  update(nodes: readonly Seen[], now: Instant): boolean {
    const states = statesOf(nodes);
    const names = new Set(states.map(({ name }) => name));
    for (const [name, zone] of this.#zones) if (!names.has(name)) zone.state = undefined;
    const found = states.map((zone) => ({ ...zone, known: this.#zone(zone.name) }));
    const isDown = (state: ZoneState | undefined): boolean => state === "full disruption";
    const wereAllDown = found.length > 0 && found.every(({ known }) => isDown(known.state));
    const areAllDown = found.length > 0 && found.every(({ state }) => isDown(state));
    for (const { known, state, nodeCount } of found) {
      if (known.state === state && wereAllDown === areAllDown) continue;
      known.state = state;
      known.queue.limiter.setInterval(areAllDown ? undefined : intervalMs(state, nodeCount), now);
    }
    if (!areAllDown || !wereAllDown) this.#isEvictionStopped = areAllDown;
    return wereAllDown && !areAllDown;
  }

  #zone(name: string): Zone {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const zone = { state: undefined, queue: new EvictionQueue() };
    this.#zones.set(name, zone);
    return zone;
  }
}

interface Found {
  readonly name: string;
  readonly state: ZoneState;
  readonly nodeCount: number;
}

function statesOf(nodes: readonly Seen[]): readonly Found[] {
  const counts = new Map<string, { ready: number; notReady: number }>();
  for (const { node, ready } of nodes) {
    if (node.metadata.labels?.[excluded] !== undefined) continue;
    const zone = zoneKeyOf(node);
    const count = counts.get(zone) ?? { ready: 0, notReady: 0 };
    if (ready === "True") count.ready++;
    else count.notReady++;
    counts.set(zone, count);
  }
  return [...counts].map(([name, { ready, notReady }]) => ({
    name,
    state: stateOf(ready, notReady),
    nodeCount: ready + notReady,
  }));
}

/** Time between the evictions of two nodes' pods; undefined if there are none. */
function intervalMs(state: ZoneState, nodeCount: number): number | undefined {
  if (state !== "partial disruption") return evictionIntervalMs;
  return nodeCount > largeZoneNodeCount ? secondaryIntervalMs : undefined;
}

function stateOf(ready: number, notReady: number): ZoneState {
  if (ready === 0 && notReady > 0) return "full disruption";
  return notReady > 2 && notReady / (notReady + ready) >= unhealthyFraction
    ? "partial disruption"
    : "normal";
}
