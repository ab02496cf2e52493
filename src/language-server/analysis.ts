/** What follows from one state of an environment's files without running the engine. Made anew when the state changes. */
import type { KubernetesVersion } from "../engine/scenario.ts";
import { diagnoseEnvironment } from "./diagnostics/diagnose.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import {
  type EnvironmentScenario,
  type PredictionSettings,
  scenarioOf,
} from "./prediction/scenario-of.ts";
import { type ClusterNames, clusterNames } from "./workspace/cluster-names.ts";
import type { Environment } from "./workspace/workspace.ts";

export interface Analysis {
  readonly environment: Environment;
  readonly version: KubernetesVersion;
  readonly from: EnvironmentScenario;
  readonly names: ClusterNames;
  /** Findings of the rules that compare objects with each other. */
  readonly diagnostics: readonly Diagnostic[];
}

export function analyze(environment: Environment, settings: PredictionSettings): Analysis {
  const from = scenarioOf(environment, settings);
  const { cluster, assumedDrivers } = from.assumed;
  // A driver that is only taken to be there is installed by nobody we know of.
  const isInstalled = ({ name }: { readonly name: string }): boolean =>
    !assumedDrivers.includes(name);
  const names = clusterNames(environment, {
    ...cluster,
    drivers: cluster.drivers.filter(isInstalled),
    pathProvisioners: (cluster.pathProvisioners ?? []).filter(isInstalled),
  });
  return {
    environment,
    version: from.scenario.version,
    from,
    names,
    diagnostics: diagnoseEnvironment({ environment, cluster, names }),
  };
}
