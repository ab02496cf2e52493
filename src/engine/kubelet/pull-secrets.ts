/**
 * Reports which of a pod's pull secrets do not exist; its images are pulled all the same. Upstream: pkg/kubelet/kubelet_pods.go
 * getPullSecretsForPod v1.36.
 */
import { refOf } from "../api/meta.ts";
import type { Pod } from "../api/types.ts";
import { event, type Task } from "../runtime/effects.ts";
import type { ObjectCache } from "./object-cache.ts";

export function* reportMissingPullSecrets(objects: ObjectCache, pod: Pod): Task {
  const missing = (pod.spec.imagePullSecrets ?? [])
    .map(({ name = "" }) => name)
    .filter((name) => name !== "" && objects.get("Secret", pod, name) === undefined);
  if (missing.length === 0) return;
  const text = `Unable to retrieve some image pull secrets (${missing.join(", ")}); attempting to pull the image may not succeed.`;
  yield* event(refOf(pod), "Warning", "FailedToRetrieveImagePullSecret", text);
}
