/** The priority that a pod gets from its class. Upstream: plugin/pkg/admission/priority, v1.36. */
import type { ApiError } from "../meta.ts";
import type { Mutable } from "../mutable.ts";
import type { ClusterView } from "../request-context.ts";
import { systemPriorities } from "../system-priorities.ts";
import type { Pod, PriorityClass } from "../types.ts";
import { forbidden } from "./forbidden.ts";

type Priority = Pick<PriorityClass, "value" | "preemptionPolicy">;

/** Fills in the priority and preemption policy of the pod's class, or of the global default if the pod names none. */
export function setPriority(pod: Mutable<Pod>, cluster: ClusterView): ApiError | undefined {
  const { spec } = pod;
  const named = spec.priorityClassName ?? "";
  const standard = named === "" ? globalDefault(cluster) : undefined;
  const chosen = standard ?? cluster.get("PriorityClass", undefined, named) ?? systemClass(named);
  if (chosen === undefined && named !== "")
    return forbidden(pod, `no PriorityClass with name ${named} was found`);
  if (standard !== undefined) spec.priorityClassName = standard.metadata.name;
  const value = chosen?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== value) {
    return forbidden(
      pod,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  const policy = chosen?.preemptionPolicy ?? "PreemptLowerPriority";
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    return forbidden(
      pod,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = policy;
  return undefined;
}

function systemClass(name: string): Priority | undefined {
  const value = systemPriorities.get(name);
  return value === undefined ? undefined : { value };
}

/** Refuses a second global default. Upstream: validatePriorityClass. */
export function checkPriorityClass(
  priorityClass: PriorityClass,
  isThere: boolean,
  cluster: ClusterView,
): ApiError | undefined {
  if (priorityClass.globalDefault !== true) return undefined;
  const present = globalDefault(cluster);
  if (present === undefined) return undefined;
  const { name } = present.metadata;
  if (isThere && name === priorityClass.metadata.name) return undefined;
  const why = `PriorityClass ${name} is already marked as default. Only one default can exist`;
  return forbidden(priorityClass, why);
}

/** An update keeps what was filled in on create. */
export function keepPriority(pod: Mutable<Pod>, old: Pod): void {
  if (old.spec.priority !== undefined) pod.spec.priority ??= old.spec.priority;
  if (old.spec.preemptionPolicy !== undefined)
    pod.spec.preemptionPolicy ??= old.spec.preemptionPolicy;
}

/** If there are several, the one with the lowest value. */
function globalDefault(cluster: ClusterView): PriorityClass | undefined {
  let chosen: PriorityClass | undefined;
  for (const candidate of cluster.list("PriorityClass")) {
    if (candidate.globalDefault !== true) continue;
    if (chosen === undefined || (candidate.value ?? 0) < (chosen.value ?? 0)) chosen = candidate;
  }
  return chosen;
}
