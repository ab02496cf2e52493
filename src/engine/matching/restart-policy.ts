/**
 * Whether an ended container is restarted: by its own rules, else its own policy, else the pod's. Upstream:
 * pkg/api/v1/pod/util.go ContainerShouldRestart v1.36 (gate ContainerRestartRules, on since 1.35; on older servers only
 * sidecars have a policy of their own).
 */
import type { Container, ContainerRestartRule, PodSpec } from "../api/types.ts";

export function isRestarted(container: Container, spec: PodSpec, exitCode: number): boolean {
  const { restartPolicy } = container;
  if (restartPolicy !== undefined && ruleFor(container, exitCode)?.action === "Restart")
    return true;
  switch (restartPolicy ?? spec.restartPolicy) {
    case "Never":
      return false;
    case "OnFailure":
      return exitCode !== 0;
    default:
      return true;
  }
}

/** Returns the first rule that matches the exit code. Upstream: FindMatchingContainerRestartRule. */
export function ruleFor(
  { restartPolicyRules = [] }: Container,
  exitCode: number,
): ContainerRestartRule | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    const { operator, values = [] } = exitCodes ?? {};
    return operator === (values.includes(exitCode) ? "In" : "NotIn");
  });
}
