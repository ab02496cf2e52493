/** What keeps a volume that is to be deleted attached: a pod whose claim is gone, or an attachment that stays. */
import { type KubeObject, makeKey, refOf } from "../../api/meta.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import { podsNaming } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { attachmentVerdict } from "./attachment-verdict.ts";
import { attachmentsOf, isOfController } from "./attachments-of.ts";

type Volume = KubeObject<"PersistentVolume">;

/** A pod that still uses the deleted claim of the volume, which stays attached to its node as long as the pod exists. */
export function podThatHolds(
  facts: RunFacts,
  { metadata, spec }: Volume,
): KubeObject<"Pod"> | undefined {
  const { namespace, name = "" } = spec.claimRef ?? {};
  const nodes = attachmentsOf(facts, metadata.name).map((attachment) => attachment.spec.nodeName);
  return podsNaming(facts, makeKey(namespace, name)).find(
    (pod) =>
      nodes.includes(pod.spec.nodeName ?? "") &&
      pod.metadata.deletionTimestamp === undefined &&
      !isPodEnded(pod),
  );
}

export function heldByPod(
  volume: Volume,
  state: string,
  pod: KubeObject<"Pod">,
  event: EventEntry | undefined,
): Verdict {
  const { name } = pod.metadata;
  const headline = `${state}, but stays attached to ${pod.spec.nodeName} as long as pod "${name}" is there`;
  const root = { ref: refOf(pod) };
  return makeVerdict(volume, "waits-for-you", headline, {
    event,
    root,
    chain: [{ ref: root.ref, text: "uses a claim that is gone" }],
    fixes: [{ text: `delete pod "${name}"` }],
  });
}

/** True if the provisioner's event complains only that the volume was attached when it last looked. */
export function saysAttached({ message }: EventEntry): boolean {
  return message.includes(" is still attached to node ");
}

/**
 * Blames an attachment that does not go by itself; undefined if there is none.
 * Upstream: external-attacher csi_handler.go, syncAttach and SyncNewOrUpdatedPersistentVolume.
 */
export function heldByAttachment(
  facts: RunFacts,
  volume: Volume,
  state: string,
  event: EventEntry | undefined,
): Verdict | undefined {
  for (const attachment of attachmentsOf(facts, volume.metadata.name)) {
    const verdict = attachmentVerdict(facts, attachment);
    const headline = `${state}, but stays while it is attached to ${attachment.spec.nodeName}`;
    if (!isGood(verdict)) {
      const { kind, reason, message, root, chain, fixes } = verdict;
      return makeVerdict(volume, kind, headline, { reason, message, root, chain, fixes });
    }
    if (verdict.kind === "will-happen" || isOfController(attachment)) continue;
    const ref = refOf(attachment);
    return makeVerdict(volume, "waits-for-you", headline, {
      event,
      root: { ref },
      chain: [{ ref, text: "belongs to whoever made it" }],
      fixes: [{ text: `delete VolumeAttachment "${attachment.metadata.name}"` }],
    });
  }
  return undefined;
}
