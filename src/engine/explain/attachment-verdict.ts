/** Whether a volume is attached to its node. */
import { type KubeObject, makeRef, refOf } from "../api/meta.ts";
import { isPodTerminated } from "../matching/pod-state.ts";
import { instantOf } from "../runtime/timestamp.ts";
import { attachableVolume } from "../volume/attachable-volume.ts";
import { makeVerdict } from "./make-verdict.ts";
import { podsUsing } from "./pods-using.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Verdict } from "./verdict.ts";

type Attachment = KubeObject<"VolumeAttachment">;
type Pod = KubeObject<"Pod">;

/** An attacher that runs marks an attachment long before. */
const patienceMs = 5_000;

export function attachmentVerdict(facts: RunFacts, attachment: Attachment): Verdict {
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
  const ended = endedUser(facts, attachment);
  if (ended !== undefined)
    return makeVerdict(
      attachment,
      "waits-for-you",
      `${volume} is no longer wanted on ${nodeName}, whose kubelet still counts it as in use`,
      {
        root: { ref: refOf(ended) },
        chain: [...chain, { ref: refOf(ended), text: "has ended without it" }],
        fixes: [{ text: `delete pod "${ended.metadata.name}"` }],
      },
    );
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
function isWanted(facts: RunFacts, attachment: Attachment): boolean {
  if (attachment.spec.source.persistentVolumeName === undefined) return true;
  return usersOnNode(facts, attachment).some((pod) => !isPodTerminated(pod));
}

/** The pod that a kubelet counts a volume in use for, though it ended before it had it; undefined where one still wants it. */
function endedUser(facts: RunFacts, attachment: Attachment): Pod | undefined {
  const { nodeName, source } = attachment.spec;
  const volume = facts.get("PersistentVolume", undefined, source.persistentVolumeName ?? "");
  const inUse = facts.get("Node", undefined, nodeName)?.status?.volumesInUse ?? [];
  const driverOf = (name: string) => facts.get("CSIDriver", undefined, name);
  const attachable = volume === undefined ? undefined : attachableVolume(volume, driverOf);
  if (attachable === undefined || !inUse.includes(attachable.name)) return undefined;
  const users = usersOnNode(facts, attachment);
  return users.every(isPodTerminated) ? users[0] : undefined;
}

function usersOnNode(facts: RunFacts, { spec }: Attachment): readonly Pod[] {
  const volume = facts.get("PersistentVolume", undefined, spec.source.persistentVolumeName ?? "");
  const { namespace, name = "" } = volume?.spec.claimRef ?? {};
  const claim = facts.get("PersistentVolumeClaim", namespace, name);
  if (claim === undefined) return [];
  return podsUsing(facts, claim).filter((pod) => pod.spec.nodeName === spec.nodeName);
}
