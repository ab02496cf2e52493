/**
 * Whether a Deployment's rollout has a deadline. Upstream: pkg/controller/deployment/util/deployment_util.go
 * HasProgressDeadline v1.36.
 */
import type { KubeObject } from "../api/meta.ts";

/** The largest int32 means no deadline. */
export function hasProgressDeadline({ spec }: KubeObject<"Deployment">): boolean {
  const seconds = spec?.progressDeadlineSeconds;
  return seconds !== undefined && seconds !== 2_147_483_647;
}
