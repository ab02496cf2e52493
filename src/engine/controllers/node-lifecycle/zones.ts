/**
 * How much of a zone is down: where everything seems dead, the observer is more likely to be. Upstream: pkg/controller/
 * nodelifecycle/node_lifecycle_controller.go ComputeZoneState, handleDisruption, ReducedQPSFunc v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { zoneKeyOf } from "../../matching/node-state.ts";
import { readiness } from "./taints.ts";

type Node = KubeObject<"Node">;

/** Upstream: NodeEvictionRate 0.1/s, SecondaryNodeEvictionRate 0.01/s, LargeClusterSizeThreshold, UnhealthyZoneThreshold. */
export const evictionIntervalMs = 10_000;
const secondaryIntervalMs = 100_000;
const largeZoneNodeCount = 50;
const unhealthyFraction = 0.55;
/** Nodes that do not count, though their own pods may have to go. Upstream: labelNodeDisruptionExclusion. */
const excluded = "node.kubernetes.io/exclude-disruption";

export type ZoneState = "normal" | "partial disruption" | "full disruption";

interface Zone {
  readonly state: ZoneState;
  readonly nodeCount: number;
}

/** The cluster's zones at one moment. */
export class Zones {
  readonly #zones = new Map<string, Zone>();

  constructor(nodes: readonly Node[]) {
    const counts = new Map<string, { ready: number; notReady: number }>();
    for (const node of nodes) {
      if (node.metadata.labels?.[excluded] !== undefined) continue;
      const zone = zoneKeyOf(node);
      const count = counts.get(zone) ?? { ready: 0, notReady: 0 };
      if (readiness(node) === "True") count.ready++;
      else count.notReady++;
      counts.set(zone, count);
    }
    for (const [zone, { ready, notReady }] of counts) {
      this.#zones.set(zone, { state: stateOf(ready, notReady), nodeCount: ready + notReady });
    }
  }

  get areAllFullyDisrupted(): boolean {
    const zones = [...this.#zones.values()];
    return zones.length > 0 && zones.every((zone) => zone.state === "full disruption");
  }

  /** Between two nodes of a zone whose pods are evicted; undefined where none are. */
  evictionIntervalMs(zone: string): number | undefined {
    if (this.areAllFullyDisrupted) return undefined;
    const { state, nodeCount } = this.#zones.get(zone) ?? { state: "normal", nodeCount: 0 };
    if (state !== "partial disruption") return evictionIntervalMs;
    return nodeCount > largeZoneNodeCount ? secondaryIntervalMs : undefined;
  }
}

function stateOf(ready: number, notReady: number): ZoneState {
  if (ready === 0 && notReady > 0) return "full disruption";
  return notReady > 2 && notReady / (notReady + ready) >= unhealthyFraction
    ? "partial disruption"
    : "normal";
}
