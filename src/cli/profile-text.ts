/** Which cluster a prediction assumes, and why. */
import type { Prediction } from "../language-server/prediction/predictor.ts";
import type { ProfileOrigin } from "../language-server/prediction/scenario-of.ts";

const origins: Readonly<Record<ProfileOrigin, string>> = {
  project: "set in claimcheck.yaml",
  settings: "set by --profile",
  guess: "guessed from the drivers in use",
  default: "assumed, because nothing says otherwise",
};

export function profileText({ assumed, profileFrom, scenario }: Prediction): string {
  const { cluster, title } = assumed;
  return `Cluster profile ${cluster.name} (${origins[profileFrom]}), Kubernetes ${scenario.version}: ${title}\n`;
}
