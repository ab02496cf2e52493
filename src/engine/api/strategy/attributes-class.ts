/**
 * The attributes class that claims and volumes name. Upstream: pkg/api/persistentvolumeclaim/util.go DropDisabledFields,
 * DropDisabledFieldsFromStatus, pkg/api/persistentvolume/util.go DropDisabledSpecFields, v1.33.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { hasVolumeAttributesClasses } from "../../version-differences.ts";
import { dropField, type Mutable } from "../mutable.ts";
import type { PersistentVolumeClaim } from "../types.ts";

interface Attributed {
  volumeAttributesClassName?: string;
}

/** Before 1.34 the gate VolumeAttributesClass is off. What the stored object names is kept. */
export function dropAttributesClass(
  spec: Attributed,
  before: Readonly<Attributed> | undefined,
  version: KubernetesVersion,
): void {
  if (hasVolumeAttributesClasses(version) || before?.volumeAttributesClassName !== undefined)
    return;
  dropField(spec, "volumeAttributesClassName");
}

/** The same for a claim's status. */
export function dropAttributesReport(
  { status }: Mutable<PersistentVolumeClaim>,
  { status: before }: PersistentVolumeClaim,
  version: KubernetesVersion,
): void {
  if (hasVolumeAttributesClasses(version) || status === undefined) return;
  for (const field of ["currentVolumeAttributesClassName", "modifyVolumeStatus"] as const)
    if (before?.[field] === undefined) dropField(status, field);
}
