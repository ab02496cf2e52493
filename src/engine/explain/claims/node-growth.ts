/** A claim whose volume has grown, but not its file system: the kubelet expands that where a pod mounts it. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { claimNameOf } from "../../matching/pod-claims.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import { usedVolumes } from "../../matching/used-volumes.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import { startingPod } from "../pods/starting-pod.ts";
import { unscheduledPodVerdict } from "../pods/unscheduled-pod.ts";
import { podsUsing } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { driverOf, volumeLink } from "../volumes/bound-pair.ts";
import { awaitedConsumer } from "./awaited-consumer.ts";
import type { JudgeClaim } from "./judge-claim.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Pod = KubeObject<"Pod">;

interface Growth {
  readonly claim: Claim;
  /** The requested size. */
  readonly wanted: string;
  /** The last one about the growth. */
  readonly event: EventEntry | undefined;
}

/** `event` is the last one about the growth; `judge` is for other claims that hold up a pod which has to mount this one. */
export function growsOnNode(
  facts: RunFacts,
  claim: Claim,
  wanted: string,
  event: EventEntry | undefined,
  judge: JudgeClaim,
): Verdict {
  const users = podsUsing(facts, claim).filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && !isPodEnded(pod),
  );
  const pods = users.filter((pod) => mounts(pod, claim));
  const placed = pods.filter(({ spec }) => spec.nodeName !== undefined);
  const pod = placed.find(({ status }) => status?.phase === "Running") ?? placed[0];
  const growth: Growth = { claim, wanted, event };
  if (pod !== undefined) return growsForPod(facts, growth, pod, judge);
  const grows = `grows to ${wanted} on the node`;
  const [unplaced] = pods;
  const [idle] = users;
  if (unplaced !== undefined) return growsWhenPlaced(facts, growth, unplaced, judge);
  const chain = [volumeLink(claim)];
  if (idle !== undefined) {
    const { name } = idle.metadata;
    const headline = `${grows}, and waits for a pod that mounts it: no container of pod "${name}" does`;
    const at = { ref: refOf(idle), field: "spec.containers" };
    return makeVerdict(claim, "waits-for-you", headline, {
      event,
      root: at,
      chain: [...chain, { ref: at.ref, text: "lists it among its volumes, but mounts it nowhere" }],
      fixes: [{ text: `mount it in a container of pod "${name}"`, at }],
    });
  }
  const { kind, text, parts } = awaitedConsumer(facts, claim);
  const when =
    kind === "will-happen" ? ` when ${text} makes its next pod` : `, and waits for ${text}`;
  const links = [...chain, ...(parts.chain ?? [])];
  return makeVerdict(claim, kind, grows + when, { event, ...parts, chain: links });
}

function mounts(pod: Pod, { metadata: { name } }: Claim): boolean {
  return usedVolumes(pod).some(({ volume }) => claimNameOf(pod, volume) === name);
}

function growsWhenPlaced(
  facts: RunFacts,
  { claim, wanted, event }: Growth,
  pod: Pod,
  judge: JudgeClaim,
): Verdict {
  const cause = unscheduledPodVerdict(facts, pod, judge);
  const { kind, root, fixes } = cause;
  const chain = [volumeLink(claim), ...cause.chain];
  const headline = `grows to ${wanted} on the node when pod "${pod.metadata.name}" has mounted it`;
  return isGood(cause)
    ? makeVerdict(claim, "will-happen", headline, { event, chain })
    : makeVerdict(claim, kind, `${headline}, which cannot be scheduled`, {
        event,
        root,
        chain,
        fixes,
      });
}

/** `pod` has a node. */
function growsForPod(
  facts: RunFacts,
  { claim, wanted, event }: Growth,
  pod: Pod,
  judge: JudgeClaim,
): Verdict {
  const chain = [volumeLink(claim)];
  const { name } = pod.metadata;
  const { nodeName: node = "" } = pod.spec;
  const driver = driverOf(facts, claim) ?? "";
  if (pod.status?.phase !== "Running" && facts.isStopped(driver)) {
    const headline = `grows to ${wanted} when pod "${name}" starts, but ${downText(driver)}`;
    return makeVerdict(claim, "waits-for-you", headline, {
      event,
      chain: [...chain, { ref: refOf(pod), text: "is to mount it" }],
      fixes: startAgain(driver),
    });
  }
  const starting = pod.status?.phase === "Pending" && startingPod(facts, pod, node, judge);
  if (starting !== false && !isGood(starting)) {
    const headline = `grows to ${wanted} when pod "${name}" has mounted it, which does not start`;
    const { kind, reason, message, root, fixes } = starting;
    return makeVerdict(claim, kind, headline, {
      reason,
      message,
      root,
      chain: [...chain, ...starting.chain],
      fixes,
    });
  }
  const headline = `grows to ${wanted} on ${node} at the next look at pod "${name}"`;
  return makeVerdict(claim, "will-happen", headline, {
    event,
    chain: [...chain, { ref: refOf(pod), text: "mounts it" }],
  });
}
