/**
 * Tokens of a pod's service account, requested for projected volumes and CSI drivers.
 * Upstream: pkg/kubelet/token/token_manager.go v1.36 GetServiceAccountToken. Not modeled: a token's content.
 */
import { defaultServiceAccount } from "../../api/service-account.ts";
import type { Pod } from "../../api/types.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import type { Instant } from "../../trace/instant.ts";
import type { VolumeHost } from "./plugin.ts";

export interface TokenWish {
  readonly audience?: string;
  readonly expirationSeconds?: number;
}

/** When each running kubelet's tokens expire, by request. */
const held = new WeakMap<VolumeHost, Map<string, Instant>>();

/** Returns why a token cannot be had; undefined if it can, or while the kubelet holds one. */
export function* accountTokenError(
  host: VolumeHost,
  pod: Pod,
  wish: TokenWish,
): Task<string | undefined> {
  const account = pod.spec.serviceAccountName ?? "";
  if (account === "") return "failed to fetch token: resource name may not be empty";
  if (account === defaultServiceAccount) return undefined;
  const { context } = host;
  const tokens = held.get(host) ?? new Map<string, Instant>();
  held.set(host, tokens);
  const key = keyOf(pod, account, wish);
  const lifeMs = (wish.expirationSeconds ?? 3600) * 1000;
  const expiresAt = tokens.get(key);
  // A token is renewed in the last fifth of its life.
  if (expiresAt !== undefined && context.now <= expiresAt - lifeMs / 5) return undefined;
  const found = yield* getLive("ServiceAccount", pod.metadata.namespace, account);
  if (found.ok) {
    tokens.set(key, context.now + lifeMs);
    return undefined;
  }
  const { message } = found.error;
  if (expiresAt === undefined) return `failed to fetch token: ${message}`;
  if (context.now <= expiresAt) return undefined;
  return `token ${key} expired and refresh failed: ${message}`;
}

/** The token's key as Go prints it. Upstream: keyFunc. */
function keyOf(pod: Pod, account: string, { audience, expirationSeconds = 0 }: TokenWish): string {
  const { namespace = "", name, uid } = pod.metadata;
  const audiences = audience === undefined ? "[]string(nil)" : `[]string{"${audience}"}`;
  const bound = `v1.BoundObjectReference{Kind:"Pod", APIVersion:"v1", Name:"${name}", UID:"${uid}"}`;
  return `"${account}"/"${namespace}"/${audiences}/${expirationSeconds}/${bound}`;
}
