/** Finding the attachments of a PersistentVolume. */
import type { VolumeAttachment } from "../api/types.ts";

/** The informer index of attachments by the volume they attach; the same everywhere. */
export const attachmentsByVolume = "volume";

export function attachedVolumes(attachment: VolumeAttachment): readonly string[] {
  const name = attachment.spec.source.persistentVolumeName;
  return name === undefined ? [] : [name];
}
