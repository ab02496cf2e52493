/**
 * The DaemonSet's revisions. Upstream: pkg/controller/daemon/update.go constructHistory, snapshot, cleanupHistory v1.36.
 * Not modeled: several revisions of one template (dedupCurHistories), which only old controllers left behind.
 */
import type { Result } from "../../api/meta.ts";
import { patch, type Task, update } from "../../runtime/effects.ts";
import {
  createRevision,
  newRevision,
  type Revision,
  removeRevisions,
  revisionHash,
  revisionOf,
  sortRevisions,
} from "../workload/controller-revision.ts";
import { type DaemonSet, hashLabel, type Pod } from "./daemon-pod.ts";

export interface History {
  readonly hash: string;
  readonly old: readonly Revision[];
}

/** Returns the hash of the current template's revision; creates that revision or makes it the newest if needed. */
export function* syncHistory(set: DaemonSet, known: readonly Revision[]): Task<Result<History>> {
  const labelled = yield* withHashLabels(known);
  if (!labelled.ok) return labelled;
  const sorted = sortRevisions(labelled.object);
  const collisionCount = set.status?.collisionCount ?? 0;
  const current = revisionOf(set.spec?.template, sorted);
  const old = sorted.filter((revision) => revision !== current);
  const newestOld = old.at(-1)?.revision ?? 0;
  const result = (revision: Revision): Result<History> => ({
    ok: true,
    object: { hash: revisionHash(revision, "DaemonSet") ?? "", old },
  });
  if (current === undefined) {
    const draft = newRevision(set, newestOld + 1, collisionCount);
    const created = yield* createRevision(set, draft, collisionCount);
    return created.ok ? result(created.object.revision) : created;
  }
  if (current.revision > newestOld) return result(current);
  const { namespace, name } = current.metadata;
  const raised = yield* patch("ControllerRevision", namespace, name, (live) => ({
    ...live,
    revision: newestOld + 1,
  }));
  return raised.ok ? result(raised.object) : raised;
}

/** A revision whose hash label was removed gets its own name as the hash. */
function* withHashLabels(revisions: readonly Revision[]): Task<Result<readonly Revision[]>> {
  const labelled: Revision[] = [];
  for (const revision of revisions) {
    const { name, labels } = revision.metadata;
    if (revisionHash(revision, "DaemonSet") !== undefined) {
      labelled.push(revision);
      continue;
    }
    const metadata = { ...revision.metadata, labels: { ...labels, [hashLabel]: name } };
    const named = yield* update<"ControllerRevision">({ ...revision, metadata });
    if (!named.ok) return named;
    labelled.push(named.object);
  }
  return { ok: true, object: labelled };
}

/** Deletes the oldest revisions beyond the limit that no pod uses. Returns why it could not. */
export function* cleanUpHistory(
  set: DaemonSet,
  old: readonly Revision[],
  pods: readonly Pod[],
): Task<string | undefined> {
  const surplus = old.length - (set.spec?.revisionHistoryLimit ?? 10);
  const live = new Set(pods.map((pod) => pod.metadata.labels?.[hashLabel]));
  const unused = old.filter((revision) => !live.has(revisionHash(revision, "DaemonSet")));
  return yield* removeRevisions(unused.slice(0, Math.max(0, surplus)));
}
