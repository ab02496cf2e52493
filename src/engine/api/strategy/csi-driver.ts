/**
 * Fields of drivers behind gates that are off; an object that was stored with them keeps them.
 * Upstream: pkg/registry/storage/csidriver/strategy.go PrepareForCreate, PrepareForUpdate, v1.36; the gate VolumeLimitScaling
 * is off.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { hasMutableVolumeLimits } from "../../version-differences.ts";
import { dropField, type Mutable } from "../mutable.ts";
import type { CSIDriver, CSIDriverSpec } from "../types.ts";

const lateFields = ["nodeAllocatableUpdatePeriodSeconds", "serviceAccountTokenInSecrets"] as const;

export function dropDriverFields(
  driver: Mutable<CSIDriver>,
  old: CSIDriverSpec | undefined,
  version: KubernetesVersion,
): void {
  const isOff = hasMutableVolumeLimits(version) ? [] : lateFields;
  for (const field of ["preventPodSchedulingIfMissing", ...isOff] as const)
    if (old?.[field] === undefined) dropField(driver.spec, field);
}
