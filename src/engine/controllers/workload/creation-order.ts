/**
 * Orders objects by age, oldest first, then by name. Upstream: pkg/controller/controller_utils.go
 * ReplicaSetsByCreationTimestamp, and the same order of pods and of revisions v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";

export function byCreation({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  if (a.creationTimestamp !== b.creationTimestamp)
    return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
