/** Whether a volume is attached to its node. */
import { type KubeObject, makeRef, refOf } from "../api/meta.ts";
import { instantOf } from "../runtime/timestamp.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Verdict } from "./verdict.ts";

/** An attacher that runs marks an attachment long before. */
const patienceMs = 5_000;

export function attachmentVerdict(
  facts: RunFacts,
  attachment: KubeObject<"VolumeAttachment">,
): Verdict {
  const { attacher, nodeName, source } = attachment.spec;
  const volume = source.persistentVolumeName ?? "inline";
  const chain = [{ ref: makeRef("PersistentVolume", undefined, volume), text: "is the volume" }];
  const { creationTimestamp = "" } = attachment.metadata;
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
  const forced = facts.lastDecision(refOf(attachment), "attachdetach-controller");
  const withinMs = facts.untilDue(forced);
  if (attached === true && withinMs !== undefined)
    return makeVerdict(
      attachment,
      "will-happen",
      `${volume} is detached from ${nodeName} by force: the node does not answer`,
      { message: forced?.text, withinMs, chain },
    );
  if (attached === true)
    return makeVerdict(attachment, "healthy", `${volume} is attached to ${nodeName}`, { chain });
  if (attachError?.message !== undefined)
    return makeVerdict(attachment, "fails", `${attacher} cannot attach ${volume} to ${nodeName}`, {
      message: attachError.message,
      chain,
    });
  if (facts.isStopped(attacher))
    return makeVerdict(
      attachment,
      "waits-for-you",
      `${volume} is not attached to ${nodeName}: the controller of ${attacher} is down`,
      { chain },
    );
  const isTakenUp = (attachment.metadata.finalizers ?? []).length > 0;
  if (!isTakenUp && facts.now - instantOf(creationTimestamp) > patienceMs)
    return makeVerdict(
      attachment,
      "stuck",
      `${volume} is not attached to ${nodeName}: nobody in this cluster attaches volumes of ${attacher}`,
      { root: { ref: refOf(attachment), field: "spec.attacher" }, chain },
    );
  return makeVerdict(attachment, "will-happen", `${volume} is being attached to ${nodeName}`, {
    chain,
  });
}
