/**
 * The mount options of an in-tree volume: sorted, each once. Upstream: pkg/volume/util MountOptionFromSpec, JoinMountOptions
 * v1.36. CSI drivers get the field as it is written.
 */
import { mountOptionsAnnotation } from "../../api/annotation-keys.ts";
import { compareText } from "../../api/go/text-order.ts";
import { annotationOf } from "../../matching/annotations.ts";
import type { VolumeSpec } from "./plugin.ts";

/** `own`: options that the kubelet adds. The old annotation takes precedence over the field. */
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
