/**
 * The files of configMap, secret, downwardAPI and projected volumes, or why they cannot be made.
 * Upstream: MakePayload and CollectData in pkg/volume/{configmap,secret,downwardapi,projected} v1.36.
 * Not modeled: contents of the files, clusterTrustBundle and podCertificate sources.
 */
import { aggregated } from "../../api/go/text.ts";
import { containersAtCreation } from "../../api/pod-containers.ts";
import type {
  ConfigMapProjection,
  DownwardAPIVolumeFile,
  KeyToPath,
  Pod,
  ProjectedVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
} from "../../api/types.ts";
import type { Task } from "../../runtime/effects.ts";
import type { VolumeHost } from "./plugin.ts";
import { accountTokenError } from "./service-account-token.ts";

export type Payload =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly error: string };

interface KeyedSource {
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

export function configMapPayload(host: VolumeHost, pod: Pod, source: KeyedSource): Payload {
  const map = host.objects.get("ConfigMap", pod, source.name);
  if (map === undefined && source.optional !== true) {
    return { ok: false, error: `configmap "${source.name}" not found` };
  }
  const keys = [...Object.keys(map?.data ?? {}), ...Object.keys(map?.binaryData ?? {})];
  const missing = (key: string): string => `configmap references non-existent config key: ${key}`;
  return keyedPayload(keys, source, missing);
}

export function secretPayload(host: VolumeHost, pod: Pod, source: KeyedSource): Payload {
  const secret = host.objects.get("Secret", pod, source.name);
  if (secret === undefined && source.optional !== true) {
    return { ok: false, error: `secret "${source.name}" not found` };
  }
  const missing = (key: string): string => `references non-existent secret key: ${key}`;
  return keyedPayload(Object.keys(secret?.data ?? {}), source, missing);
}

function keyedPayload(
  keys: readonly string[],
  source: KeyedSource,
  missing: (key: string) => string,
): Payload {
  const { items = [] } = source;
  if (items.length === 0) return { ok: true, paths: keys };
  const paths: string[] = [];
  for (const { key, path } of items) {
    if (keys.includes(key)) paths.push(path);
    else if (source.optional !== true) return { ok: false, error: missing(key) };
  }
  return { ok: true, paths };
}

export function downwardPayload(pod: Pod, items: readonly DownwardAPIVolumeFile[]): Payload {
  const errors: string[] = [];
  const names = containersAtCreation(pod.spec).map((c) => c.name);
  for (const { resourceFieldRef } of items) {
    const container = resourceFieldRef?.containerName ?? "";
    if (resourceFieldRef !== undefined && !names.includes(container)) {
      errors.push(`container ${container} not found`);
    }
  }
  if (errors.length > 0) return { ok: false, error: aggregated(errors) };
  return { ok: true, paths: items.map((item) => item.path) };
}

export function* projectedPayload(
  host: VolumeHost,
  pod: Pod,
  source: ProjectedVolumeSource,
): Task<Payload> {
  const errors: string[] = [];
  const paths: string[] = [];
  for (const { configMap, secret, downwardAPI, serviceAccountToken } of source.sources ?? []) {
    const parts: Payload[] = [];
    if (configMap !== undefined) parts.push(configMapPayload(host, pod, named(configMap)));
    if (secret !== undefined) parts.push(secretPayload(host, pod, named(secret)));
    if (downwardAPI !== undefined) parts.push(downwardPayload(pod, downwardAPI.items ?? []));
    if (serviceAccountToken !== undefined)
      parts.push(yield* tokenPayload(host, pod, serviceAccountToken));
    for (const part of parts) {
      if (part.ok) paths.push(...part.paths);
      else errors.push(part.error);
    }
  }
  return errors.length > 0 ? { ok: false, error: aggregated(errors) } : { ok: true, paths };
}

function named<T extends ConfigMapProjection | SecretProjection>(
  source: T,
): T & { readonly name: string } {
  return { ...source, name: source.name ?? "" };
}

function* tokenPayload(
  host: VolumeHost,
  pod: Pod,
  { path, audience, expirationSeconds = 3600 }: ServiceAccountTokenProjection,
): Task<Payload> {
  const wish = { ...(audience !== undefined && { audience }), expirationSeconds };
  const error = yield* accountTokenError(host, pod, wish);
  return error === undefined ? { ok: true, paths: [path] } : { ok: false, error };
}
