/**
 * Refuses pods on a node that is short of memory, disk or processes. Upstream: pkg/kubelet/eviction/eviction_manager.go Admit,
 * pkg/kubelet/types/pod_update.go IsCriticalPod v1.36. Not modeled: which of the running pods are evicted.
 */
import { tolerates } from "../api/selection/tolerations.ts";
import type { Pod } from "../api/types.ts";
import type { NodeAilment } from "../scenario.ts";
import type { Refusal } from "./pod-admission.ts";

const memoryPressure = "MemoryPressure";
const pressures: readonly string[] = [memoryPressure, "DiskPressure", "PIDPressure"];
const memoryTaint = { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" };

/** Upstream: SystemCriticalPriority. */
const criticalPriority = 2_000_000_000;

/**
 * Returns why the pod is refused; undefined if it is admitted. Upstream lists several pressures in any order; here in that of
 * the Node's conditions.
 */
export function pressureRefusal(
  pod: Pod,
  ailments: readonly NodeAilment[] = [],
): Refusal | undefined {
  const found = pressures.filter((pressure) =>
    ailments.some(({ type, status }) => type === pressure && status === "True"),
  );
  if (found.length === 0 || isCriticalPod(pod)) return undefined;
  if (found.length === 1 && found[0] === memoryPressure && bearsMemoryPressure(pod))
    return undefined;
  return { reason: "Evicted", message: `The node had condition: [${found.join(" ")}]. ` };
}

/** Memory pressure keeps out best-effort pods only, unless they tolerate it. */
function bearsMemoryPressure({ spec, status }: Pod): boolean {
  const isBestEffort = status?.qosClass === "BestEffort";
  return !isBestEffort || (spec.tolerations ?? []).some((t) => tolerates(t, memoryTaint));
}

export function isCriticalPod({ spec }: Pod): boolean {
  return (spec.priority ?? 0) >= criticalPriority;
}
