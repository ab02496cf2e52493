/**
 * Determines which objects an owner controls: releases those that its selector no longer matches, and adopts matching orphans.
 * Upstream: pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject v1.36.
 */
import {
  type ApiError,
  conflict,
  controllerOf,
  type Kind,
  type KubeObject,
  type Result,
} from "../../api/meta.ts";
import { withFinalizers } from "../../matching/annotations.ts";
import { getLive, isNotFound, patch, type Task } from "../../runtime/effects.ts";
import { controllerReference } from "./pod-template.ts";

export interface ClaimOptions<K extends Kind> {
  readonly owner: KubeObject<Kind>;
  readonly matches: (child: KubeObject<K>) => boolean;
  /** A finalizer of the owner's children, added at adoption and removed at release. */
  readonly finalizer?: string;
}

export interface Claimed<K extends Kind> {
  readonly children: readonly KubeObject<K>[];
  readonly error?: ApiError;
}

/** Returns the candidates that the owner controls afterwards. */
export function* claimChildren<K extends Kind>(
  candidates: readonly KubeObject<K>[],
  { owner, matches, finalizer }: ClaimOptions<K>,
): Task<Claimed<K>> {
  const children: KubeObject<K>[] = [];
  let error: ApiError | undefined;
  let owned: Result<unknown> | undefined;
  for (const child of candidates) {
    const controller = controllerOf(child);
    if (controller !== undefined) {
      if (controller.uid !== owner.metadata.uid) continue;
      if (matches(child)) children.push(child);
      else if (owner.metadata.deletionTimestamp === undefined)
        error ??= yield* release(child, owner, finalizer);
    } else if (
      owner.metadata.deletionTimestamp === undefined &&
      child.metadata.deletionTimestamp === undefined &&
      matches(child)
    ) {
      owned ??= yield* recheck(owner);
      if (!owned.ok) {
        error ??= owned.error;
        continue;
      }
      const adopted = yield* adopt(child, owner, finalizer);
      if (adopted.ok) children.push(adopted.object);
      else if (!isNotFound(adopted.error)) error ??= adopted.error;
    }
  }
  return error === undefined ? { children } : { children, error };
}

/**
 * Reads the owner live, because the cache may be outdated: an owner that is gone or being deleted must not adopt, nor create
 * replacements for what it may not adopt. Upstream: RecheckDeletionTimestamp.
 */
function* recheck(owner: KubeObject<Kind>): Task<Result<unknown>> {
  const { namespace, name, uid } = owner.metadata;
  const live = yield* getLive(owner.kind, namespace, name);
  if (!live.ok) return live;
  const { metadata } = live.object;
  return metadata.uid === uid && metadata.deletionTimestamp === undefined
    ? live
    : { ok: false, error: conflict(owner.kind, name) };
}

/** If several owners want the object, one gets it: the API server refuses a second controller, and another uid. */
function* adopt<K extends Kind>(
  child: KubeObject<K>,
  owner: KubeObject<Kind>,
  finalizer: string | undefined,
): Task<Result<KubeObject<K>>> {
  const { namespace, name, uid } = child.metadata;
  const adopted = yield* patch(child.kind as K, namespace, name, (current) => {
    if (current.metadata.uid !== uid || controllerOf(current) !== undefined) return current;
    const owners = [...(current.metadata.ownerReferences ?? []), controllerReference(owner)];
    const adopted = withOwners(current, owners);
    const { finalizers = [] } = adopted.metadata;
    return finalizer === undefined || finalizers.includes(finalizer)
      ? adopted
      : withFinalizers(adopted, [...finalizers, finalizer]);
  });
  const isOurs = !adopted.ok || controllerOf(adopted.object)?.uid === owner.metadata.uid;
  return isOurs ? adopted : { ok: false, error: conflict(child.kind, name) };
}

function* release<K extends Kind>(
  child: KubeObject<K>,
  owner: KubeObject<Kind>,
  finalizer: string | undefined,
): Task<ApiError | undefined> {
  const { namespace, name } = child.metadata;
  const released = yield* patch(child.kind as K, namespace, name, (current) => {
    const { ownerReferences = [], finalizers = [] } = current.metadata;
    const freed = withOwners(
      current,
      ownerReferences.filter((o) => o.uid !== owner.metadata.uid),
    );
    return finalizer === undefined
      ? freed
      : withFinalizers(
          freed,
          finalizers.filter((f) => f !== finalizer),
        );
  });
  return released.ok || isNotFound(released.error) ? undefined : released.error;
}

/** Returns the object with these owner references; without the field if there are none. */
export function withOwners<T extends KubeObject<Kind>>(
  object: T,
  owners: KubeObject<Kind>["metadata"]["ownerReferences"],
): T {
  const { ownerReferences: _, ...rest } = object.metadata;
  const metadata =
    owners === undefined || owners.length === 0 ? rest : { ...rest, ownerReferences: owners };
  return { ...object, metadata };
}
