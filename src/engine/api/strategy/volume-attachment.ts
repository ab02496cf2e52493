/**
 * Error codes behind the gate MutableCSINodeAllocatableCount, which is off before 1.35. Upstream:
 * pkg/registry/storage/volumeattachment/strategy.go volumeAttachmentStatusStrategy, v1.35.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { hasMutableVolumeLimits } from "../../version-differences.ts";
import { dropField, type Mutable } from "../mutable.ts";
import type { VolumeAttachment } from "../types.ts";

export function dropErrorCodes(
  { status }: Mutable<VolumeAttachment>,
  { status: before }: VolumeAttachment,
  version: KubernetesVersion,
): void {
  if (hasMutableVolumeLimits(version)) return;
  for (const field of ["attachError", "detachError"] as const) {
    const error = status?.[field];
    if (error !== undefined && before?.[field]?.errorCode === undefined)
      dropField(error, "errorCode");
  }
}
