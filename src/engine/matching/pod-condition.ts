/** Conditions of a pod's status. Upstream: pkg/api/v1/pod/util.go GetPodCondition, IsPodReady, UpdatePodCondition v1.36. */
import { withFields } from "../api/json.ts";
import type { Pod, PodCondition } from "../api/types.ts";

/** Undefined if the status has no condition of that type. */
export function podCondition(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

export function isPodReady(pod: Pod): boolean {
  return podCondition(pod, "Ready")?.status === "True";
}

/** Returns the pod with the condition. Its lastTransitionTime stays if its status does. */
export function withCondition(pod: Pod, condition: PodCondition, now: string): Pod {
  const conditions = pod.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime =
    before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  const next = withFields(condition, { lastTransitionTime });
  return {
    ...pod,
    status: {
      ...pod.status,
      conditions:
        before === undefined
          ? [...conditions, next]
          : conditions.map((other) => (other === before ? next : other)),
    },
  };
}

/** Returns the pod with the condition DisruptionTarget, which says why it is about to be terminated. */
export function withDisruption(pod: Pod, reason: string, message: string, now: string): Pod {
  return withCondition(pod, { type: "DisruptionTarget", status: "True", reason, message }, now);
}

export function hasCondition(pod: Pod, { type, status, reason, message }: PodCondition): boolean {
  return (pod.status?.conditions ?? []).some(
    (c) => c.type === type && c.status === status && c.reason === reason && c.message === message,
  );
}
