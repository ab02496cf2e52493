/**
 * A workload that makes no pods any more because it or its namespace is being deleted. It stays as long as its dependents do.
 * Upstream: garbagecollector.go processDeletingDependentsItem; namespaced_resources_deleter.go, where pods go first.
 */
import { push } from "../../api/go/multi-map.ts";
import type { KubeObject } from "../../api/meta.ts";
import { claimVerdict } from "../claims/claim-verdict.ts";
import { collected, keptByFinalizers } from "../kept-by-finalizers.ts";
import { makeVerdict } from "../make-verdict.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import { isGood, type Verdict } from "../verdict.ts";
import { terminatingPod } from "./terminating-pod.ts";

export type Workload = KubeObject<
  "Deployment" | "ReplicaSet" | "ReplicationController" | "StatefulSet" | "DaemonSet" | "Job"
>;
type Leaving = KubeObject<"Pod" | "PersistentVolumeClaim" | "ReplicaSet" | "Job">;

const words = {
  Pod: "pod",
  ReplicaSet: "ReplicaSet",
  Job: "Job",
  PersistentVolumeClaim: "claim",
} as const;

/** The verdict on a workload in deletion; undefined if neither it nor its namespace is being deleted. */
export function leavingWorkload(
  facts: RunFacts,
  workload: Workload | KubeObject<"CronJob">,
): Verdict | undefined {
  const { deletionTimestamp, finalizers = [], uid } = workload.metadata;
  if (deletionTimestamp === undefined) return withItsNamespace(facts, workload);
  const held = finalizers.filter((name) => !collected.has(name));
  if (held.length > 0) return keptByFinalizers(workload, held);
  const leaving = leavingOf(facts).byOwner.get(uid);
  return waitingFor(facts, workload, "is being deleted", ", and goes when", leaving);
}

function withItsNamespace(facts: RunFacts, workload: KubeObject): Verdict | undefined {
  const name = workload.metadata.namespace ?? "";
  const namespace = facts.get("Namespace", undefined, name);
  if (namespace?.metadata.deletionTimestamp === undefined) return undefined;
  const pods = leavingOf(facts).podsByNamespace.get(name);
  return waitingFor(facts, workload, `goes with its namespace "${name}"`, ", when", pods);
}

function waitingFor(
  facts: RunFacts,
  workload: KubeObject,
  what: string,
  joint: string,
  leaving: readonly Leaving[] = [],
): Verdict {
  for (const object of leaving) {
    const cause = verdictOn(facts, object);
    if (cause === undefined || isGood(cause)) continue;
    const { kind, message, root, chain, fixes } = cause;
    const headline = `${what}${joint} ${words[object.kind]} "${object.metadata.name}" is gone`;
    return makeVerdict(workload, kind, headline, { message, root, chain, fixes });
  }
  return makeVerdict(workload, "will-happen", what);
}

function verdictOn(facts: RunFacts, object: Leaving): Verdict | undefined {
  switch (object.kind) {
    case "Pod":
      return terminatingPod(facts, object);
    case "ReplicaSet":
    case "Job":
      return leavingWorkload(facts, object);
    case "PersistentVolumeClaim":
      return claimVerdict(facts, object);
  }
}

/** Objects in deletion, pods first: by the uid of the owner that waits for them, and pods by namespace. */
const leavingOf = onceOf((facts) => {
  const byOwner = new Map<string, Leaving[]>();
  const podsByNamespace = new Map<string, Leaving[]>();
  const all: readonly Leaving[] = [
    ...facts.list("Pod"),
    ...facts.list("ReplicaSet"),
    ...facts.list("Job"),
    ...facts.list("PersistentVolumeClaim"),
  ];
  for (const object of all) {
    const { deletionTimestamp, namespace = "", ownerReferences = [] } = object.metadata;
    if (deletionTimestamp === undefined) continue;
    if (object.kind === "Pod") push(podsByNamespace, namespace, object);
    for (const owner of ownerReferences)
      if (owner.blockOwnerDeletion === true) push(byOwner, owner.uid, object);
  }
  return { byOwner, podsByNamespace };
});
