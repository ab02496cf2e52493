/**
 * Empties and finalizes namespaces that are being deleted. Upstream: kube-controller-manager v1.36, pkg/controller/namespace/
 * namespace_controller.go and deletion/namespaced_resources_deleter.go. Kinds that the engine does not serve have no objects.
 */
import { compareText } from "../api/go/text-order.ts";
import { deepEqual, withFields } from "../api/json.ts";
import {
  type Key,
  type Kind,
  type KubeObject,
  kindSchema,
  qualifiedResource,
} from "../api/meta.ts";
import { kindSchemas } from "../api/schema.ts";
import { instantOf, timestamp } from "../api/timestamp.ts";
import type { NamespaceCondition } from "../api/types.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { isNotFound, listLive, patch, remove, type Task } from "../runtime/effects.ts";
import { done, type Reconcile, retry, wait } from "../runtime/outcome.ts";
import type { Instant } from "../trace/instant.ts";
import { deletesPodsOfNamespaceFirst } from "../version-differences.ts";

/** Wait before the first sync, so that the last objects created can be seen. Upstream: namespaceDeletionGracePeriod. */
const gracePeriodMs = 5000;
/** Expected time for finalizers to be removed. Upstream: finalizerEstimateSeconds. */
const finalizerSeconds = 15;
const namespaceFinalizer = "kubernetes";

export const namespaceController: Component = {
  name: "namespace-controller",
  source: "namespace-controller",
  start: (ctx) => {
    const queue = ctx.queue({
      workers: 10,
      baseMs: 5,
      maxMs: 60_000,
      sync: (key) => sync(ctx, key),
    });
    const wake = (namespace: KubeObject<"Namespace">): void => {
      if (namespace.metadata.deletionTimestamp !== undefined)
        queue.addAfter(namespace.metadata.name, gracePeriodMs);
    };
    ctx.informer("Namespace").on({ add: wake, update: (_, namespace) => wake(namespace) });
  },
};

/** The objects left of one kind, and how long they are expected to last, or what has failed. */
interface Remainder {
  readonly kind: Kind;
  readonly objects: readonly KubeObject[];
  readonly waitSeconds: number;
  readonly failure?: string;
}

interface Content {
  readonly remainders: readonly Remainder[];
  /** False while pods are deleted first: the conditions do not list what remains then (kubernetes/kubernetes#138209). */
  readonly isTold: boolean;
}

function* sync(ctx: ComponentContext, name: Key): Reconcile {
  const namespace = ctx.informer("Namespace").get(name);
  if (namespace === undefined || namespace.metadata.deletionTimestamp === undefined)
    return done("Alive");
  if ((namespace.spec?.finalizers ?? []).length === 0) return done("Finalized");
  const content = yield* deleteContent(ctx, namespace);
  const unwritten = yield* writeConditions(namespace, content, ctx.now);
  const { remainders } = content;
  const failures = [...failuresOf(remainders), ...(unwritten === undefined ? [] : [unwritten])];
  if (failures.length > 0) return retry(failures.join(", "));
  const seconds = Math.max(0, ...remainders.map((remainder) => remainder.waitSeconds));
  if (remainders.length > 0)
    return wait("SomeResourcesRemain", (Math.floor(seconds / 2) + 1) * 1000);
  const finalized = yield* patch("Namespace", undefined, name, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      finalizers: (current.spec?.finalizers ?? []).filter((f) => f !== namespaceFinalizer),
    },
  }));
  return finalized.ok || isNotFound(finalized.error)
    ? done("Finalized")
    : retry(finalized.error.message);
}

/** Deletes everything in it. From 1.33 on nothing else while there are pods, so that they do not lose what they use. */
function* deleteContent(
  ctx: ComponentContext,
  { metadata: { name, deletionTimestamp = "" } }: KubeObject<"Namespace">,
): Task<Content> {
  const deletedForSeconds = (): number => (ctx.now - instantOf(deletionTimestamp)) / 1000;
  const remainders: Remainder[] = [];
  const arePodsFirst = deletesPodsOfNamespaceFirst(ctx.version);
  if (arePodsFirst) {
    const pods = yield* deleteKind("Pod", name, deletedForSeconds());
    if (pods !== undefined) remainders.push(pods);
    if (pods !== undefined && pods.objects.length > 0) return { remainders, isTold: false };
  }
  for (const { kind, namespaced } of kindSchemas) {
    if (!namespaced || (arePodsFirst && kind === "Pod")) continue;
    const remainder = yield* deleteKind(kind, name, deletedForSeconds());
    if (remainder !== undefined) remainders.push(remainder);
  }
  return { remainders, isTold: true };
}

/** Upstream: deleteAllContentForGroupVersionResource. */
function* deleteKind(
  kind: Kind,
  namespace: string,
  deletedForSeconds: number,
): Task<Remainder | undefined> {
  const objects = yield* listLive(kind, namespace);
  if (objects.length === 0) return undefined;
  const graceSeconds = remainingGraceSeconds(objects, deletedForSeconds);
  for (const { metadata } of objects) {
    const removed = yield* remove(kind, namespace, metadata.name, {
      propagationPolicy: "Background",
    });
    if (!removed.ok && !isNotFound(removed.error))
      return { kind, objects: [], waitSeconds: graceSeconds, failure: removed.error.message };
  }
  const left = yield* listLive(kind, namespace);
  if (left.length === 0) return undefined;
  if (graceSeconds > 0) return { kind, objects: left, waitSeconds: graceSeconds };
  if (left.some(({ metadata }) => (metadata.finalizers ?? []).length > 0))
    return { kind, objects: left, waitSeconds: finalizerSeconds };
  const failure = `unexpected items still remain in namespace: ${namespace} for gvr: ${gvrOf(kind)}`;
  return { kind, objects: left, waitSeconds: 0, failure };
}

/** The pods' longest grace period; 0 if the namespace's deletion is longer ago. Upstream: estimateGracefulTermination. */
function remainingGraceSeconds(objects: readonly KubeObject[], deletedForSeconds: number): number {
  const graces = objects.map((object) =>
    object.kind === "Pod" && !isPodEnded(object)
      ? (object.spec.terminationGracePeriodSeconds ?? 0)
      : 0,
  );
  const longest = Math.max(0, ...graces);
  return deletedForSeconds >= longest ? 0 : longest;
}

function failuresOf(remainders: readonly Remainder[]): readonly string[] {
  return remainders.flatMap(({ failure }) => failure ?? []);
}

function* writeConditions(
  namespace: KubeObject<"Namespace">,
  content: Content,
  now: Instant,
): Task<string | undefined> {
  const current = namespace.status?.conditions ?? [];
  const next = conditionsFor(content, now).map((condition) => {
    const known = current.find((c) => c.type === condition.type);
    const { lastTransitionTime } = known?.status === condition.status ? known : condition;
    return withFields(condition, { lastTransitionTime });
  });
  if (deepEqual(current, next)) return undefined;
  const { name } = namespace.metadata;
  const change = (live: KubeObject<"Namespace">): KubeObject<"Namespace"> => ({
    ...live,
    status: { ...live.status, conditions: next },
  });
  const written = yield* patch("Namespace", undefined, name, change, "status");
  return written.ok || isNotFound(written.error) ? undefined : written.error.message;
}

/** Upstream: deletion/status_condition_utils.go. */
function conditionsFor(
  { remainders, isTold }: Content,
  now: Instant,
): readonly NamespaceCondition[] {
  const told = isTold ? remainders : [];
  const at = timestamp(now);
  const condition = (
    type: string,
    status: string,
    reason: string,
    message: string,
  ): NamespaceCondition => ({
    type,
    status,
    lastTransitionTime: at,
    reason,
    message,
  });
  const fine = [
    condition(
      "NamespaceDeletionDiscoveryFailure",
      "False",
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
  ];
  return [
    ...fine,
    contentFailure(remainders, condition),
    contentRemaining(told, condition),
    finalizersRemaining(told, condition),
  ];
}

type MakeCondition = (
  type: string,
  status: string,
  reason: string,
  message: string,
) => NamespaceCondition;

function contentFailure(
  remainders: readonly Remainder[],
  condition: MakeCondition,
): NamespaceCondition {
  const type = "NamespaceDeletionContentFailure";
  const failures = failuresOf(remainders);
  if (failures.length === 0)
    return condition(
      type,
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    );
  const message = `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted(compareText).join(", ")}`;
  return condition(type, "True", "ContentDeletionFailed", message);
}

function contentRemaining(
  remainders: readonly Remainder[],
  condition: MakeCondition,
): NamespaceCondition {
  const type = "NamespaceContentRemaining";
  const left = remainders.filter(({ objects }) => objects.length > 0);
  if (left.length === 0)
    return condition(type, "False", "ContentRemoved", "All content successfully removed");
  const parts = left.map(
    ({ kind, objects }) => `${resourceOf(kind)} has ${objects.length} resource instances`,
  );
  return condition(
    type,
    "True",
    "SomeResourcesRemain",
    `Some resources are remaining: ${parts.toSorted(compareText).join(", ")}`,
  );
}

function finalizersRemaining(
  remainders: readonly Remainder[],
  condition: MakeCondition,
): NamespaceCondition {
  const type = "NamespaceFinalizersRemaining";
  const counts = new Map<string, number>();
  for (const { objects } of remainders) {
    for (const finalizer of objects.flatMap((object) => object.metadata.finalizers ?? [])) {
      counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
    }
  }
  if (counts.size === 0)
    return condition(
      type,
      "False",
      "ContentHasNoFinalizers",
      "All content-preserving finalizers finished",
    );
  const parts = [...counts].map(
    ([finalizer, count]) => `${finalizer} in ${count} resource instances`,
  );
  const message = `Some content in the namespace has finalizers remaining: ${parts.toSorted(compareText).join(", ")}`;
  return condition(type, "True", "SomeFinalizersRemain", message);
}

/** `persistentvolumeclaims.`, with the group, if any, after the dot, as the messages name it. */
function resourceOf(kind: Kind): string {
  const resource = qualifiedResource(kind);
  return resource.includes(".") ? resource : `${resource}.`;
}

/** `/v1, Resource=pods`, `apps/v1, Resource=deployments`, as Go prints a GroupVersionResource. */
function gvrOf(kind: Kind): string {
  const { apiVersion = "", plural = "" } = kindSchema(kind) ?? {};
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Resource=${plural}`;
}
