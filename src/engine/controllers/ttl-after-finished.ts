/**
 * Deletes Jobs whose ttlSecondsAfterFinished is over. Upstream: kube-controller-manager v1.36,
 * pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
import { type Key, type KubeObject, keyOf } from "../api/meta.ts";
import { expiresAt } from "../matching/finished-job.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { isNotFound, remove } from "../runtime/effects.ts";
import { done, type Reconcile, retry, wait } from "../runtime/outcome.ts";

export const ttlAfterFinishedController: Component = {
  name: "ttl-after-finished-controller",
  source: "ttl-after-finished-controller",
  start: (ctx) => {
    const queue = ctx.queue({ workers: 5, sync: (key) => sync(ctx, key) });
    const wake = (job: KubeObject<"Job">): void => {
      if (expiresAt(job) !== undefined) queue.add(keyOf(job));
    };
    ctx.informer("Job").on({ add: wake, update: (_, job) => wake(job) });
  },
};

function* sync(ctx: ComponentContext, key: Key): Reconcile {
  const job = ctx.informer("Job").get(key);
  const at =
    job === undefined || job.metadata.deletionTimestamp !== undefined ? undefined : expiresAt(job);
  if (job === undefined || at === undefined) return done("Stays");
  if (at > ctx.now) return wait("TimeToLive", at - ctx.now);
  const { namespace, name, uid } = job.metadata;
  const removed = yield* remove("Job", namespace, name, {
    propagationPolicy: "Foreground",
    preconditionUid: uid,
  });
  return removed.ok || isNotFound(removed.error) ? done("Expired") : retry(removed.error.message);
}
