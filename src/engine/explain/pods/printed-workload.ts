/**
 * The columns of `kubectl get` for a workload. Upstream: pkg/printers/internalversion/printers.go v1.36 printDeployment,
 * printStatefulSet, printJob. Workloads whose numbers kubectl prints in several columns are given the same form.
 */
import type { KubeObject } from "../../api/meta.ts";

type Job = KubeObject<"Job">;
type Replicated = KubeObject<
  "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "ReplicationController"
>;

/** `1/3`: how many of the wanted pods are ready. */
export function printedReady(workload: Replicated): string {
  if (workload.kind === "DaemonSet") {
    const { numberReady = 0, desiredNumberScheduled = 0 } = workload.status ?? {};
    return `${numberReady}/${desiredNumberScheduled}`;
  }
  return `${workload.status?.readyReplicas ?? 0}/${workload.spec.replicas ?? 1}`;
}

export function printedJobStatus({ metadata, status }: Job): string {
  const has = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  if (has("Suspended")) return "Suspended";
  // SuccessCriteriaMet is printed from 1.34 on (kubernetes/kubernetes#132832): before, such a Job was Running.
  return ["FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

/** `0/1`, or `0/1 of 3` if the first success among several pods completes the Job. */
export function printedCompletions({ spec, status }: Job): string {
  const done = status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = spec;
  if (completions !== undefined) return `${done}/${completions}`;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}
