/** Runs manifests on the cluster that is assumed for them. */
import { assumeCluster } from "../../src/engine/profiles/assume-cluster.ts";
import type { Step } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import { parseManifests } from "../conformance/scenario-file.ts";

/** Applies the manifests and settles, then takes the steps `more`. Without a profile the manifests suggest the cluster. */
export function assumedRun(
  yaml: string,
  profile: string | undefined,
  more: readonly Step[] = [],
): Simulation {
  const manifests = parseManifests(yaml);
  const { cluster } = assumeCluster(manifests, profile);
  const steps: readonly Step[] = [{ type: "apply", manifests }, { type: "settle" }, ...more];
  return new Simulation({ version: "1.36", seed: 1, cluster, steps });
}
