/** Whether a Deployment's rollout may be late. Upstream: pkg/controller/deployment/util/deployment_util.go HasProgressDeadline v1.36. */
import type { KubeObject } from "../api/meta.ts";

/** No deadline is set where it is the largest integer. */
export function hasProgressDeadline({ spec }: KubeObject<"Deployment">): boolean {
  const seconds = spec?.progressDeadlineSeconds;
  return seconds !== undefined && seconds !== 2_147_483_647;
}
