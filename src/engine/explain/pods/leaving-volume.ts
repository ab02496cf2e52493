/** A pod that waits for a volume for one node, while the pods that use it on another node are about to go. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { attachmentVerdict } from "../volumes/attachment-verdict.ts";
import { attachmentsOf } from "../volumes/attachments-of.ts";
import { heldVolume, isStaying } from "./multi-attach.ts";
import { terminatingPod } from "./terminating-pod.ts";

type Pod = KubeObject<"Pod">;

/** The current state of what the event complained about; undefined if the volume stays in use on another node. */
export function leavingVolume(
  facts: RunFacts,
  pod: Pod,
  node: string,
  event: EventEntry,
): Verdict | undefined {
  const held = heldVolume(facts, pod, event.message);
  if (held === undefined || held.users.some(isStaying)) return undefined;
  const { volume, users } = held;
  const waits = `waits on ${node} for volume "${volume}"`;
  const leaving = users.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (leaving !== undefined) {
    const { kind, headline, root, fixes } = terminatingPod(facts, leaving);
    const chain = [{ ref: refOf(leaving), text: headline }];
    const which = `which pod "${leaving.metadata.name}" keeps`;
    return makeVerdict(pod, kind, `${waits}, ${which}`, { event, root, chain, fixes });
  }
  const attached = attachmentsOf(facts, volume).filter(({ spec }) => spec.nodeName !== node);
  const bad = attached.find((attachment) => !isGood(attachmentVerdict(facts, attachment)));
  if (bad !== undefined || facts.get("PersistentVolume", undefined, volume) === undefined)
    return undefined;
  return makeVerdict(pod, "will-happen", `${waits} to be attached`, { event });
}
