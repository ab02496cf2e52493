/** Fields of StatefulSets behind gates that are off. Upstream: pkg/registry/apps/statefulset/strategy.go dropStatefulSetDisabledFields v1.36. */
import { dropField, type Mutable } from "../mutable.ts";
import type { StatefulSet } from "../types.ts";

/** The gate MaxUnavailableStatefulSet is off: one pod is replaced at a time. */
export function dropMaxUnavailable({ spec }: Mutable<StatefulSet>): void {
  const rollingUpdate = spec?.updateStrategy?.rollingUpdate;
  if (rollingUpdate !== undefined) dropField(rollingUpdate, "maxUnavailable");
}
