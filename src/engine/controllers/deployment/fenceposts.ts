/**
 * How far a Deployment may go above and below the desired number of pods, with either strategy. Upstream:
 * pkg/controller/deployment/util MaxSurge, MaxUnavailable v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { type Fenceposts, fenceposts } from "../../matching/rolling-update.ts";

type Deployment = KubeObject<"Deployment">;

export function replicasOf(object: { readonly spec?: { readonly replicas?: number } }): number {
  return object.spec?.replicas ?? 1;
}

export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment) ? ofDeployment(deployment).surge : 0;
}

export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(ofDeployment(deployment).unavailable, replicas);
}

export function isRolling(deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type !== "Recreate";
}

function ofDeployment(deployment: Deployment): Fenceposts {
  return fenceposts(deployment.spec?.strategy?.rollingUpdate ?? {}, replicasOf(deployment));
}
