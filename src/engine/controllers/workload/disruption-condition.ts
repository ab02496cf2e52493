/** Upstream: pkg/api/v1/pod UpdatePodCondition with the condition DisruptionTarget v1.36. */
import type { KubeObject } from "../../api/meta.ts";
import { timestamp } from "../../runtime/timestamp.ts";
import type { Instant } from "../../trace/instant.ts";

type Pod = KubeObject<"Pod">;

/** The pod with the reason why it is about to be disrupted. */
export function withDisruption(pod: Pod, reason: string, message: string, now: Instant): Pod {
  const conditions = pod.status?.conditions ?? [];
  const known = conditions.find((condition) => condition.type === "DisruptionTarget");
  const lastTransitionTime =
    known?.status === "True" ? (known.lastTransitionTime ?? timestamp(now)) : timestamp(now);
  const next = { type: "DisruptionTarget", status: "True", lastTransitionTime, reason, message };
  const others =
    known === undefined
      ? [...conditions, next]
      : conditions.map((condition) => (condition === known ? next : condition));
  return { ...pod, status: { ...pod.status, conditions: others } };
}
