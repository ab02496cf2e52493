/** Whether a volume is attached to its node. */
import { type KubeObject, makeRef, refOf } from "../api/meta.ts";
import { isPodTerminated } from "../matching/pod-state.ts";
import { instantOf } from "../runtime/timestamp.ts";
import { makeVerdict } from "./make-verdict.ts";
import { podsUsing } from "./pods-using.ts";
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
  const isTakenUp = (attachment.metadata.finalizers ?? []).length > 0;
  if (attachment.metadata.deletionTimestamp !== undefined && isTakenUp && facts.isStopped(attacher))
    return makeVerdict(
      attachment,
      "waits-for-you",
      `${volume} is not detached from ${nodeName}: the controller of ${attacher} is down`,
      { chain },
    );
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
  const isLeftTo = isTakenUp && facts.isStopped(attacher);
  if (!isLeftTo && !isWanted(facts, attachment))
    return makeVerdict(
      attachment,
      "will-happen",
      `${volume} is no longer wanted on ${nodeName}: the attachment goes when the attempt to attach it is over`,
      { chain },
    );
  if (facts.isStopped(attacher))
    return makeVerdict(
      attachment,
      "waits-for-you",
      `${volume} is not attached to ${nodeName}: the controller of ${attacher} is down`,
      { chain },
    );
  if (!isTakenUp && facts.now - instantOf(creationTimestamp) > patienceMs)
    return makeVerdict(
      attachment,
      "stuck",
      `${volume} is not attached to ${nodeName}: nobody in this cluster attaches volumes of ${attacher}`,
      {
        root: { ref: refOf(attachment), field: "spec.attacher" },
        chain,
        fixes: [
          {
            text: `have the controller of ${attacher} run with an external-attacher, or set attachRequired: false in its CSIDriver where nothing has to be attached`,
          },
        ],
      },
    );
  return makeVerdict(attachment, "will-happen", `${volume} is being attached to ${nodeName}`, {
    chain,
  });
}

/** Does a pod on the node use the volume? True where the volume is a pod's own, which only the pod knows. */
function isWanted(facts: RunFacts, { spec }: KubeObject<"VolumeAttachment">): boolean {
  const name = spec.source.persistentVolumeName;
  if (name === undefined) return true;
  const { namespace, name: claimName = "" } =
    facts.get("PersistentVolume", undefined, name)?.spec.claimRef ?? {};
  const claim = facts.get("PersistentVolumeClaim", namespace, claimName);
  if (claim === undefined) return false;
  return podsUsing(facts, claim).some(
    (pod) => pod.spec.nodeName === spec.nodeName && !isPodTerminated(pod),
  );
}
