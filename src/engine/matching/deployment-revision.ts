/**
 * Whether a ReplicaSet belongs to its Deployment's current revision. Upstream:
 * pkg/controller/deployment/util/deployment_util.go RevisionAnnotation v1.36.
 */
import type { KubeObject } from "../api/meta.ts";

export const revisionKey = "deployment.kubernetes.io/revision";

/** True if the set is of an earlier revision, so its pods will be removed. */
export function isOfOldRevision(
  set: KubeObject<"ReplicaSet">,
  deployment: KubeObject<"Deployment">,
): boolean {
  const { annotations } = deployment.metadata;
  return set.metadata.annotations?.[revisionKey] !== annotations?.[revisionKey];
}
