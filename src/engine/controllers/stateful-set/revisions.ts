/**
 * The history of a StatefulSet's templates as ControllerRevisions. Upstream: pkg/controller/statefulset/stateful_set_utils.go
 * newRevision, ApplyRevision, stateful_set_control.go getStatefulSetRevisions, truncateHistory, and
 * pkg/controller/history/controller_history.go v1.36. DaemonSets use the same names and comparison.
 */
import type { KubeObject, Result } from "../../api/meta.ts";
import { patch, type Task } from "../../runtime/effects.ts";
import {
  createRevision,
  isSameRevision,
  newRevision,
  type Revision,
  removeRevisions,
  revisionOf,
  sortRevisions,
} from "../workload/controller-revision.ts";
import { type Pod, revisionLabel, type StatefulSet } from "./identity.ts";

export interface Revisions {
  readonly current: Revision;
  readonly update: Revision;
  readonly collisionCount: number;
  readonly all: readonly Revision[];
}

/**
 * Returns the revision of the present template, created or made the newest if necessary, and the one that the pods came from.
 */
export function* syncRevisions(
  set: StatefulSet,
  known: readonly Revision[],
): Task<Result<Revisions>> {
  const sorted = sortRevisions(known);
  const newest = sorted.at(-1);
  const collisionCount = set.status?.collisionCount ?? 0;
  const next = (newest?.revision ?? 0) + 1;
  const equal = revisionOf(set.spec?.template, sorted);
  const result = (update: Revision, collisions: number = collisionCount): Result<Revisions> => {
    const current =
      sorted.find((revision) => revision.metadata.name === set.status?.currentRevision) ?? update;
    return { ok: true, object: { current, update, collisionCount: collisions, all: sorted } };
  };
  if (equal === undefined) {
    const draft = newRevision(set, next, collisionCount);
    const created = yield* createRevision(set, draft, collisionCount);
    return created.ok ? result(created.object.revision, created.object.collisionCount) : created;
  }
  if (newest !== undefined && isSameRevision(newest, equal)) return result(newest);
  // A rollback: the older revision becomes the newest.
  const { namespace, name } = equal.metadata;
  const raised = yield* patch("ControllerRevision", namespace, name, (live) => ({
    ...live,
    revision: next,
  }));
  return raised.ok ? result(raised.object) : raised;
}

/** Returns the set with the template of a revision. */
export function applyRevision(
  set: StatefulSet,
  revision: KubeObject<"ControllerRevision">,
): StatefulSet {
  const data = revision.data as { readonly spec?: { readonly template?: unknown } } | undefined;
  const { $patch: _, ...template } = (data?.spec?.template ?? {}) as Record<string, unknown>;
  const spec = { ...set.spec, template };
  return { ...set, spec };
}

export function podRevision(pod: Pod): string {
  return pod.metadata.labels?.[revisionLabel] ?? "";
}

/** Deletes the oldest unused revisions beyond the limit. Returns an error message, or undefined. */
export function* truncateHistory(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
): Task<string | undefined> {
  const live = new Set([
    revisions.current.metadata.name,
    revisions.update.metadata.name,
    ...pods.map(podRevision),
  ]);
  const history = revisions.all.filter((revision) => !live.has(revision.metadata.name));
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  if (limit < 0) return undefined;
  return yield* removeRevisions(history.slice(0, Math.max(0, history.length - limit)));
}
