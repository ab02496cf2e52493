/**
 * What the deletion of an object waits for: its finalizers, a pod's grace period. Upstream: registry/generic/registry/store.go
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
  /** Those of the object while it goes, with those that the propagation policy asks for. */
  readonly finalizers: readonly string[];
  readonly graceSeconds: number;
  /** Whether nothing holds the object. */
  readonly isImmediate: boolean;
}

/** Undefined for a pod that is within its grace period already, unless less is asked for now: then nothing changes. */
export function deletionOf(object: KubeObject, options: DeleteOptions): Deletion | undefined {
  const graceSeconds =
    object.kind === "Pod" ? podGraceSeconds(object, options.gracePeriodSeconds) : 0;
  if (graceSeconds === undefined) return undefined;
  const finalizers = deletionFinalizers(object, options.propagationPolicy);
  const isImmediate = finalizers.length === 0 && graceSeconds <= 0 && !holdsContent(object);
  return { finalizers, graceSeconds, isImmediate };
}

/** The object while it waits. */
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

/** A grace period that is made shorter counts from the first request; of one that is over by then a second is left. */
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

/** An object that is being deleted goes when its last finalizer does; a pod in addition only with no grace left. */
export function isGone(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false;
  if (object.kind === "Namespace") return !holdsContent(object);
  return object.kind !== "Pod" || (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Namespaces have finalizers of their own, for what is in them. */
function holdsContent(object: KubeObject): boolean {
  return object.kind === "Namespace" && (object.spec.finalizers ?? []).length > 0;
}

/**
 * Pods that no kubelet runs, or that ended, go at once. What is left of a grace period that has begun is undefined: a second
 * request may shorten it, never lengthen it, and without a number of its own it changes nothing, not even where the pod has
 * ended since. Less than no time is a second.
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

/** Of a deletion that was meant for an earlier object of the name. Upstream: BeforeDelete, which calls it by its kind. */
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
