/**
 * ControllerRevisions: earlier templates of a StatefulSet or DaemonSet. Upstream: pkg/controller/history/controller_history.go
 * v1.36.
 */
import { deepEqual } from "../../api/json.ts";
import { type ApiError, type Draft, type KubeObject, type Result, refOf } from "../../api/meta.ts";
import type { PodTemplateSpec } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { create, getLive, isNotFound, remove, type Task } from "../../runtime/effects.ts";
import { type Outcome, retry } from "../../runtime/outcome.ts";
import { byCreation } from "./creation-order.ts";
import { controllerReference } from "./pod-template.ts";
import { templateHash } from "./template-hash.ts";

export type Revision = KubeObject<"ControllerRevision">;
type Owner = KubeObject<"StatefulSet"> | KubeObject<"DaemonSet">;

/** The label with a revision's hash; a DaemonSet's pods have the same label. */
const hashLabels = {
  StatefulSet: "controller.kubernetes.io/hash",
  DaemonSet: "controller-revision-hash",
} as const;

/** Upstream: ControllerRevisionName. */
const revisionPrefixMax = 223;

export function revisionHash(
  revision: Revision,
  kind: keyof typeof hashLabels,
): string | undefined {
  return revision.metadata.labels?.[hashLabels[kind]];
}

/** A revision contains only the template, as a patch that replaces it. */
function revisionData(template: PodTemplateSpec | undefined): unknown {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

export function newRevision(
  owner: Owner,
  revision: number,
  collisionCount: number,
): Draft<"ControllerRevision"> & { readonly revision: number } {
  const { namespace, name, annotations } = owner.metadata;
  const data = revisionData(owner.spec?.template);
  const hash = templateHash(data, collisionCount);
  // A DaemonSet's name is not shortened: if it is too long, the revision is refused.
  const prefix = owner.kind === "StatefulSet" ? name.slice(0, revisionPrefixMax) : name;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${prefix}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...owner.spec?.template?.metadata?.labels, [hashLabels[owner.kind]]: hash },
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision,
  };
}

/** Compares the data, because hashes differ after a collision. Upstream: EqualRevision. */
export function isSameRevision(
  a: { readonly data?: unknown },
  b: { readonly data?: unknown },
): boolean {
  return deepEqual(a.data, b.data);
}

/** Returns the newest revision with this template; `sorted` is oldest first. Upstream: FindEqualRevisions. */
export function revisionOf(
  template: PodTemplateSpec | undefined,
  sorted: readonly Revision[],
): Revision | undefined {
  const data = revisionData(template);
  return sorted.findLast((revision) => isSameRevision(revision, { data }));
}

export function sortRevisions(revisions: readonly Revision[]): readonly Revision[] {
  return revisions.toSorted((a, b) =>
    a.revision === b.revision ? byCreation(a, b) : a.revision - b.revision,
  );
}

/** If another revision has the name, the hash is salted and creation retried. Upstream: CreateControllerRevision. */
export function* createRevision(
  owner: Owner,
  draft: Draft<"ControllerRevision"> & { readonly revision: number },
  collisionCount: number,
): Task<Result<{ readonly revision: Revision; readonly collisionCount: number }>> {
  let next = draft;
  for (let collisions = collisionCount; ; collisions++) {
    const created = yield* create<"ControllerRevision">(next);
    if (created.ok)
      return { ok: true, object: { revision: created.object, collisionCount: collisions } };
    if (created.error.reason !== "AlreadyExists") return created;
    const existing = yield* getLive(
      "ControllerRevision",
      owner.metadata.namespace,
      next.metadata.name ?? "",
    );
    if (!existing.ok) return existing;
    if (isSameRevision(existing.object, draft)) {
      return { ok: true, object: { revision: existing.object, collisionCount: collisions } };
    }
    next = newRevision(owner, draft.revision, collisions + 1);
  }
}

/** Records a refused revision, because no event reports it. Upstream: the error goes only to the queue and the log. */
export function retryRevision(
  ctx: ComponentContext,
  owner: Owner,
  { reason, message }: ApiError,
): Outcome {
  if (reason !== "Conflict") ctx.decide(refOf(owner), { reason: "RevisionRefused", text: message });
  return retry(message);
}

/** Returns why a revision could not be deleted; undefined if all were. */
export function* removeRevisions(revisions: readonly Revision[]): Task<string | undefined> {
  for (const { metadata } of revisions) {
    const removed = yield* remove("ControllerRevision", metadata.namespace, metadata.name);
    if (!removed.ok && !isNotFound(removed.error)) return removed.error.message;
  }
  return undefined;
}
