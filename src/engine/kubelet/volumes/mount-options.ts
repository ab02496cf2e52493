/**
 * What an in-tree volume is mounted with: sorted, and each option once. Upstream: pkg/volume/util MountOptionFromSpec,
 * JoinMountOptions v1.36. Drivers are told only what stands in the field, as it stands there.
 */
import { mountOptionsAnnotation } from "../../api/annotation-keys.ts";
import { compareText } from "../../api/go/text-order.ts";
import { annotationOf } from "../../matching/annotations.ts";
import type { VolumeSpec } from "./plugin.ts";

/** `own` are the options that the kubelet adds. The annotation of old times counts before the field. */
export function mountOptions(
  { persistentVolume }: VolumeSpec,
  own: readonly string[] = [],
): readonly string[] {
  const annotated =
    persistentVolume && annotationOf(persistentVolume, mountOptionsAnnotation)?.split(",");
  const wanted = annotated ?? persistentVolume?.spec.mountOptions ?? [];
  const all = new Set([...wanted.filter((option) => option !== ""), ...own]);
  return [...all].sort(compareText);
}
