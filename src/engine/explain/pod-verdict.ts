/** Whether a pod runs, and what keeps it from running: scheduling, attaching, mounting or its containers. */

import { type KubeObject, makeRef, refOf } from "../api/meta.ts";
import { isNodeReady, readyCondition } from "../matching/node-state.ts";
import { isPodReady } from "../matching/pod-condition.ts";
import type { Decision } from "../trace/decision.ts";
import type { EventEntry } from "../trace/entry.ts";
import { attachmentVerdict } from "./attachment-verdict.ts";
import { attachmentsFor, attachmentsOf } from "./attachments-of.ts";
import { claimVerdict } from "./claim-verdict.ts";
import { makeVerdict } from "./make-verdict.ts";
import { mountCause } from "./refused-mount.ts";
import type { RunFacts } from "./run-facts.ts";
import { unscheduledPodVerdict } from "./unscheduled-pod.ts";
import { isGood, type Link, type Verdict } from "./verdict.ts";

type Pod = KubeObject<"Pod">;

/** By then the pod garbage collector has looked for the node, given it time, and looked again: a minute at most. */
const orphanMs = 60_000;

export function podVerdict(facts: RunFacts, pod: Pod): Verdict {
  const { phase } = pod.status ?? {};
  const node = pod.spec.nodeName;
  if (pod.metadata.deletionTimestamp !== undefined) return terminatingPod(facts, pod);
  if (phase === "Succeeded") return makeVerdict(pod, "healthy", "has ended well");
  if (phase === "Failed") {
    return makeVerdict(
      pod,
      "fails",
      `has failed${pod.status?.reason === undefined ? "" : `: ${pod.status.reason}`}`,
      { reason: pod.status?.reason, message: pod.status?.message },
    );
  }
  if (node === undefined) return unscheduledPodVerdict(facts, pod, claimVerdict);
  const lost = goneNodeVerdict(facts, pod, node) ?? lostNodeVerdict(facts, pod, node);
  if (lost !== undefined) return lost;
  if (phase === "Running" && isPodReady(pod))
    return makeVerdict(pod, "healthy", `runs on ${node}`, {
      chain: [{ ref: makeRef("Node", undefined, node), text: "is its node" }],
    });
  return startingPod(facts, pod, node);
}

function terminatingPod(facts: RunFacts, pod: Pod): Verdict {
  const node = facts.get("Node", undefined, pod.spec.nodeName ?? "");
  if (node !== undefined && !isNodeReady(node)) {
    return makeVerdict(
      pod,
      "waits-for-you",
      `stays Terminating: node ${node.metadata.name} does not answer, and only its kubelet can end the pod`,
      {
        root: { ref: refOf(node) },
        chain: [{ ref: refOf(node), text: "is not ready" }],
        fixes: [
          {
            text: `taint the node node.kubernetes.io/out-of-service=nodeshutdown:NoExecute once it is certain that it is off`,
          },
          { text: "or bring the node back, or delete the Node object" },
        ],
      },
    );
  }
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason === "UnmountFailed") {
    return makeVerdict(pod, "fails", "stays Terminating: a volume cannot be unmounted", {
      message: decision.text,
      chain: volumesBehind(decision, "is still mounted"),
    });
  }
  const event = facts.lastEvent(refOf(pod), (e) => e.eventType === "Warning");
  return makeVerdict(pod, "will-happen", "is being deleted", { event });
}

/** Nobody starts or ends a pod on a node without object, and the pod garbage collector deletes it; undefined where the node is there. */
function goneNodeVerdict(facts: RunFacts, pod: Pod, name: string): Verdict | undefined {
  if (facts.get("Node", undefined, name) !== undefined) return undefined;
  const isScheduled = facts.lastEvent(refOf(pod), (e) => e.reason === "Scheduled") !== undefined;
  if (isScheduled)
    return makeVerdict(pod, "will-happen", `is deleted: its node ${name} is gone`, {
      withinMs: orphanMs,
    });
  return makeVerdict(pod, "fails", `never starts and is deleted: there is no node ${name}`, {
    root: { ref: refOf(pod), field: "spec.nodeName" },
    fixes: [{ text: "name a node that the cluster has, or leave the choice to the scheduler" }],
  });
}

/** Nobody knows of a pod on a node that does not answer; undefined where the node does. */
function lostNodeVerdict(facts: RunFacts, pod: Pod, name: string): Verdict | undefined {
  const node = facts.get("Node", undefined, name);
  if (node === undefined || readyCondition(node)?.status !== "Unknown") return undefined;
  const decision = facts.lastDecision(refOf(pod), "taint-eviction-controller");
  const withinMs = facts.untilDue(decision);
  const chain = [{ ref: refOf(node), text: "does not answer" }];
  const root = { ref: refOf(node) };
  return withinMs === undefined
    ? makeVerdict(pod, "waits-for-you", `is on ${name}, which does not answer`, {
        root,
        chain,
        fixes: [
          {
            text: `bring node "${name}" back, or taint it node.kubernetes.io/out-of-service so that pods and volumes leave it`,
          },
        ],
      })
    : makeVerdict(pod, "will-happen", `is on ${name}, which does not answer, and is deleted`, {
        message: decision?.text,
        withinMs,
        chain,
      });
}

function volumesBehind(decision: Decision, text: string): readonly Link[] {
  const volumes = (decision.because ?? []).filter((ref) => ref.startsWith("PersistentVolume/"));
  return volumes.map((ref) => ({ ref, text }));
}

/** Reasons of warnings that keep a pod from starting. */
const blocking: ReadonlySet<string> = new Set([
  "FailedMount",
  "FailedAttachVolume",
  "FailedMapVolume",
  "Failed",
  "FailedCreatePodSandBox",
  "BackOff",
  "VolumeAttachmentLimitExceeded",
]);

function startingPod(facts: RunFacts, pod: Pod, node: string): Verdict {
  const ref = refOf(pod);
  const warning = facts.lastEvent(ref, (e) => e.eventType === "Warning" && blocking.has(e.reason));
  const waiting = [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
  ].find((c) => c.state?.waiting?.reason !== undefined)?.state?.waiting;
  if (warning !== undefined) {
    const forced = forcedDetach(facts, pod, node, warning);
    if (forced !== undefined) return forced;
    const what =
      warning.reason === "FailedAttachVolume"
        ? "a volume cannot be attached"
        : warning.reason === "FailedMount" || warning.reason === "FailedMapVolume"
          ? "a volume cannot be mounted"
          : "a container cannot start";
    return makeVerdict(pod, "fails", `does not start on ${node}: ${what}`, {
      event: warning,
      ...mountCause(facts, pod, warning.message, claimVerdict),
    });
  }
  if (
    waiting !== undefined &&
    waiting.reason !== "ContainerCreating" &&
    waiting.reason !== "PodInitializing"
  ) {
    return makeVerdict(pod, "fails", `does not start on ${node}: ${waiting.reason}`, {
      reason: waiting.reason,
      message: waiting.message,
    });
  }
  const decision = facts.lastDecision(ref, "kubelet");
  if (decision?.reason === "NoBlockPlugin") {
    return makeVerdict(pod, "fails", `does not start on ${node}: no plugin maps its raw device`, {
      message: decision.text,
      chain: volumesBehind(decision, "is of a type that has no raw devices"),
    });
  }
  if (decision?.reason === "WaitForAttach") {
    const unattached = hopelessAttachment(facts, pod, node);
    if (unattached !== undefined) {
      return makeVerdict(
        pod,
        unattached.kind,
        `does not start on ${node}: ${unattached.headline}`,
        {
          message: decision.text,
          root: unattached.root,
          chain: volumesBehind(decision, "is not attached"),
          fixes: unattached.fixes,
        },
      );
    }
    return makeVerdict(pod, "will-happen", `waits on ${node} for a volume to be attached`, {
      message: decision.text,
      chain: volumesBehind(decision, "is not attached yet"),
    });
  }
  return makeVerdict(pod, "will-happen", `is starting on ${node}`);
}

/** Of what the pod waits for on its node: the attachment that nobody completes. */
function hopelessAttachment(facts: RunFacts, pod: Pod, node: string): Verdict | undefined {
  return attachmentsFor(facts, pod, node)
    .map((attachment) => attachmentVerdict(facts, attachment))
    .find((verdict) => !isGood(verdict));
}

/** The volume is still attached to a node that does not answer, and is taken from it by force. */
function forcedDetach(
  facts: RunFacts,
  pod: Pod,
  node: string,
  event: EventEntry,
): Verdict | undefined {
  if (event.reason !== "FailedAttachVolume") return undefined;
  const volume = /for volume "([^"]+)"/.exec(event.message)?.[1];
  for (const attachment of attachmentsOf(facts, volume ?? "")) {
    const { nodeName } = attachment.spec;
    if (nodeName === node) continue;
    const decision = facts.lastDecision(refOf(attachment), "attachdetach-controller");
    const withinMs = facts.untilDue(decision);
    if (withinMs === undefined) continue;
    return makeVerdict(pod, "will-happen", `waits on ${node} for a volume of ${nodeName}`, {
      event,
      withinMs,
      chain: [{ ref: refOf(attachment), text: "is ended by force" }],
    });
  }
  return undefined;
}
