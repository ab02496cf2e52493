/**
 * What happens to a pod that fits no node: preemption, and the message about it. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/runtime/framework.go RunPostFilterPlugins with DynamicResources and DefaultPreemption.
 */
import type { Task } from "../../runtime/effects.ts";
import { hasDynamicResources } from "../../version-differences.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import type { FailureReport } from "../failure-report.ts";
import type { Diagnosis } from "../framework/fit-error.ts";
import type { PodFilter } from "../framework/plugin.ts";
import type { Nominator } from "../queue/nominator.ts";
import type { SchedulingCycle } from "../scheduling-cycle.ts";
import { type EvictionParts, evictVictims } from "./evict-victims.ts";
import { type PreemptionResult, preempt } from "./preemption.ts";

export interface PostFilterParts extends EvictionParts {
  readonly snapshot: Snapshot;
  readonly cycle: SchedulingCycle;
  readonly nominator: Nominator;
  readonly report: FailureReport;
  /** Makes a pod ready to be scheduled at once. */
  readonly activate: (uid: string) => void;
}

export interface PostFilterResult {
  /** Appended to the message about the nodes; "" if preemption will make room. */
  readonly message: string;
  /** As in `Failure`: "" for none, unchanged if absent. */
  readonly nomination?: string;
}

/** Starts evictions if they would make room. */
export function postFilter(
  parts: PostFilterParts,
  pod: PodInfo,
  diagnosis: Diagnosis,
  filters: readonly PodFilter[],
): PostFilterResult {
  const { context, snapshot, cycle, nominator } = parts;
  const hasOthers = hasDynamicResources(context.version);
  // A rejection by PreFilter leaves DynamicResources without its state: it fails with this, and preemption is never tried.
  if (diagnosis.preFilter !== undefined && hasOthers) return { message: "not found" };
  const result = preempt({
    pod,
    diagnosis,
    filters,
    snapshot,
    budgets: context.informer("PodDisruptionBudget").list(),
    passes: (tried, node) => cycle.passes(pod, tried, node),
  });
  if (result.type === "refused") {
    const prefix = hasOthers ? "no new claims to deallocate, " : "";
    const message = `${prefix}preemption: ${result.message}`;
    if (!result.clears) return { message };
    nominator.nominate(pod, "");
    return { message, nomination: "" };
  }
  nominator.nominate(pod, result.node);
  makeRoom(parts, pod, result);
  return { message: "", nomination: result.node };
}

/** Evicts the victims; pods of a lower priority lose their nomination for the node. Upstream: prepareCandidateAsync. */
function makeRoom(
  parts: PostFilterParts,
  pod: PodInfo,
  { node, victims }: PreemptionResult & { type: "nominated" },
): void {
  const remaining = victims.pods.filter(
    (victim) => victim.pod.metadata.deletionTimestamp === undefined,
  );
  if (remaining.length === 0) return;
  const overtaken = parts.nominator.on(node).filter((other) => other.priority < pod.priority);
  parts.running.begin(pod);
  parts.context.go(evictAll(parts, pod, overtaken, remaining, node));
}

function* evictAll(
  parts: PostFilterParts,
  pod: PodInfo,
  overtaken: readonly PodInfo[],
  victims: readonly PodInfo[],
  node: string,
): Task {
  for (const other of overtaken) yield* parts.report.nominate(other, "");
  const ok = yield* evictVictims(parts, pod, victims, node);
  if (!ok) parts.activate(pod.uid);
}
