/** Describes the cluster that a prediction is for. */
import type { AssumedCluster } from "../../engine/profiles/assume-cluster.ts";
import type { ClusterProfile } from "../../engine/scenario.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName } from "../workspace/files/uri.ts";
import type { ProfileOrigin } from "./scenario-of.ts";

/** `the assumed cluster “eks”`, or the imported one, of which there is only one. */
export function theCluster({ name, state }: ClusterProfile): string {
  return state === undefined ? `the assumed cluster “${name}”` : `the ${name}`;
}

/** Why a cluster is assumed, and how to change that. */
export const assumedBecause = "because nothing names yours: profile in claimcheck.yaml does";

/** The last line of a finding that depends on the cluster. */
export function predictedFor({ name }: ClusterProfile, from: ProfileOrigin): string {
  return `Predicted for cluster profile “${name}”${from === "default" ? `, ${assumedBecause}` : "."}`;
}

/** Fills a line that says which cluster a prediction is for. */
export function clusterLine(prediction: ClusterOfPrediction): string {
  const { environment, assumed, profileFrom, version } = prediction;
  const isImported = assumed.from === "imported";
  const origin = profileFrom === "default" ? " (assumed: --profile names yours)" : "";
  const profile = `cluster profile ${assumed.cluster.name}${origin}`;
  return `${isImported ? clusterTitle(environment, assumed) : profile}, Kubernetes ${version}`;
}

interface ClusterOfPrediction {
  readonly environment: Environment;
  readonly assumed: AssumedCluster;
  readonly profileFrom: ProfileOrigin;
  readonly version: string;
}

export function clusterTitle({ imported }: Environment, { title }: AssumedCluster): string {
  const read = (imported?.files ?? []).filter(({ text }) => (text?.objects.length ?? 0) > 0);
  if (read.length === 0) return title;
  const part = imported?.isPartial === true ? ", as far as it could be read" : "";
  const names = read.map(({ uri }) => baseName(uri));
  const from = names.length > namedFileCountMax ? `${names.length} files` : names.join(", ");
  return `${title}, taken from ${from}${part}`;
}

const namedFileCountMax = 3;
