/**
 * What a pod gets from its runtime class: overhead, node selector and tolerations.
 * Upstream: plugin/pkg/admission/runtimeclass, pkg/util/tolerations MergeTolerations, v1.36.
 */
import { sortedKeys } from "../go/text-order.ts";
import type { ApiError } from "../meta.ts";
import type { Mutable } from "../mutable.ts";
import type { ClusterView } from "../request-context.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { Overhead, Pod, Scheduling, Toleration } from "../types.ts";
import { forbidden } from "./forbidden.ts";

/** Upstream: Admit. */
export function setRuntimeClass(pod: Mutable<Pod>, cluster: ClusterView): ApiError | undefined {
  const { runtimeClassName } = pod.spec;
  if (runtimeClassName === undefined) return undefined;
  if (runtimeClassName === "") return namelessGet;
  const runtimeClass = cluster.get("RuntimeClass", undefined, runtimeClassName);
  if (runtimeClass === undefined)
    return forbidden(pod, `pod rejected: RuntimeClass "${runtimeClassName}" not found`);
  const { overhead, scheduling } = runtimeClass;
  const refused = overhead && setOverhead(pod, overhead);
  return refused ?? (scheduling && setScheduling(pod, scheduling));
}

/** The plugin asks the server for classes that its cache lacks, here without a name. Upstream: client-go rest.Request Name. */
const namelessGet: ApiError = {
  code: 500,
  reason: "",
  message: "resource name may not be empty",
};

const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function setOverhead(pod: Mutable<Pod>, { podFixed }: Overhead): ApiError | undefined {
  const { spec } = pod;
  if (hasOverhead(pod) && !semanticEqual(podFixed, spec.overhead, "overhead"))
    return forbidden(pod, otherOverhead);
  if (podFixed === undefined) delete spec.overhead;
  else spec.overhead = { ...podFixed };
  return undefined;
}

function setScheduling(
  pod: Mutable<Pod>,
  { nodeSelector, tolerations = [] }: Scheduling,
): ApiError | undefined {
  const { spec } = pod;
  for (const key of sortedKeys(nodeSelector)) {
    const [ofClass, ofPod] = [nodeSelector?.[key], spec.nodeSelector?.[key]];
    if (ofPod === undefined || ofPod === ofClass) continue;
    const conflict = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${ofClass}; pod.spec.nodeSelector[${key}] = ${ofPod}`;
    return forbidden(pod, conflict);
  }
  if (nodeSelector !== undefined) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  const merged = mergedTolerations([...(spec.tolerations ?? []), ...tolerations]);
  if (merged.length > 0) spec.tolerations = merged;
  return undefined;
}

/** Drops tolerations that others cover. Of equal ones the first stays. */
function mergedTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  all.forEach((toleration, index) => {
    const isSaid =
      merged.some((other) => covers(other, toleration)) ||
      all.slice(index + 1).some((other) => !isSame(other, toleration) && covers(other, toleration));
    if (!isSaid) merged.push({ ...toleration });
  });
  return merged;
}

/** Upstream: isSuperset. */
function covers(other: Toleration, toleration: Toleration): boolean {
  if (isSame(other, toleration)) return true;
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = other;
  const isAnyKey = key === "" && operator === "Exists";
  if ((toleration.key ?? "") !== key && !isAnyKey) return false;
  if (effect !== "" && (toleration.effect ?? "") !== effect) return false;
  const seconds = toleration.tolerationSeconds;
  const isShorter =
    tolerationSeconds !== undefined && (seconds === undefined || seconds > tolerationSeconds);
  if (effect === "NoExecute" && isShorter) return false;
  if (operator === "Exists") return true;
  const isEqual = operator === "" || operator === "Equal";
  return isEqual && toleration.operator === "Equal" && (toleration.value ?? "") === value;
}

function isSame(a: Toleration, b: Toleration): boolean {
  return (
    (a.key ?? "") === (b.key ?? "") &&
    (a.operator ?? "") === (b.operator ?? "") &&
    (a.value ?? "") === (b.value ?? "") &&
    (a.effect ?? "") === (b.effect ?? "") &&
    a.tolerationSeconds === b.tolerationSeconds
  );
}

/** Upstream: Validate. */
export function checkOverhead(pod: Pod, cluster: ClusterView): ApiError | undefined {
  if (!hasOverhead(pod)) return undefined;
  const { runtimeClassName } = pod.spec;
  const overhead =
    runtimeClassName === undefined
      ? undefined
      : cluster.get("RuntimeClass", undefined, runtimeClassName)?.overhead;
  if (overhead === undefined)
    return forbidden(
      pod,
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    );
  return semanticEqual(overhead.podFixed, pod.spec.overhead, "overhead")
    ? undefined
    : forbidden(pod, otherOverhead);
}

/** An empty overhead counts as well: Java's client used to write one. */
function hasOverhead({ spec }: Pick<Pod, "spec"> | Mutable<Pod>): boolean {
  return spec.overhead !== undefined;
}
