/** Whether a pod runs, and what keeps it from running or from ending. */
import { controllerOf, type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { finishedCondition } from "../../matching/finished-job.ts";
import { readyCondition } from "../../matching/node-state.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import { claimVerdict } from "../claims/claim-verdict.ts";
import { makeVerdict } from "../make-verdict.ts";
import { blamingRefused } from "../refused-object.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";
import { containerPlace, containerText, failedContainer, lastExit } from "./ended-container.ts";
import { outgrownLimit } from "./evicted-pod.ts";
import { startingPod } from "./starting-pod.ts";
import { terminatingPod } from "./terminating-pod.ts";
import { unscheduledPodVerdict } from "./unscheduled-pod.ts";

type Pod = KubeObject<"Pod">;

/** The pod garbage collector deletes pods of a missing node within a minute: it looks, waits a while, and looks again. */
const orphanMs = 60_000;

export function podVerdict(facts: RunFacts, pod: Pod): Verdict {
  return blamingRefused(facts, verdictByPhase(facts, pod));
}

function verdictByPhase(facts: RunFacts, pod: Pod): Verdict {
  const { phase } = pod.status ?? {};
  const node = pod.spec.nodeName;
  if (pod.metadata.deletionTimestamp !== undefined) return terminatingPod(facts, pod);
  if (phase === "Succeeded") return succeededPod(facts, pod);
  if (phase === "Failed") return failedPod(facts, pod);
  if (node === undefined) return unscheduledPodVerdict(facts, pod, claimVerdict);
  const lost = goneNodeVerdict(facts, pod, node) ?? lostNodeVerdict(facts, pod, node);
  if (lost !== undefined) return lost;
  if (phase === "Running" && isPodReady(pod)) return runningPod(facts, pod, node);
  return startingPod(facts, pod, node, claimVerdict);
}

/** An evicted pod whose containers all exit with 0 has the phase Succeeded and no reason: only the event tells. */
function succeededPod(facts: RunFacts, pod: Pod): Verdict {
  const evicted = facts.lastEvent(refOf(pod), ({ reason }) => reason === "Evicted");
  if (evicted === undefined) return makeVerdict(pod, "healthy", "has ended well");
  const { reason, message } = evicted;
  const headline = "was evicted, and has succeeded only because its containers exited with 0";
  return makeVerdict(pod, "fails", headline, { reason, message, ...outgrownLimit(pod, message) });
}

function runningPod(facts: RunFacts, pod: Pod, name: string): Verdict {
  const ref = makeRef("Node", undefined, name);
  const taints = facts.get("Node", undefined, name)?.spec?.taints ?? [];
  const decision = facts.lastDecision(refOf(pod), "taint-eviction-controller");
  const withinMs = facts.untilDue(decision);
  const isEvicted = withinMs !== undefined && taints.some((taint) => taint.effect === "NoExecute");
  return isEvicted
    ? makeVerdict(pod, "will-happen", `runs on ${name} and is evicted for a taint of the node`, {
        message: decision?.text,
        withinMs,
        chain: [{ ref, text: "is its node" }],
      })
    : makeVerdict(pod, "healthy", `runs on ${name}`, { chain: [{ ref, text: "is its node" }] });
}

/** Names the pod's own reason, such as Evicted, or else the container that failed. */
function failedPod(facts: RunFacts, pod: Pod): Verdict {
  const { reason, message } = pod.status ?? {};
  const name = failedContainer(pod);
  const ended =
    name === undefined ? undefined : `${containerText(pod, name)} ended${lastExit(pod, name)}`;
  const why = reason ?? ended;
  const headline = `has failed${why === undefined ? "" : `: ${why}`}`;
  const replaced = replacedText(facts, pod);
  if (replaced !== undefined) return makeVerdict(pod, "healthy", `${headline}; ${replaced}`);
  return makeVerdict(pod, "fails", headline, {
    reason,
    message,
    ...(reason === undefined && { root: containerPlace(pod, name) }),
    ...(reason === "Evicted" && outgrownLimit(pod, message)),
  });
}

/** Says that the controller has all it wants without this pod; undefined if it does not. */
function replacedText(facts: RunFacts, pod: Pod): string | undefined {
  const { kind, name = "" } = controllerOf(pod) ?? {};
  const { namespace } = pod.metadata;
  if (kind === "ReplicaSet" || kind === "ReplicationController") {
    const { spec, status } = facts.get(kind, namespace, name) ?? {};
    const isWhole = (spec?.replicas ?? 1) <= (status?.readyReplicas ?? 0);
    return isWhole ? `its ${kind} has all its pods without it` : undefined;
  }
  const job = kind === "Job" ? facts.get(kind, namespace, name) : undefined;
  return job !== undefined && finishedCondition(job)?.type === "Complete"
    ? "another one has done it in its place"
    : undefined;
}

/** The verdict on a pod without a Node object: the pod garbage collector deletes it. Undefined if its node exists. */
function goneNodeVerdict(facts: RunFacts, pod: Pod, name: string): Verdict | undefined {
  if (facts.get("Node", undefined, name) !== undefined) return undefined;
  // A pod whose spec names its node is never scheduled, but its kubelet sets the start time.
  const wasThere =
    pod.status?.startTime !== undefined ||
    facts.lastEvent(refOf(pod), (e) => e.reason === "Scheduled") !== undefined;
  if (wasThere)
    return makeVerdict(pod, "will-happen", `is deleted: its node ${name} is gone`, {
      withinMs: orphanMs,
    });
  return makeVerdict(pod, "fails", `never starts and is deleted: there is no node ${name}`, {
    root: { ref: refOf(pod), field: "spec.nodeName" },
    fixes: [{ text: "name a node that the cluster has, or leave the choice to the scheduler" }],
  });
}

/** The verdict on a pod whose node does not answer, so that its state is unknown; undefined if the node answers. */
function lostNodeVerdict(facts: RunFacts, pod: Pod, name: string): Verdict | undefined {
  const node = facts.get("Node", undefined, name);
  if (node === undefined || readyCondition(node)?.status !== "Unknown") return undefined;
  if (facts.isKubeletUp(name))
    return makeVerdict(pod, "will-happen", `is on ${name}, which is back and has yet to say so`, {
      chain: [{ ref: refOf(node), text: "is its node" }],
    });
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
            text: `bring node "${name}" back, or taint it node.kubernetes.io/out-of-service=nodeshutdown:NoExecute once it is certain to be off: pods and volumes leave it then`,
          },
        ],
      })
    : makeVerdict(pod, "will-happen", `is on ${name}, which does not answer, and is deleted`, {
        message: decision?.text,
        withinMs,
        chain,
      });
}
