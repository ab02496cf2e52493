/** Whether a volume is attached to its node. */
import { type KubeObject, makeRef } from "../api/meta.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { Verdict } from "./verdict.ts";

export function attachmentVerdict(attachment: KubeObject<"VolumeAttachment">): Verdict {
  const { attacher, nodeName, source } = attachment.spec;
  const volume = source.persistentVolumeName ?? "inline";
  const chain = [{ ref: makeRef("PersistentVolume", undefined, volume), text: "is the volume" }];
  const { attached, attachError, detachError } = attachment.status ?? {};
  if (detachError?.message !== undefined)
    return makeVerdict(attachment, "fails", `${volume} cannot be detached from ${nodeName}`, {
      message: detachError.message,
      chain,
    });
  if (attachment.metadata.deletionTimestamp !== undefined)
    return makeVerdict(attachment, "will-happen", `${volume} is being detached from ${nodeName}`, {
      chain,
    });
  if (attached === true)
    return makeVerdict(attachment, "healthy", `${volume} is attached to ${nodeName}`, { chain });
  if (attachError?.message !== undefined)
    return makeVerdict(attachment, "fails", `${attacher} cannot attach ${volume} to ${nodeName}`, {
      message: attachError.message,
      chain,
    });
  return makeVerdict(attachment, "will-happen", `${volume} is being attached to ${nodeName}`, {
    chain,
  });
}
