/** What all islands of an environment share, as far as rules see it. */
import type { Assumption } from "../prediction/scenario-of.ts";
import { projectFileName } from "../project/project-file.ts";
import type { ClusterNames } from "../workspace/cluster-names.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName } from "../workspace/files/uri.ts";
import { clusterSignature } from "./cluster-changes.ts";

export interface Basis {
  readonly environment: Environment;
  readonly assumption: Assumption;
  readonly names: ClusterNames;
}

export function isSameBasis(a: Basis, b: Basis): boolean {
  return a.assumption === b.assumption && a.environment.project === b.environment.project;
}

/** What rules see of the assumed cluster, apart from paths on its machines. */
export function rulesBasis({ environment, assumption }: Basis): string {
  const { cluster } = assumption.assumed;
  const { project, imported } = environment;
  const { rules, drivers } = project;
  const isProject = environment.files.some(({ uri }) => baseName(uri) === projectFileName);
  return JSON.stringify([
    assumption.version,
    clusterSignature({ ...cluster, nodes: [], drivers: [] }),
    [...rules],
    [...drivers.described.values()],
    assumption.profileFrom,
    isProject,
    // The imported objects themselves are part of the cluster's state above.
    imported !== undefined,
    imported?.isPartial,
  ]);
}
