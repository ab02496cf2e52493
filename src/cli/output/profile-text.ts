/** Which cluster a prediction assumes and why, and which drivers, nodes and zones were added because the manifests use them. */
import { clusterTitle } from "../../language-server/prediction/cluster-title.ts";
import type { Prediction } from "../../language-server/prediction/prediction.ts";
import type { ProfileOrigin } from "../../language-server/prediction/scenario-of.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { printPath } from "./place.ts";

const origins: Readonly<Record<Exclude<ProfileOrigin, "imported">, string>> = {
  project: "set in claimcheck.yaml",
  settings: "set by --profile",
  guess: "guessed from the drivers and classes in use",
  default: "assumed, because nothing says otherwise; --profile sets yours",
};

/** Names the folder of the cluster's files, and the assumed cluster. */
export function headText({ environment, prediction, overlay }: ClusterResult, cwd: string): string {
  const name = printPath(environment.id, cwd);
  return `${overlay === undefined ? name : `${name} (${overlay})`}: ${profileText(prediction)}`;
}

function profileText(prediction: Prediction): string {
  const { assumedDrivers, assumedNodes = [], assumedZones = [] } = prediction.assumed;
  const drivers =
    assumedDrivers.length === 0
      ? ""
      : `Assumed to be installed, because the manifests use them: ${assumedDrivers.join(", ")}\n`;
  const nodes =
    assumedNodes.length === 0
      ? ""
      : `Assumed to be nodes, because volumes are or may be created on them: ${assumedNodes.join(", ")}\n`;
  const zones =
    assumedZones.length === 0
      ? ""
      : `Assumed to be the nodes' zones, because the manifests name them: ${assumedZones.join(", ")}\n`;
  return `${clusterText(prediction)}${drivers}${nodes}${zones}`;
}

function clusterText(prediction: Prediction): string {
  const { assumed, profileFrom, scenario, environment } = prediction;
  const { cluster, title } = assumed;
  if (profileFrom === "imported") {
    const whole = clusterTitle(environment, assumed);
    return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}, Kubernetes ${scenario.version}\n`;
  }
  return `Cluster profile ${cluster.name} (${origins[profileFrom]}), Kubernetes ${scenario.version}: ${title}\n`;
}
