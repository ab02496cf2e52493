/** What the API server answers to a create or an update: decoding, defaulting, admission, validation. */
import type { KubernetesVersion } from "../scenario.ts";
import type { ApiError, Draft, Kind, KubeObject } from "./meta.ts";

/** The other objects of the cluster, for admission. */
export interface ClusterView {
  get<K extends Kind>(kind: K, namespace: string | undefined, name: string): KubeObject<K> | undefined;
  list<K extends Kind>(kind: K, namespace?: string): readonly KubeObject<K>[];
}

export interface RequestContext {
  readonly version: KubernetesVersion;
  readonly cluster: ClusterView;
  /** RFC 3339. */
  readonly now: string;
}

/** `object` is what is stored, less what storage itself stamps: uid, creationTimestamp, resourceVersion, generation, generated name. */
export type RequestAnswer =
  | { readonly ok: true; readonly object: Draft; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly error: ApiError; readonly warnings: readonly string[] };

export function answerCreate(input: unknown, _context: RequestContext): RequestAnswer {
  return { ok: true, object: input as Draft, warnings: [] };
}

export function answerUpdate(_current: KubeObject, input: unknown, _context: RequestContext, _subresource: "" | "status"): RequestAnswer {
  return { ok: true, object: input as Draft, warnings: [] };
}
