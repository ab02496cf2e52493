/**
 * How much of a zone is down: where everything seems dead, the observer is more likely to be. Upstream: pkg/controller/
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
/** Nodes that do not count, though their own pods may have to go. Upstream: labelNodeDisruptionExclusion. */
const excluded = "node.kubernetes.io/exclude-disruption";

type ZoneState = "normal" | "partial disruption" | "full disruption";

/** A node as a look at all of them finds it. */
export interface Seen {
  readonly node: Node;
  readonly ready: string | undefined;
}

interface Zone {
  /** Undefined before its first look. */
  state: ZoneState | undefined;
  readonly queue: EvictionQueue;
}

/** The cluster's zones, as the last look at all nodes has found them. */
export class Zones {
  readonly #zones = new Map<string, Zone>();
  #isEvictionStopped = false;

  /** Everything was seen to go down. */
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
   * True where everything was down up to now. A zone that was down with all others and still is when a zone comes in which
   * something is well stays stopped, for its own state is what it was. A zone in which no node counts keeps its queue, but no
   * state.
   */
  look(nodes: readonly Seen[], now: Instant): boolean {
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

/** Between two nodes of a zone whose pods are evicted; undefined where none are. */
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
