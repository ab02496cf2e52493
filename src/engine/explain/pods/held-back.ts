/** Workloads held back by one of their own fields: nothing is wrong, but nothing happens until somebody acts. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { makeVerdict } from "../make-verdict.ts";
import { replicaSetsOf } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";

/** The verdict on a Job whose spec keeps it from making pods; undefined if it may make some. */
export function heldBackJob(job: KubeObject<"Job">): Verdict | undefined {
  const { suspend, parallelism, managedBy } = job.spec;
  if (managedBy !== undefined && managedBy !== "kubernetes.io/job-controller") {
    const headline = `is left to ${managedBy}, of which nothing is known here`;
    return makeVerdict(job, "will-happen", headline);
  }
  if (suspend === true) return waitsFor(job, "is suspended", "spec.suspend", "false");
  const none = "makes no pods: its parallelism is 0";
  return parallelism === 0 ? waitsFor(job, none, "spec.parallelism", "1 or more") : undefined;
}

/** A paused Deployment makes neither its first ReplicaSet nor one for a new template. `text` says how far it has come. */
export function pausedDeployment(
  facts: RunFacts,
  deployment: KubeObject<"Deployment">,
  text: string,
  isRollingOut: boolean,
): Verdict | undefined {
  const { metadata, spec } = deployment;
  const isUnmade = spec.replicas !== 0 && replicaSetsOf(facts, metadata.uid).length === 0;
  if (spec.paused !== true || !(isRollingOut || isUnmade)) return undefined;
  return waitsFor(deployment, `${text}: it is paused`, "spec.paused", "false");
}

/** Says that an OnDelete set replaces old pods only when somebody deletes them; undefined for others, and if it lacks pods. */
export function replacedByHand(
  set: KubeObject<"DaemonSet" | "StatefulSet">,
  rollout: string,
): Verdict | undefined {
  if (set.spec.updateStrategy?.type !== "OnDelete" || lacksPods(set)) return undefined;
  const field = "spec.updateStrategy.type";
  const at = { ref: refOf(set), field };
  const headline = `${rollout}: an old pod stays until somebody deletes it`;
  const doing = `set ${field} to RollingUpdate`;
  const fix = { text: `delete the old pods, or ${doing}`, doing, at, value: "RollingUpdate" };
  return makeVerdict(set, "waits-for-you", headline, { root: at, fixes: [fix] });
}

/** Once it has surged on all nodes, the controller does not look again whether the new pods have become available. */
export function unnoticedSurge(
  facts: RunFacts,
  set: KubeObject<"DaemonSet">,
  rollout: string,
): Verdict | undefined {
  const decision = facts.lastDecision(refOf(set), "daemonset-controller");
  if (decision?.reason !== "LooksNoMore") return undefined;
  const field = "spec.minReadySeconds";
  const at = { ref: refOf(set), field };
  const headline = `${rollout}: an old pod stays until something in the set or its pods changes`;
  const doing = `leave out ${field}`;
  const fix = { text: `change anything of the set, such as an annotation, or ${doing}`, doing };
  return makeVerdict(set, "waits-for-you", headline, {
    message: decision.text,
    root: at,
    fixes: [{ ...fix, at, value: null }],
  });
}

function lacksPods(set: KubeObject<"DaemonSet" | "StatefulSet">): boolean {
  return set.kind === "DaemonSet"
    ? (set.status?.numberUnavailable ?? 0) > 0
    : (set.status?.readyReplicas ?? 0) < (set.spec.replicas ?? 1);
}

function waitsFor(
  workload: KubeObject<"Deployment" | "Job">,
  headline: string,
  field: string,
  wanted: string,
): Verdict {
  const at = { ref: refOf(workload), field };
  const doing = `leave out ${field}`;
  const fix = { text: `set ${field} to ${wanted}, or leave it out`, doing, at, value: null };
  return makeVerdict(workload, "waits-for-you", headline, { root: at, fixes: [fix] });
}
