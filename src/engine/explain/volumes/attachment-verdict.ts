/** Whether a volume is attached to its node. */
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { migratedField } from "../../matching/csi-migration.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import { adviceOf } from "../advice.ts";
import { unlessKept } from "../kept-by-finalizers.ts";
import { makeVerdict, type VerdictParts } from "../make-verdict.ts";
import { missingSecret } from "../pods/missing-secret.ts";
import { failingVolume } from "../pods/mount-cause.ts";
import { refusedMount } from "../pods/refused-mount.ts";
import { hasSinceRegistered } from "../pods/since-registered.ts";
import { podsUsingVolume } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import type { Link, Place, Verdict, VerdictKind } from "../verdict.ts";
import { attachableOf, inlineUses, isOfAttacher, isOfController } from "./attachments-of.ts";

type Attachment = KubeObject<"VolumeAttachment">;
type Pod = KubeObject<"Pod">;

export function attachmentVerdict(facts: RunFacts, attachment: Attachment): Verdict {
  if (attachment.metadata.deletionTimestamp !== undefined)
    return unlessKept(attachment, leaving(facts, attachment), isOfAttacher);
  if (attachment.status?.attached === true) return attached(facts, attachment);
  return unwanted(facts, attachment) ?? attaching(facts, attachment);
}

function leaving(facts: RunFacts, attachment: Attachment): Verdict {
  const { say, volume, nodeName, attacher } = wording(facts, attachment);
  if (isTakenUp(attachment) && facts.isStopped(attacher))
    return say(
      "waits-for-you",
      `${volume} is not detached from ${nodeName}: ${downText(attacher)}`,
      {
        fixes: startAgain(attacher),
      },
    );
  const message = attachment.status?.detachError?.message;
  if (message !== undefined)
    return say("fails", `${volume} cannot be detached from ${nodeName}`, {
      message,
      ...ofMissingVolume(facts, attachment),
    });
  return say("will-happen", `${volume} is being detached from ${nodeName}`);
}

/** Fixes for a volume that is gone: the external-attacher reads from it what to detach. Empty if the volume exists. */
function ofMissingVolume(facts: RunFacts, { spec: { source } }: Attachment): VerdictParts {
  const { persistentVolumeName: name } = source;
  if (name === undefined || facts.get("PersistentVolume", undefined, name) !== undefined) return {};
  return {
    fixes: [
      { text: `recreate volume "${name}" for the same storage, until it is detached` },
      { text: "detach the storage manually, then remove the attachment's finalizers" },
    ],
  };
}

function attached(facts: RunFacts, attachment: Attachment): Verdict {
  const { say, volume, nodeName } = wording(facts, attachment);
  const wait = facts.lastDecision(refOf(attachment), "attachdetach-controller");
  const withinMs = facts.untilDue(wait);
  if (wait === undefined || withinMs === undefined)
    return say("healthy", `${volume} is attached to ${nodeName}`);
  const how = detached[wait.reason] ?? "";
  return say("will-happen", `${volume} is detached from ${nodeName}${how}`, {
    message: wait.text,
    withinMs,
  });
}

/** How the volume is detached, by the reason why the attach-detach controller still waits. */
const detached: Readonly<Record<string, string>> = {
  WaitForUnmount: " by force: the node does not answer",
  WaitForNodeStatus: " once the node has sent its status",
  WaitForPopulator: " with the next look for pods that are gone",
};

/** The verdict on an attachment that the attach-detach controller made and no longer wants; undefined if a pod needs it. */
function unwanted(facts: RunFacts, attachment: Attachment): Verdict | undefined {
  if (!isOfController(attachment)) return undefined;
  const { say, volume, nodeName, attacher, chain } = wording(facts, attachment);
  const ended = endedUser(facts, attachment);
  if (ended !== undefined)
    return say(
      "waits-for-you",
      `${volume} is no longer wanted on ${nodeName}, whose kubelet still counts it as in use`,
      {
        root: { ref: refOf(ended) },
        chain: [...chain, { ref: refOf(ended), text: "has ended without it" }],
        fixes: [{ text: `delete pod "${ended.metadata.name}"` }],
      },
    );
  const isLeftTo = isTakenUp(attachment) && facts.isStopped(attacher);
  const hasFailed = attachment.status?.attachError?.message !== undefined;
  if (hasFailed || isLeftTo || isWanted(facts, attachment)) return undefined;
  return say(
    "will-happen",
    `${volume} is no longer wanted on ${nodeName}: the attachment goes when the attempt to attach it is over`,
  );
}

function attaching(facts: RunFacts, attachment: Attachment): Verdict {
  const { say, volume, nodeName, attacher } = wording(facts, attachment);
  const message = attachment.status?.attachError?.message;
  if (message !== undefined && !hasSinceRegistered(facts, nodeName, message))
    return say("fails", `${attacher} cannot attach ${volume} to ${nodeName}`, {
      message,
      fixes: adviceOf(message, undefined).changes.map((text) => ({ text })),
      ...whoWaits(facts, attachment, message),
      ...missingSecret(facts, message, attachment.spec.source.persistentVolumeName ?? ""),
    });
  if (facts.isStopped(attacher))
    return say("waits-for-you", `${volume} is not attached to ${nodeName}: ${downText(attacher)}`, {
      fixes: startAgain(attacher),
    });
  const isTried = isTakenUp(attachment) || message !== undefined;
  if (!isTried && !facts.isFresh(refOf(attachment)))
    return say(
      "stuck",
      `${volume} is not attached to ${nodeName}: nothing in this cluster attaches volumes of ${attacher}`,
      {
        root: sourcePlace(facts, attachment),
        fixes: [{ text: attacherNeeded(facts, attacher) }],
      },
    );
  return say("will-happen", `${volume} is being attached to ${nodeName}`);
}

/** Root and chain from a pod on the node that waits for the volume, so that pod and attachment blame the same cause. */
function whoWaits(facts: RunFacts, attachment: Attachment, message: string): VerdictParts {
  const { persistentVolumeName } = attachment.spec.source;
  const pod = usersOnNode(facts, attachment).find((user) => !isPodTerminated(user));
  if (persistentVolumeName === undefined || pod === undefined) return {};
  const { root, chain } = failingVolume(facts, pod, persistentVolumeName);
  return {
    root,
    chain: [{ ref: refOf(pod), text: "waits for it" }, ...chain],
    ...refusedMount(facts, pod, persistentVolumeName, message),
  };
}

function attacherNeeded(facts: RunFacts, driver: string): string {
  const isInstalled = facts.get("CSIDriver", undefined, driver) !== undefined;
  const run = isInstalled
    ? `run the controller of ${driver} with an external-attacher`
    : `install CSI driver ${driver}`;
  return `${run}, or set attachRequired: false in its CSIDriver if nothing has to be attached`;
}

interface Wording {
  /** Makes a verdict whose chain continues to the volume, unless `parts` has a chain. */
  readonly say: (kind: VerdictKind, headline: string, parts?: VerdictParts) => Verdict;
  readonly volume: string;
  readonly nodeName: string;
  readonly attacher: string;
  readonly chain: readonly Link[];
}

function wording(facts: RunFacts, attachment: Attachment): Wording {
  const { attacher, nodeName, source } = attachment.spec;
  const [use] = inlineUses(facts, attachment);
  const volume = source.persistentVolumeName ?? use?.volume ?? "an inline volume";
  const chain =
    use === undefined
      ? [{ ref: makeRef("PersistentVolume", undefined, volume), text: "is the volume" }]
      : [{ ref: refOf(use.pod), text: "has the volume in its spec" }];
  return {
    say: (kind, headline, parts) => makeVerdict(attachment, kind, headline, { chain, ...parts }),
    volume,
    nodeName,
    attacher,
    chain,
  };
}

function isTakenUp({ metadata }: Attachment): boolean {
  return (metadata.finalizers ?? []).some(isOfAttacher);
}

/** The field that makes the attacher responsible: in the pod or the volume, else the attachment's own. */
function sourcePlace(facts: RunFacts, attachment: Attachment): Place {
  const [use] = inlineUses(facts, attachment);
  if (use !== undefined) return use.at;
  const { persistentVolumeName = "" } = attachment.spec.source;
  const volume = facts.get("PersistentVolume", undefined, persistentVolumeName);
  const field =
    volume?.spec.csi === undefined ? volume && migratedField(volume.spec) : "csi.driver";
  return volume === undefined || field === undefined
    ? { ref: refOf(attachment), field: "spec.attacher" }
    : { ref: refOf(volume), field: `spec.${field}` };
}

/** True if a pod on the node that has not terminated uses the volume. */
function isWanted(facts: RunFacts, attachment: Attachment): boolean {
  return usersOnNode(facts, attachment).some((pod) => !isPodTerminated(pod));
}

/** A pod that ended without the volume, which the kubelet still reports in use; undefined if a pod still wants the volume. */
function endedUser(facts: RunFacts, attachment: Attachment): Pod | undefined {
  const { nodeName, source } = attachment.spec;
  const inUse = facts.get("Node", undefined, nodeName)?.status?.volumesInUse ?? [];
  const attachable = attachableOf(facts, source.persistentVolumeName ?? "");
  if (attachable === undefined || !inUse.includes(attachable.name)) return undefined;
  const users = usersOnNode(facts, attachment);
  const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
  return users.every(isPodTerminated) ? users.find((pod) => !isLeaving(pod)) : undefined;
}

function usersOnNode(facts: RunFacts, attachment: Attachment): readonly Pod[] {
  const { nodeName, source } = attachment.spec;
  if (source.persistentVolumeName === undefined)
    return inlineUses(facts, attachment).map(({ pod }) => pod);
  return podsUsingVolume(facts, source.persistentVolumeName).filter(
    (pod) => pod.spec.nodeName === nodeName,
  );
}
