/** Conditions of a Deployment's status. Upstream: pkg/controller/deployment/util/deployment_util.go, conditions, v1.36. */
import { timestamp } from "../../api/timestamp.ts";
import type { DeploymentCondition, DeploymentStatus } from "../../api/types.ts";
import type { Instant } from "../../trace/instant.ts";

type Conditions = readonly DeploymentCondition[];

export function condition(
  type: "Available" | "Progressing",
  status: "True" | "False" | "Unknown",
  reason: string,
  message: string,
  now: Instant,
): DeploymentCondition {
  const at = timestamp(now);
  return { type, status, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

export function conditionOf(
  status: DeploymentStatus | undefined,
  type: string,
): DeploymentCondition | undefined {
  return status?.conditions?.find((c) => c.type === type);
}

/** The same status and reason count as no change; the same status keeps lastTransitionTime. */
export function withCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const current = conditions.find((c) => c.type === next.type);
  if (current?.status === next.status && current.reason === next.reason) return conditions;
  const keepsTime = current?.status === next.status && current.lastTransitionTime !== undefined;
  return [
    ...withoutCondition(conditions, next.type),
    keepsTime ? { ...next, lastTransitionTime: current.lastTransitionTime } : next,
  ];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.filter((c) => c.type !== type);
}
