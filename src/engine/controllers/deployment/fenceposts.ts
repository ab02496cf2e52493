/**
 * How far a rolling update may go above and below the wanted number. Upstream: pkg/controller/deployment/util
 * ResolveFenceposts, MaxSurge, MaxUnavailable v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { scaledDown, scaledUp } from "../workload/int-or-percent.ts";

type Deployment = KubeObject<"Deployment">;

export function replicasOf(object: { readonly spec?: { readonly replicas?: number } }): number {
  return object.spec?.replicas ?? 1;
}

export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicas);
}

export function isRolling(deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type !== "Recreate";
}

/** Not both zero, for then nothing could move. */
function fenceposts(deployment: Deployment): {
  readonly surge: number;
  readonly unavailable: number;
} {
  const { maxSurge: surge, maxUnavailable: unavailable } =
    deployment.spec?.strategy?.rollingUpdate ?? {};
  const replicas = replicasOf(deployment);
  const counts = {
    surge: scaledUp(surge, replicas),
    unavailable: scaledDown(unavailable, replicas),
  };
  return counts.surge === 0 && counts.unavailable === 0 ? { surge: 0, unavailable: 1 } : counts;
}
