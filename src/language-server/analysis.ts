/** What follows from one state of an environment's files without running the engine. Reuses what an edit did not change. */
import { type ChangedFile, changedFiles, looksTheSame } from "./islands/changed-files.ts";
import {
  type Assumption,
  assumptionOf,
  type EnvironmentScenario,
  type PredictionSettings,
  scenarioOf,
  shownToAssumption,
} from "./prediction/scenario-of.ts";
import {
  type ClusterNames,
  clusterNames,
  namesIn,
  withTemplatesOf,
} from "./workspace/cluster-names.ts";
import type { Environment } from "./workspace/environment.ts";
import { objectsOfFile } from "./workspace/workspace-object.ts";

export interface Analysis extends Assumption {
  readonly environment: Environment;
  readonly settings: PredictionSettings;
  readonly assumption: Assumption;
  /** What is simulated; built on first use. */
  readonly scenario: () => EnvironmentScenario;
  readonly names: ClusterNames;
}

export function analyze(
  environment: Environment,
  settings: PredictionSettings,
  before?: Analysis,
): Analysis {
  const isComparable =
    before !== undefined &&
    before.settings === settings &&
    before.environment.project === environment.project &&
    before.environment.imported === environment.imported;
  const changed = isComparable ? changedFiles(before.environment, environment) : undefined;
  const assumption =
    before !== undefined && changed !== undefined && looksTheSame(changed, shownToAssumption)
      ? before.assumption
      : assumptionOf(environment, settings);
  const names =
    assumption === before?.assumption && changed !== undefined && looksTheSame(changed, namesIn)
      ? movedNames(before.names, environment, changed)
      : namesOf(environment, assumption);
  let scenario: EnvironmentScenario | undefined;
  return {
    ...assumption,
    environment,
    settings,
    assumption,
    scenario: () => {
      scenario ??= scenarioOf(environment, assumption);
      return scenario;
    },
    names,
  };
}

/** The same names at their new places; names from claim templates are looked up again, because they hold their places. */
function movedNames(
  names: ClusterNames,
  environment: Environment,
  changed: readonly ChangedFile[],
): ClusterNames {
  const hasTemplates = changed.some(({ before, after }) =>
    [before, after].some((file) =>
      objectsOfFile(file).some(({ object }) => object.kind === "StatefulSet"),
    ),
  );
  return hasTemplates ? withTemplatesOf(names, environment) : names;
}

function namesOf(environment: Environment, { assumed }: Assumption): ClusterNames {
  const { cluster, assumedDrivers } = assumed;
  // A driver that is assumed only because something uses it does not count as installed.
  const isInstalled = ({ name }: { readonly name: string }): boolean =>
    !assumedDrivers.includes(name);
  return clusterNames(environment, {
    ...cluster,
    drivers: cluster.drivers.filter(isInstalled),
    pathProvisioners: (cluster.pathProvisioners ?? []).filter(isInstalled),
  });
}
