/** The index by which the attachments of a PersistentVolume are found. */
import type { VolumeAttachment } from "../api/types.ts";

/** Name of the informer index of attachments by volume; shared by all components. */
export const attachmentsByVolume = "volume";

export function attachedVolumes(attachment: VolumeAttachment): readonly string[] {
  const name = attachment.spec.source.persistentVolumeName;
  return name === undefined ? [] : [name];
}
