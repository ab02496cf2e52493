/**
 * Tokens of a pod's account, which projected volumes and CSI drivers ask the API server for.
 * Upstream: pkg/kubelet/token/token_manager.go v1.36 GetServiceAccountToken. Not modelled: what stands in a token, its renewal.
 */
import { defaultServiceAccount } from "../../api/service-account.ts";
import type { Pod } from "../../api/types.ts";
import { getLive, type Task } from "../../runtime/effects.ts";

/** Why the pod's account gives no token; undefined where it does. */
export function* accountTokenError(pod: Pod): Task<string | undefined> {
  const account = pod.spec.serviceAccountName ?? "";
  if (account === "") return "failed to fetch token: resource name may not be empty";
  if (account === defaultServiceAccount) return undefined;
  const found = yield* getLive("ServiceAccount", pod.metadata.namespace, account);
  return found.ok ? undefined : `failed to fetch token: ${found.error.message}`;
}
