/**
 * The DisruptionAllowed condition of a PodDisruptionBudget. Upstream: component-helpers v0.36
 * apps/poddisruptionbudget/helpers.go.
 */
import type { Condition, PodDisruptionBudgetStatus } from "../api/types.ts";

const disruptionAllowed = "DisruptionAllowed";

/** Returns the status with the condition that matches its number of allowed disruptions. */
export function withAllowedCondition(
  status: PodDisruptionBudgetStatus,
  now: string,
): PodDisruptionBudgetStatus {
  const isAllowed = (status.disruptionsAllowed ?? 0) > 0;
  return withDisruptionCondition(
    status,
    {
      status: isAllowed ? "True" : "False",
      reason: isAllowed ? "SufficientPods" : "InsufficientPods",
      message: "",
    },
    now,
  );
}

/** True if the condition agrees with the number, whatever its reason. Upstream: ConditionsAreUpToDate. */
export function saysWhetherAllowed({
  disruptionsAllowed = 0,
  conditions = [],
}: PodDisruptionBudgetStatus): boolean {
  const condition = conditions.find(({ type }) => type === disruptionAllowed);
  return condition?.status === (disruptionsAllowed > 0 ? "True" : "False");
}

export function withDisruptionCondition(
  status: PodDisruptionBudgetStatus,
  condition: Pick<Condition, "status" | "reason" | "message">,
  now: string,
): PodDisruptionBudgetStatus {
  const conditions = status.conditions ?? [];
  const before = conditions.find(({ type }) => type === disruptionAllowed);
  const next: Condition = {
    type: disruptionAllowed,
    ...condition,
    ...(status.observedGeneration !== undefined && {
      observedGeneration: status.observedGeneration,
    }),
    lastTransitionTime: before?.status === condition.status ? before.lastTransitionTime : now,
  };
  return {
    ...status,
    conditions:
      before === undefined
        ? [...conditions, next]
        : conditions.map((other) => (other === before ? next : other)),
  };
}
