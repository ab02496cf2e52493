/**
 * Resets a pod's condition DisruptionTarget if the pod has not been deleted two minutes later. Upstream:
 * pkg/controller/disruption/disruption.go syncStalePodDisruption, nonTerminatingPodHasStaleDisruptionCondition v1.36.
 */
import { type Key, keyOf } from "../api/meta.ts";
import { instantOf, timestamp } from "../api/timestamp.ts";
import type { Pod } from "../api/types.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { isNotFound, updateStatus } from "../runtime/effects.ts";
import { done, type Reconcile, retry, wait } from "../runtime/outcome.ts";
import type { Instant } from "../trace/instant.ts";

/** Upstream: stalePodDisruptionTimeout. */
const staleMs = 120_000;
const type = "DisruptionTarget";

export function clearStaleDisruptions(context: ComponentContext): void {
  const pods = context.informer("Pod");
  const queue = context.queue({ sync });

  function* sync(key: Key): Reconcile {
    const pod = pods.get(key);
    const staleAt = pod === undefined ? undefined : staleSince(pod);
    if (pod === undefined || staleAt === undefined) return done("NotDisrupted");
    if (staleAt > context.now) return wait("Disrupted", staleAt - context.now);
    const written = yield* updateStatus<"Pod">(withoutDisruption(pod, timestamp(context.now)));
    return written.ok || isNotFound(written.error) ? done("Cleared") : retry(written.error.message);
  }

  const look = (pod: Pod): void => {
    const staleAt = staleSince(pod);
    if (staleAt !== undefined) queue.addAfter(keyOf(pod), Math.max(0, staleAt - context.now));
  };
  pods.on({ add: look, update: (_, pod) => look(pod) });
}

/** Returns when the condition becomes stale; undefined if there is none or it never does, as when a kubelet has set it. */
function staleSince(pod: Pod): Instant | undefined {
  const { metadata, status } = pod;
  if (metadata.deletionTimestamp !== undefined || isPodEnded(pod)) return undefined;
  const target = status?.conditions?.find((c) => c.type === type && c.status === "True");
  return target === undefined || target.reason === "TerminationByKubelet"
    ? undefined
    : instantOf(target.lastTransitionTime ?? metadata.creationTimestamp) + staleMs;
}

function withoutDisruption(pod: Pod, lastTransitionTime: string): Pod {
  const conditions = (pod.status?.conditions ?? []).map((condition) =>
    condition.type === type ? { type, status: "False", lastTransitionTime } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}
