/**
 * What the deletion of an object waits for: its finalizers, a pod's grace period. Upstream: registry/generic/registry/store.go
 * deletionFinalizersForGarbageCollection and registry/rest/delete.go BeforeDelete v1.36, pkg/registry/core/pod/strategy.go
 * CheckGracefulDelete.
 */
import { type ApiError, conflict, type Kind, type KubeObject } from "../api/meta.ts";
import type { DeleteOptions } from "../runtime/effects.ts";

export interface Deletion {
  /** Those of the object while it goes, with those that the propagation policy asks for. */
  readonly finalizers: readonly string[];
  readonly graceSeconds: number;
  /** Whether nothing holds the object. */
  readonly isImmediate: boolean;
}

export function deletionOf(object: KubeObject, options: DeleteOptions): Deletion {
  const finalizers = deletionFinalizers(object, options.propagationPolicy);
  const graceSeconds =
    object.kind === "Pod" ? podGraceSeconds(object, options.gracePeriodSeconds) : 0;
  const isImmediate = finalizers.length === 0 && graceSeconds <= 0 && !holdsContent(object);
  return { finalizers, graceSeconds, isImmediate };
}

/** The object while it waits, due at `deadline`. A second deletion may shorten the grace period, never lengthen it. */
export function withDeletion(
  object: KubeObject,
  { finalizers, graceSeconds }: Deletion,
  deadline: string,
): KubeObject {
  const { metadata } = object;
  const isSooner =
    metadata.deletionTimestamp === undefined ||
    (object.kind === "Pod" && graceSeconds < (metadata.deletionGracePeriodSeconds ?? 0));
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 && { finalizers }),
      ...(isSooner && {
        deletionTimestamp: deadline,
        deletionGracePeriodSeconds: graceSeconds,
        generation: (metadata.generation ?? 1) + 1,
      }),
    },
    ...(object.kind === "Namespace" && { status: { ...object.status, phase: "Terminating" } }),
  } as KubeObject;
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

/** Pods that no kubelet runs, or that ended, go at once. */
function podGraceSeconds(pod: KubeObject<"Pod">, asked: number | undefined): number {
  const grace = asked ?? pod.spec.terminationGracePeriodSeconds ?? 30;
  if (pod.spec.nodeName === undefined) return 0;
  if (pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded") return 0;
  if (pod.metadata.deletionTimestamp !== undefined)
    return Math.min(grace, pod.metadata.deletionGracePeriodSeconds ?? grace);
  return Math.max(0, grace);
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

/** Of a deletion that was meant for an earlier object of the name. */
export function preconditionFailed(
  kind: Kind,
  name: string,
  wantedUid: string,
  foundUid: string,
): ApiError {
  const base = conflict(kind, name).message.split(": ")[0];
  return {
    code: 409,
    reason: "Conflict",
    message: `${base}: Precondition failed: UID in precondition: ${wantedUid}, UID in object meta: ${foundUid}`,
  };
}
