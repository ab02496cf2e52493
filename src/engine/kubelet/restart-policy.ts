/**
 * Whether a container that has ended is started again: its own rules come first, then its own policy, then its pod's.
 * Upstream: pkg/api/v1/pod/util.go ContainerShouldRestart v1.36 (gate ContainerRestartRules, on since 1.35; on older servers
 * no container but a sidecar has a policy of its own). Not modelled: the action RestartAllContainers.
 */
import type { Container, PodSpec } from "../api/types.ts";

export function isRestarted(container: Container, spec: PodSpec, exitCode: number): boolean {
  const { restartPolicy } = container;
  if (restartPolicy !== undefined && isRestartedByRule(container, exitCode)) return true;
  switch (restartPolicy ?? spec.restartPolicy) {
    case "Never":
      return false;
    case "OnFailure":
      return exitCode !== 0;
    default:
      return true;
  }
}

/** The first rule that speaks of the exit code counts. */
function isRestartedByRule({ restartPolicyRules = [] }: Container, exitCode: number): boolean {
  const rule = restartPolicyRules.find(({ exitCodes }) => {
    const { operator, values = [] } = exitCodes ?? {};
    return operator === (values.includes(exitCode) ? "In" : "NotIn");
  });
  return rule?.action === "Restart";
}
