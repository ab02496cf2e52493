/** What will make room for a pod that no node takes, or bring a node back, without anybody's help. */
import { push } from "../../api/go/multi-map.ts";
import { controllerOf, type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { taintText } from "../../api/selection/tolerations.ts";
import { isReachableFrom } from "../../matching/node-affinity.ts";
import { isNodeReady } from "../../matching/node-state.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { Candidate, FailedRule } from "../../trace/decision.ts";
import type { DecisionEntry } from "../../trace/entry.ts";
import { podsUsingVolume } from "../pods-using.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood, type Link } from "../verdict.ts";
import { attachmentVerdict } from "../volumes/attachment-verdict.ts";
import { isOfController } from "../volumes/attachments-of.ts";
import { isOfHealth } from "./own-reasons.ts";
import { terminatingPod } from "./terminating-pod.ts";

type Pod = KubeObject<"Pod">;
type Attachment = KubeObject<"VolumeAttachment">;

export interface AwaitedRoom {
  /** What follows in "stays Pending until …". */
  readonly until: string;
  readonly chain: readonly Link[];
}

/** The rules that a node fails only because of other pods on it, or pods that were there a moment ago. */
const ofOtherPods: ReadonlySet<string> = new Set([
  "disk-free",
  "existing-pod-anti-affinity",
  "host-port",
  "node-resources",
  "pod-anti-affinity",
  "read-write-once-pod",
  "volume-limit",
]);

/**
 * Looks for a node that refused the pod only for lack of room and that something has left since, or will leave by itself; else
 * for a node that takes pods again, or will when it is healthy. Whether that suffices for the pod is not checked. Undefined if
 * there is no such node, or no decision.
 */
export function awaitedRoom(
  facts: RunFacts,
  decided: DecisionEntry | undefined,
): AwaitedRoom | undefined {
  const full = (decided?.decision.candidates ?? []).filter(lacksRoomOnly);
  for (const candidate of full) {
    const room = roomMade(facts, nameOfRef(candidate.ref), decided?.seq ?? 0);
    if (room !== undefined) return room;
  }
  for (const candidate of full) {
    const room =
      podToLeave(facts, candidate) ??
      volumeToLeave(facts, candidate) ??
      podToGiveUp(facts, candidate);
    if (room !== undefined) return room;
  }
  return nodeToComeBack(facts, decided);
}

/** A node that takes pods again, or will as soon as its kubelet, which runs, reports it healthy. */
function nodeToComeBack(
  facts: RunFacts,
  decided: DecisionEntry | undefined,
): AwaitedRoom | undefined {
  for (const { ref, failed } of decided?.decision.candidates ?? []) {
    const node = facts.get("Node", undefined, nameOfRef(ref));
    if (node === undefined || failed.length === 0) continue;
    const left = failed.filter((rule) => !isMended(facts, node, rule));
    if (left.length === 0)
      return {
        until: "the scheduler tries it again",
        chain: [{ ref, text: failed.some(isFar) ? "reaches its volume now" : "takes pods again" }],
      };
    if (left.every(isOfHealth) && facts.isKubeletUp(node.metadata.name))
      return {
        until: `node ${node.metadata.name} is well again`,
        chain: [{ ref, text: "has a kubelet that answers" }],
      };
  }
  return undefined;
}

function isFar({ rule }: FailedRule): boolean {
  return rule === "volume-node-affinity";
}

/**
 * True if the node passes the rule by now, which makes the scheduler retry the pod.
 * Upstream: isSchedulableAfterNodeChange v1.36 of the three plugins.
 */
function isMended(
  facts: RunFacts,
  { metadata, spec }: KubeObject<"Node">,
  failed: FailedRule,
): boolean {
  const { rule, found } = failed;
  if (rule === "node-schedulable") return spec.unschedulable !== true;
  if (isFar(failed)) {
    const volume = facts.get("PersistentVolume", undefined, nameOfRef(failed.volume ?? ""));
    return volume !== undefined && isReachableFrom(volume, metadata.labels);
  }
  const isThere = (spec.taints ?? []).some((taint) => taintText(taint) === found);
  return rule === "taint-toleration" && !isThere;
}

function lacksRoomOnly({ failed }: Candidate): boolean {
  return failed.length > 0 && failed.every(({ rule }) => ofOtherPods.has(rule));
}

/** A woken pod is retried within this time. Upstream: DefaultPodMaxBackoffDuration v1.36, backend/queue scheduling_queue.go. */
const backOffMsMax = 10_000;

function roomMade(facts: RunFacts, node: string, since: number): AwaitedRoom | undefined {
  const left = facts.lastToLeave(node);
  if (left === undefined || left.seq < since || facts.now - left.at > backOffMsMax)
    return undefined;
  return {
    until: "the scheduler tries it again",
    chain: [{ ref: left.ref, text: `has left ${node}` }],
  };
}

function podToLeave(facts: RunFacts, { ref }: Candidate): AwaitedRoom | undefined {
  const node = nameOfRef(ref);
  const [pod] = leavingOf(facts).pods.get(node) ?? [];
  return (
    pod && {
      until: `pod "${pod.metadata.name}" has left ${node}`,
      chain: [{ ref: refOf(pod), text: "ends by itself" }],
    }
  );
}

/** Upstream: nodevolumelimits csi.go, Filter v1.36, which counts attachments that no pod of the node needs. */
function volumeToLeave(facts: RunFacts, { ref, failed }: Candidate): AwaitedRoom | undefined {
  const node = nameOfRef(ref);
  const attachment = leavingOf(facts)
    .attachments.get(node)
    ?.find(({ spec }) =>
      failed.some(
        ({ rule, wanted }) => rule === "volume-limit" && wanted.endsWith(` of ${spec.attacher}`),
      ),
    );
  return (
    attachment && {
      until: `volume "${attachment.spec.source.persistentVolumeName}" has left ${node}`,
      chain: [{ ref: refOf(attachment), text: `is needed by no pod of ${node}` }],
    }
  );
}

/**
 * A deleted pod that still holds room on the node. Upstream: volumebinding binder.go checkBindings v1.34, whose check that the
 * pod still exists finds a new pod of the same name.
 */
function podToGiveUp(facts: RunFacts, { ref }: Candidate): AwaitedRoom | undefined {
  const pod = facts.unboundOn(ref);
  if (pod === undefined) return undefined;
  return {
    until: `the scheduler has given up an earlier pod "${nameOfRef(pod)}", whose volumes are not bound`,
    chain: [{ ref, text: "is held for it, for ten minutes at most" }],
  };
}

/** From each node to what will leave it by itself. */
interface Leaving {
  readonly pods: ReadonlyMap<string, readonly Pod[]>;
  readonly attachments: ReadonlyMap<string, readonly Attachment[]>;
}

const leavingOf = onceOf((facts): Leaving => {
  const pods = new Map<string, Pod[]>();
  const attachments = new Map<string, Attachment[]>();
  const isReady = (node: string): boolean => isNodeReady(facts.get("Node", undefined, node));
  for (const pod of facts.list("Pod")) {
    const { nodeName } = pod.spec;
    if (nodeName !== undefined && isReady(nodeName) && leaves(facts, pod))
      push(pods, nodeName, pod);
  }
  for (const attachment of facts.list("VolumeAttachment")) {
    const { nodeName } = attachment.spec;
    if (isReady(nodeName) && isLeft(facts, attachment)) push(attachments, nodeName, attachment);
  }
  return { pods, attachments };
});

/** True for a pod in deletion that nothing keeps, and for a Job's pod that nothing is known to keep from finishing. */
function leaves(facts: RunFacts, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return isGood(terminatingPod(facts, pod));
  if (controllerOf(pod)?.kind !== "Job" || isPodEnded(pod)) return false;
  return pod.status?.phase === "Running" || facts.lastEvent(refOf(pod))?.eventType !== "Warning";
}

/** True if no pod of the node needs the attachment any more, and nothing keeps it. */
function isLeft(facts: RunFacts, attachment: Attachment): boolean {
  const { nodeName, source } = attachment.spec;
  if (source.persistentVolumeName === undefined || !isOfController(attachment)) return false;
  const isNeeded = podsUsingVolume(facts, source.persistentVolumeName).some(
    (pod) => pod.spec.nodeName === nodeName && !isPodEnded(pod),
  );
  return !isNeeded && isGood(attachmentVerdict(facts, attachment));
}
