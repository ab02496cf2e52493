/** What follows from one state of an environment's files without running the engine. Made anew when the state changes. */
import { diagnoseEnvironment } from "./diagnostics/diagnose.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import {
  type Assumption,
  assumptionOf,
  type EnvironmentScenario,
  type PredictionSettings,
  scenarioOf,
} from "./prediction/scenario-of.ts";
import { type ClusterNames, clusterNames } from "./workspace/cluster-names.ts";
import type { Environment } from "./workspace/workspace.ts";

export interface Analysis extends Assumption {
  readonly environment: Environment;
  /** What is simulated; put together when it is asked for. */
  readonly scenario: () => EnvironmentScenario;
  readonly names: ClusterNames;
  /** Findings of the rules that compare objects with each other; made when they are asked for. */
  readonly diagnostics: readonly Diagnostic[];
  /** Makes the findings, stopping where somebody else may have a turn. */
  readonly slices: () => Iterable<void>;
}

export function analyze(environment: Environment, settings: PredictionSettings): Analysis {
  const assumption = assumptionOf(environment, settings);
  const { cluster, assumedDrivers } = assumption.assumed;
  // A driver that is only taken to be there is installed by nobody we know of.
  const isInstalled = ({ name }: { readonly name: string }): boolean =>
    !assumedDrivers.includes(name);
  const names = clusterNames(environment, {
    ...cluster,
    drivers: cluster.drivers.filter(isInstalled),
    pathProvisioners: (cluster.pathProvisioners ?? []).filter(isInstalled),
  });
  let scenario: EnvironmentScenario | undefined;
  let diagnostics: readonly Diagnostic[] | undefined;
  const rules = diagnoseEnvironment({ environment, version: assumption.version, cluster, names });
  function* slices(): Generator<void> {
    while (diagnostics === undefined) {
      const step = rules.next();
      // After a bug in a rule there is no value, and no further step.
      if (step.done === true) diagnostics = step.value ?? [];
      else yield;
    }
  }
  return {
    ...assumption,
    environment,
    scenario: () => {
      scenario ??= scenarioOf(environment, assumption);
      return scenario;
    },
    names,
    get diagnostics(): readonly Diagnostic[] {
      for (const _ of slices());
      return diagnostics ?? [];
    },
    slices,
  };
}
