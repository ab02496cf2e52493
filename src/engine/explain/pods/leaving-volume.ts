/** A volume for one node that a pod waits for, while those who have it elsewhere are on their way out. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import { podsUsingVolume } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { attachmentVerdict } from "../volumes/attachment-verdict.ts";
import { attachmentsOf } from "../volumes/attachments-of.ts";
import { terminatingPod } from "./terminating-pod.ts";

type Pod = KubeObject<"Pod">;

/** Upstream: attachdetach reconciler.go, reportMultiAttachError. */
const multiAttach =
  /^Multi-Attach error for volume "([^"]+)" Volume is already (?:used by pod\(s\) (.+)|exclusively attached)/;

/** What the attach-detach controller complained of, as it is now; undefined where the volume stays in use elsewhere. */
export function leavingVolume(
  facts: RunFacts,
  pod: Pod,
  node: string,
  event: EventEntry,
): Verdict | undefined {
  const [, volume, named = ""] = multiAttach.exec(event.message) ?? [];
  if (volume === undefined) return undefined;
  const others = usersOf(facts, volume, pod.metadata.namespace, named).filter(
    ({ spec }) => spec.nodeName !== undefined && spec.nodeName !== node,
  );
  const staying = others.find(
    (other) => other.metadata.deletionTimestamp === undefined && !isPodTerminated(other),
  );
  if (staying !== undefined) return undefined;
  const waits = `waits on ${node} for volume "${volume}"`;
  const leaving = others.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
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

/** Those that the message names, and those that use the volume's claim. */
function usersOf(
  facts: RunFacts,
  volume: string,
  namespace: string | undefined,
  named: string,
): readonly Pod[] {
  const byName = named.split(/, | and /).flatMap((name) => facts.get("Pod", namespace, name) ?? []);
  return [...new Set([...byName, ...podsUsingVolume(facts, volume)])];
}
