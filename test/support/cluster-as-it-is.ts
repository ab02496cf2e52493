import type { ClusterProfile, Manifest, Scenario } from "../../src/engine/scenario.ts";
import type { Simulation } from "../../src/engine/simulation.ts";

/** The cluster at the end of a scenario, with objects as an API server prints them, for another run to begin with. */
export function clusterAsItIs({ runtime }: Simulation, { cluster }: Scenario): ClusterProfile {
  const nodes = cluster.nodes.map((node) => ({
    ...node,
    isKubeletDown: runtime.machines.get(node.name)?.kubeletUp === false,
  }));
  const state = JSON.parse(JSON.stringify([...runtime.api.store.all()])) as Manifest[];
  return { ...cluster, manifests: [], nodes, state };
}
