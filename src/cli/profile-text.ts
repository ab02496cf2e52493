/** Which cluster a prediction assumes, and why. */
import { clusterTitle } from "../language-server/prediction/cluster-title.ts";
import type { Prediction } from "../language-server/prediction/predictor.ts";
import type { ProfileOrigin } from "../language-server/prediction/scenario-of.ts";

const origins: Readonly<Record<Exclude<ProfileOrigin, "imported">, string>> = {
  project: "set in claimcheck.yaml",
  settings: "set by --profile",
  guess: "guessed from the drivers in use",
  default: "assumed, because nothing says otherwise",
};

export function profileText(prediction: Prediction): string {
  const { assumed, profileFrom, scenario, environment } = prediction;
  const { cluster, title } = assumed;
  if (profileFrom === "imported") {
    const whole = clusterTitle(environment, assumed);
    return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}, Kubernetes ${scenario.version}\n`;
  }
  return `Cluster profile ${cluster.name} (${origins[profileFrom]}), Kubernetes ${scenario.version}: ${title}\n`;
}
