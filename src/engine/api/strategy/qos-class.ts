/** A pod's quality of service. Upstream: pkg/apis/core/helper/qos/qos.go ComputePodQOS, v1.36. */
import { containersAtCreation } from "../pod-containers.ts";
import { compareQuantityTexts } from "../quantity.ts";
import type { PodSpec, ResourceRequirements } from "../types.ts";

const measured: readonly string[] = ["cpu", "memory"];
type Resources = Readonly<Record<string, string>>;

export function podQosClass(spec: PodSpec): "Guaranteed" | "Burstable" | "BestEffort" {
  // Resources of the pod itself, even empty ones, replace those of its containers.
  const parts: readonly (ResourceRequirements | undefined)[] =
    spec.resources === undefined
      ? containersAtCreation(spec).map((container) => container.resources)
      : [spec.resources];
  if (!parts.some((part) => hasMeasured(part?.requests) || hasMeasured(part?.limits)))
    return "BestEffort";
  return parts.every((part) => isGuaranteed(part)) ? "Guaranteed" : "Burstable";
}

function hasMeasured(list: Resources | undefined): boolean {
  return measured.some((name) => compareQuantityTexts(list?.[name], undefined) > 0);
}

function isGuaranteed(part: ResourceRequirements | undefined): boolean {
  return measured.every(
    (name) =>
      compareQuantityTexts(part?.limits?.[name], undefined) > 0 &&
      (part?.requests?.[name] === undefined ||
        compareQuantityTexts(part.requests[name], part.limits?.[name]) === 0),
  );
}
