/**
 * Deletes objects that have lost their owners, and carries out foreground and orphan deletion.
 * Upstream: kube-controller-manager v1.36, pkg/controller/garbagecollector/{garbagecollector,graph_builder}.go. Not modeled:
 * the cache of absent owners (a live read costs little here), kinds that the engine does not serve (their dependents stay).
 */
import { deepEqual } from "../../api/json.ts";
import { type Key, type Kind, type KubeObject, type Result, refOf } from "../../api/meta.ts";
import type { OwnerReference } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, getLive, isNotFound, patch, remove, type Task } from "../../runtime/effects.ts";
import { done, type Outcome, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { withOwners } from "../workload/claim-children.ts";
import { OwnershipGraph, type Place, placeOf } from "./ownership-graph.ts";

const foreground = "foregroundDeletion";
const orphan = "orphan";

export const garbageCollector: Component = {
  name: "garbage-collector-controller",
  source: "garbage-collector-controller",
  start: (ctx) => new GarbageCollector(ctx).run(),
};

class GarbageCollector {
  readonly #ctx: ComponentContext;
  readonly #graph: OwnershipGraph;
  readonly #toDelete: WorkQueue;
  readonly #toOrphan: WorkQueue;

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#graph = new OwnershipGraph(ctx);
    const workers = 20;
    this.#toDelete = ctx.queue({
      workers,
      sync: (key) => this.#attemptToDelete(key),
    });
    this.#toOrphan = ctx.queue({
      workers,
      sync: (key) => this.#attemptToOrphan(key),
    });
  }

  run(): void {
    this.#graph.on({
      add: (object) => this.#changed(undefined, object),
      update: (before, after) => this.#changed(before, after),
      delete: (object) => this.#deleted(object),
    });
  }

  #changed(before: KubeObject | undefined, after: KubeObject): void {
    const owners = after.metadata.ownerReferences;
    if (owners !== undefined || before?.metadata.ownerReferences !== undefined)
      this.#ownersChanged(before, after);
    if (after.metadata.deletionTimestamp === undefined) return;
    if (isWaitingFor(after, orphan) && !isWaitingFor(before, orphan))
      this.#toOrphan.add(itemKey(after));
    if (isWaitingFor(after, foreground) && !isWaitingFor(before, foreground)) {
      for (const dependent of this.#graph.dependentsOf(after.metadata.uid))
        this.#toDelete.add(itemKey(dependent));
      this.#toDelete.add(itemKey(after));
    }
  }

  /** Checks the object if an owner is not in the cache, and wakes former owners that may have waited for it. */
  #ownersChanged(before: KubeObject | undefined, after: KubeObject): void {
    const [was, is] = [
      before?.metadata.ownerReferences ?? [],
      after.metadata.ownerReferences ?? [],
    ];
    if (before !== undefined && deepEqual(was, is)) return;
    const unknown = is.filter((owner) => this.#graph.ownerOf(after, owner) === undefined);
    if (unknown.length > 0) this.#toDelete.add(itemKey(after));
    for (const owner of unknown) {
      const isNew = !was.some(({ uid }) => uid === owner.uid);
      if (isNew && this.#graph.isElsewhere(after, owner))
        this.#ctx.go(reportElsewhere(after, owner));
    }
    if (before !== undefined) this.#wakeWaitingOwners(before, was);
  }

  #deleted(object: KubeObject): void {
    for (const dependent of this.#graph.dependentsOf(object.metadata.uid))
      this.#toDelete.add(itemKey(dependent));
    this.#wakeWaitingOwners(object, object.metadata.ownerReferences ?? []);
  }

  #wakeWaitingOwners(dependent: KubeObject, owners: readonly OwnerReference[]): void {
    for (const reference of owners) {
      const owner = this.#graph.ownerOf(dependent, reference);
      if (owner !== undefined && isWaitingFor(owner, foreground))
        this.#toDelete.add(itemKey(owner));
    }
  }

  /** Upstream: attemptToDeleteItem. */
  *#attemptToDelete(key: Key): Reconcile {
    const { place, uid } = parseItemKey(key);
    const live = yield* getLive(place.kind, place.namespace, place.name);
    if (!live.ok || live.object.metadata.uid !== uid) return done("Gone");
    const { object } = live;
    if (isWaitingFor(object, foreground)) return yield* this.#waitForDependents(object);
    if (object.metadata.deletionTimestamp !== undefined) return done("BeingDeleted");
    const owners = yield* classify(object);
    if (owners === undefined) return done("OwnerUnresolved");
    if (owners.solid.length > 0)
      return yield* dropOwners(object, [...owners.gone, ...owners.waiting]);
    if (owners.gone.length + owners.waiting.length === 0) return done("NoOwners");
    return yield* this.#delete(object, owners.waiting.length > 0);
  }

  *#delete(object: KubeObject, ownerWaits: boolean): Reconcile {
    const { namespace, name, uid } = object.metadata;
    const dependents = this.#graph.dependentsOf(uid);
    if (ownerWaits && dependents.length > 0) {
      // Two objects that waited for each other would wait forever.
      if (dependents.some((dependent) => isWaitingFor(dependent, foreground)))
        yield* unblockOwners(object);
      return ended(
        yield* remove(object.kind, namespace, name, {
          propagationPolicy: "Foreground",
          preconditionUid: uid,
        }),
      );
    }
    const finalizers = object.metadata.finalizers ?? [];
    const propagationPolicy = finalizers.includes(orphan)
      ? "Orphan"
      : finalizers.includes(foreground)
        ? "Foreground"
        : "Background";
    return ended(
      yield* remove(object.kind, namespace, name, {
        propagationPolicy,
        preconditionUid: uid,
      }),
    );
  }

  /** Upstream: processDeletingDependentsItem. */
  *#waitForDependents(object: KubeObject): Reconcile {
    const blocking = this.#graph
      .dependentsOf(object.metadata.uid)
      .filter((dependent) =>
        dependent.metadata.ownerReferences?.some(
          (o) => o.uid === object.metadata.uid && o.blockOwnerDeletion === true,
        ),
      );
    if (blocking.length === 0) return yield* removeFinalizer(object, foreground);
    for (const dependent of blocking) {
      if (!isWaitingFor(dependent, foreground)) this.#toDelete.add(itemKey(dependent));
    }
    return done("WaitsForDependents");
  }

  /** Upstream: attemptToOrphanWorker, orphanDependents. */
  *#attemptToOrphan(key: Key): Reconcile {
    const { place, uid } = parseItemKey(key);
    const live = yield* getLive(place.kind, place.namespace, place.name);
    if (!live.ok || live.object.metadata.uid !== uid) return done("Gone");
    for (const dependent of this.#graph.dependentsOf(uid)) {
      const { namespace, name } = dependent.metadata;
      const freed = yield* patch(dependent.kind, namespace, name, (current) =>
        withOwners(
          current,
          (current.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid),
        ),
      );
      if (!freed.ok && !isNotFound(freed.error)) return retry(freed.error.message);
    }
    return yield* removeFinalizer(live.object, orphan);
  }
}

/** Upstream: reportInvalidNamespaceOwnerRef. */
function* reportElsewhere(object: KubeObject, owner: OwnerReference): Task {
  const { namespace = "" } = object.metadata;
  const { apiVersion, kind, name, uid } = owner;
  const identity = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
  const message = `ownerRef ${identity} does not exist in namespace "${namespace}"`;
  yield* event(refOf(object), "Warning", "OwnerRefInvalidNamespace", message);
}

function isWaitingFor(object: KubeObject | undefined, finalizer: string): boolean {
  const { deletionTimestamp, finalizers = [] } = object?.metadata ?? {};
  return deletionTimestamp !== undefined && finalizers.includes(finalizer);
}

function itemKey(object: KubeObject): Key {
  return `${refOf(object)} ${object.metadata.uid}`;
}

function parseItemKey(key: Key): { readonly place: Place; readonly uid: string } {
  const [ref = "", uid = ""] = key.split(" ");
  const [kind = "", namespace = "", name = ""] = ref.split("/");
  return { place: { kind: kind as Kind, namespace, name }, uid };
}

interface Owners {
  /** Existing, and not waiting for their dependents. */
  readonly solid: readonly OwnerReference[];
  readonly gone: readonly OwnerReference[];
  /** Being deleted in the foreground: waiting for their dependents to go first. */
  readonly waiting: readonly OwnerReference[];
}

/**
 * Sorts the owners by live reads. Returns undefined if one cannot be looked up, because its kind is not served or is
 * namespaced while the object is not; then nothing at all is done. Upstream: classifyReferences.
 */
function* classify(object: KubeObject): Task<Owners | undefined> {
  const solid: OwnerReference[] = [];
  const gone: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of object.metadata.ownerReferences ?? []) {
    const place = placeOf(object, reference);
    if (place === undefined) return undefined;
    const owner = yield* getLive(place.kind, place.namespace, place.name);
    if (!owner.ok || owner.object.metadata.uid !== reference.uid) gone.push(reference);
    else if (isWaitingFor(owner.object, foreground)) waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, gone, waiting };
}

function* dropOwners(object: KubeObject, owners: readonly OwnerReference[]): Task<Outcome> {
  if (owners.length === 0) return done("Owned");
  const uids = new Set(owners.map((owner) => owner.uid));
  const { namespace, name } = object.metadata;
  return ended(
    yield* patch(object.kind, namespace, name, (current) =>
      withOwners(
        current,
        (current.metadata.ownerReferences ?? []).filter((owner) => !uids.has(owner.uid)),
      ),
    ),
  );
}

function* unblockOwners(object: KubeObject): Task<Result<unknown>> {
  const { namespace, name } = object.metadata;
  return yield* patch(object.kind, namespace, name, (current) =>
    withOwners(
      current,
      (current.metadata.ownerReferences ?? []).map((owner) =>
        owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner,
      ),
    ),
  );
}

function* removeFinalizer(object: KubeObject, finalizer: string): Task<Outcome> {
  const { namespace, name } = object.metadata;
  return ended(
    yield* patch(object.kind, namespace, name, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        finalizers: (current.metadata.finalizers ?? []).filter((f) => f !== finalizer),
      },
    })),
  );
}

/** An object that is gone already counts as collected. */
function ended(result: Result<unknown>): Outcome {
  return result.ok || isNotFound(result.error) ? done("Collected") : retry(result.error.message);
}
