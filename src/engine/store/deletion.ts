/**
 * What an object's deletion waits for: its finalizers, a pod's grace period. Upstream: registry/generic/registry/store.go
 * deletionFinalizersForGarbageCollection and registry/rest/delete.go BeforeDelete v1.36, pkg/registry/core/pod/strategy.go
 * CheckGracefulDelete.
 */
import { type ApiError, type KubeObject, qualified } from "../api/meta.ts";
import { instantOf, timestamp } from "../api/timestamp.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { DeleteOptions } from "../runtime/effects.ts";
import type { KubernetesVersion } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { keepsDeletionsFromThePast } from "../version-differences.ts";

export interface Deletion {
  /** The object's own finalizers and those that the propagation policy adds. */
  readonly finalizers: readonly string[];
  readonly graceSeconds: number;
  /** True if nothing holds the object. */
  readonly isImmediate: boolean;
}

/**
 * Returns undefined if the request changes nothing: the pod is already in its grace period, and no shorter one is requested.
 */
export function deletionOf(object: KubeObject, options: DeleteOptions): Deletion | undefined {
  const graceSeconds =
    object.kind === "Pod" ? podGraceSeconds(object, options.gracePeriodSeconds) : 0;
  if (graceSeconds === undefined) return undefined;
  const finalizers = deletionFinalizers(object, options.propagationPolicy);
  const isImmediate = finalizers.length === 0 && graceSeconds <= 0 && !holdsContent(object);
  return { finalizers, graceSeconds, isImmediate };
}

/** Returns the object marked as being deleted. */
export function withDeletion(
  object: KubeObject,
  { finalizers, graceSeconds }: Deletion,
  now: Instant,
  version: KubernetesVersion,
): KubeObject {
  const { metadata } = object;
  const { deletionTimestamp, generation = 0 } = metadata;
  const end =
    deletionTimestamp === undefined
      ? { at: now + graceSeconds * 1000, graceSeconds }
      : shortened(metadata, graceSeconds, now, version);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 && { finalizers }),
      deletionTimestamp: timestamp(end.at),
      deletionGracePeriodSeconds: end.graceSeconds,
      ...(deletionTimestamp === undefined && generation > 0 && { generation: generation + 1 }),
    },
    ...(object.kind === "Namespace" && { status: { ...object.status, phase: "Terminating" } }),
  } as KubeObject;
}

/** A shortened grace period counts from the first request. If it is over by now, at most one second is left (Δ75). */
function shortened(
  { deletionTimestamp = "", deletionGracePeriodSeconds = 0 }: KubeObject["metadata"],
  graceSeconds: number,
  now: Instant,
  version: KubernetesVersion,
): { readonly at: Instant; readonly graceSeconds: number } {
  const lessSeconds = deletionGracePeriodSeconds - graceSeconds;
  const at = instantOf(deletionTimestamp) - lessSeconds * 1000;
  const isInThePast = lessSeconds > 0 && at < now;
  if (!isInThePast || !keepsDeletionsFromThePast(version)) return { at, graceSeconds };
  return { at: now, graceSeconds: Math.min(graceSeconds, 1) };
}

/**
 * True if nothing holds the object any longer: its deletion was requested, its last finalizer is gone, and a pod's grace period
 * is 0.
 */
export function isGone(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false;
  if (object.kind === "Namespace") return !holdsContent(object);
  return object.kind !== "Pod" || (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Namespaces also have finalizers in their spec, which stand for their contents. */
function holdsContent(object: KubeObject): boolean {
  return object.kind === "Namespace" && (object.spec.finalizers ?? []).length > 0;
}

/**
 * Returns the grace period; 0 for a pod that no kubelet runs or that has ended. Once a grace period has begun, a second request
 * may shorten it but never lengthen it: undefined if it asks for no number or for a longer one, even if the pod has ended
 * since. A negative number means one second.
 */
function podGraceSeconds(
  pod: KubeObject<"Pod">,
  askedSeconds: number | undefined,
): number | undefined {
  const { metadata, spec } = pod;
  const asked = askedSeconds !== undefined && askedSeconds < 0 ? 1 : askedSeconds;
  if (metadata.deletionTimestamp !== undefined) {
    const begun = metadata.deletionGracePeriodSeconds ?? 0;
    if (begun === 0) return 0;
    return asked === undefined || asked >= begun ? undefined : asked;
  }
  if (spec.nodeName === undefined || isPodEnded(pod)) return 0;
  const grace = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return grace < 0 ? 1 : grace;
}

function deletionFinalizers(
  object: KubeObject,
  policy: DeleteOptions["propagationPolicy"],
): readonly string[] {
  const others = (object.metadata.finalizers ?? []).filter(
    (f) => f !== "orphan" && f !== "foregroundDeletion",
  );
  if (policy === "Foreground") return [...others, "foregroundDeletion"];
  if (policy === "Orphan") return [...others, "orphan"];
  return policy === "Background" ? others : (object.metadata.finalizers ?? []);
}

/**
 * The error if the deletion was meant for an earlier object of the same name. Upstream: BeforeDelete, which names the resource
 * by its kind.
 */
export function preconditionFailed(
  { kind, apiVersion, metadata: { name, uid } }: KubeObject,
  wantedUid: string,
): ApiError {
  const what = qualified(kind, apiVersion);
  return {
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${what} "${name}": the UID in the precondition (${wantedUid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
  };
}
