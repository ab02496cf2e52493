/** Migrated in-tree sources, seen as CSI. Upstream: pkg/volume/csimigration translateSpec, populator v1.36. */
import type { Pod } from "../../api/types.ts";
import { translatedInlineVolume, translatedVolume } from "../../volume/csi-translation.ts";
import type { VolumeSpec } from "./plugin.ts";

export function translatedSpec(pod: Pod, spec: VolumeSpec): VolumeSpec {
  if (spec.persistentVolume !== undefined) {
    return { ...spec, persistentVolume: translatedVolume(spec.persistentVolume) };
  }
  const inline = spec.volume === undefined ? undefined : translatedInlineVolume(pod, spec.volume);
  if (inline === undefined) return spec;
  const { name } = inline.metadata;
  return { name, persistentVolume: inline, readOnly: false, isMigratedInline: true };
}
