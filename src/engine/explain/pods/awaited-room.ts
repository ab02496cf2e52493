/** The pod whose end makes room for one that no node takes: what is wrong with the nodes then mends itself. */
import { controllerOf, type KubeObject, nameOfRef } from "../../api/meta.ts";
import { isNodeReady } from "../../matching/node-state.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import { push } from "../../multi-map.ts";
import type { Candidate, Decision } from "../../trace/decision.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood } from "../verdict.ts";
import { terminatingPod } from "./terminating-pod.ts";

type Pod = KubeObject<"Pod">;

/** What nodes have against a pod only because of the pods that are there. */
const ofOtherPods: ReadonlySet<string> = new Set([
  "disk-free",
  "existing-pod-anti-affinity",
  "host-port",
  "node-resources",
  "pod-anti-affinity",
  "read-write-once-pod",
  "volume-limit",
]);

/** A pod that ends of itself on a node that refuses others for want of room only; whether it leaves enough shows then. */
export function leavingPod(facts: RunFacts, decision: Decision | undefined): Pod | undefined {
  const leaving = leavingByNode(facts);
  if (leaving.size === 0) return undefined;
  return decision?.candidates
    ?.filter(lacksRoomOnly)
    .flatMap(({ ref }) => leaving.get(nameOfRef(ref)) ?? [])[0];
}

function lacksRoomOnly({ failed }: Candidate): boolean {
  return failed.length > 0 && failed.every(({ rule }) => ofOtherPods.has(rule));
}

const leavingByNode = onceOf((facts): ReadonlyMap<string, readonly Pod[]> => {
  const made = new Map<string, Pod[]>();
  for (const pod of facts.list("Pod")) {
    const { nodeName } = pod.spec;
    if (nodeName !== undefined && leaves(facts, pod)) push(made, nodeName, pod);
  }
  return made;
});

/** It is being deleted and nothing keeps it, or it is one of a Job's that run. */
function leaves(facts: RunFacts, pod: Pod): boolean {
  if (!isNodeReady(facts.get("Node", undefined, pod.spec.nodeName ?? ""))) return false;
  if (pod.metadata.deletionTimestamp !== undefined) return isGood(terminatingPod(facts, pod));
  const isOfJob = controllerOf(pod)?.kind === "Job";
  return isOfJob && !isPodEnded(pod) && pod.status?.phase === "Running";
}
