/**
 * Counts a namespace's usage of its quotas. Upstream: kube-controller-manager v1.36, pkg/controller/resourcequota/
 * {resource_quota_controller,resource_quota_monitor}.go. Admission charges new objects; this controller applies new limits and
 * releases the usage of deleted objects. Upstream recounts everything every five minutes; here only when the result may differ:
 * objects created before a new limit takes effect are not charged for it, and a creation refused because the object exists
 * stays charged.
 */
import { deepEqual } from "../api/json.ts";
import { type Key, type Kind, type KubeObject, keyOf, splitKey } from "../api/meta.ts";
import { addQuantities, type Quantity, zeroQuantity } from "../api/quantity.ts";
import { kindSchemas } from "../api/schema.ts";
import { hasDeadline, isChargeable, stuckSince } from "../quota/pod-usage.ts";
import { equalLists, formatList, parseList, type ResourceList } from "../quota/resource-list.ts";
import { chargedType, concerns, isInScope, isNeverUsed, usageOf } from "../quota/usage.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { isNotFound, updateStatus } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";
import type { Instant } from "../trace/instant.ts";
import { heedsScopeChanges } from "../version-differences.ts";
import { lookThrough } from "./workload/look-through.ts";

type Quota = KubeObject<"ResourceQuota">;
type Pod = KubeObject<"Pod">;

/** Upstream: ResourceQuotaSyncPeriod. */
const resyncMs = 300_000;

const kinds = kindSchemas.filter(({ namespaced }) => namespaced).map(({ kind }) => kind);

export const resourceQuotaController: Component = {
  name: "resourcequota-controller",
  source: "resourcequota-controller",
  start: (ctx) => {
    const startedAt = ctx.now;
    /** Returns the delay until the first full recount after `after`. Upstream: enqueueAll. */
    const untilCountOfAll = (after: Instant): number => {
      const round = Math.floor((after - startedAt) / resyncMs) + 1;
      return startedAt + round * resyncMs - ctx.now;
    };
    const quotas = ctx.informer("ResourceQuota");
    const queue = ctx.queue({ workers: 5, sync: (key) => sync(ctx, key) });
    quotas.on({
      add: (quota) => queue.add(keyOf(quota)),
      update: (before, quota) => {
        if (!equalLists(parseList(before.spec?.hard), parseList(quota.spec?.hard)))
          queue.add(keyOf(quota));
        if (!deepEqual(before.status, quota.status))
          queue.addAfter(keyOf(quota), untilCountOfAll(ctx.now));
      },
    });
    const replenish = (kind: Kind, object: KubeObject, afterMs = 0): void => {
      for (const quota of quotas.list(object.metadata.namespace)) {
        if (!Object.keys(quota.status?.hard ?? {}).some((name) => concerns(kind, name))) continue;
        if (afterMs === 0) queue.add(keyOf(quota));
        else queue.addAfter(keyOf(quota), afterMs);
      }
    };
    const countWithAll = (pod: Pod, from: Instant): void => {
      const delayMs = untilCountOfAll(from);
      if (delayMs > 0) replenish("Pod", pod, delayMs);
    };
    /** No event reports that a pod is stuck terminating: the next full recount finds it. */
    const lookWhenStuck = (pod: Pod): void => {
      const stuckFrom = stuckSince(pod);
      if (stuckFrom !== undefined) countWithAll(pod, stuckFrom);
    };
    for (const kind of kinds)
      ctx.informer(kind).on({ delete: (object) => replenish(kind, object) });
    ctx.informer("Pod").on({
      add: lookWhenStuck,
      update: (before, pod) => {
        const isFreed = isChargeable(before, ctx.now) && !isChargeable(pod, ctx.now);
        const isInNewScope = hasDeadline(before) !== hasDeadline(pod);
        if (isFreed || (isInNewScope && heedsScopeChanges(ctx.version))) replenish("Pod", pod);
        else if (isInNewScope) countWithAll(pod, ctx.now);
        else if (before.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp)
          lookWhenStuck(pod);
      },
    });
    ctx.informer("PersistentVolumeClaim").on({
      // Any update counts: upstream's RequiresQuotaReplenish compares two pointers, which always differ.
      update: (_, claim) => replenish("PersistentVolumeClaim", claim),
    });
    ctx.informer("Service").on({
      update: (before, service) => {
        if (chargedType(before) !== chargedType(service)) replenish("Service", service);
      },
    });
  },
};

/** Upstream: syncResourceQuota. */
function* sync(ctx: ComponentContext, key: Key): Reconcile {
  const { namespace } = splitKey(key);
  const objectCount =
    ctx.informer("Pod").list(namespace).length +
    ctx.informer("PersistentVolumeClaim").list(namespace).length;
  yield* lookThrough(objectCount);
  const quota = ctx.informer("ResourceQuota").get(key);
  if (quota === undefined) return done("Deleted");
  const hard = quota.spec?.hard ?? {};
  const used = usedOf(ctx, quota);
  const known = quota.status;
  const isTaken = equalLists(parseList(hard), parseList(known?.hard));
  if (isTaken && equalLists(used, parseList(known?.used))) return done("Counted");
  // Empty lists are left out.
  const status = {
    ...(Object.keys(hard).length > 0 && { hard }),
    ...(used.size > 0 && { used: formatList(used) }),
  };
  const written = yield* updateStatus<"ResourceQuota">({ ...quota, status });
  if (written.ok) return done("Counted");
  return isNotFound(written.error) ? done("Deleted") : retry(written.error.message);
}

/** A limit on a resource that no kind uses gets no number. Upstream: CalculateUsage. */
function usedOf(ctx: ComponentContext, quota: Quota): ResourceList {
  const names = Object.keys(quota.spec?.hard ?? {});
  const used = new Map<string, Quantity>(
    names.filter(isNeverUsed).map((name) => [name, zeroQuantity]),
  );
  for (const kind of kinds) {
    const limited = names.filter((name) => concerns(kind, name));
    if (limited.length === 0) continue;
    for (const name of limited) used.set(name, zeroQuantity);
    for (const object of ctx.informer(kind).list(quota.metadata.namespace)) {
      if (!isInScope(quota, object)) continue;
      const usage = usageOf(object, ctx.now);
      for (const name of limited) {
        const more = usage.get(name);
        if (more !== undefined) used.set(name, addQuantities(used.get(name) ?? zeroQuantity, more));
      }
    }
  }
  return used;
}
