/** Fields of StatefulSets behind gates that are off. Upstream: pkg/registry/apps/statefulset/strategy.go dropStatefulSetDisabledFields v1.36. */
import { dropField, type Mutable } from "../mutable.ts";
import type { StatefulSet } from "../types.ts";

/** The gate MaxUnavailableStatefulSet is off: pods are replaced one by one. A set that was stored with the field keeps it. */
export function dropMaxUnavailable({ spec }: Mutable<StatefulSet>, old?: StatefulSet): void {
  if (old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined) return;
  const rollingUpdate = spec?.updateStrategy?.rollingUpdate;
  if (rollingUpdate !== undefined) dropField(rollingUpdate, "maxUnavailable");
}
