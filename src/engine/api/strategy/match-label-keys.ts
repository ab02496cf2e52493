/**
 * Adds the pod's own values of matchLabelKeys and mismatchLabelKeys to its selectors. Upstream:
 * pkg/registry/core/pod/strategy.go mutatePodAffinity and mutateTopologySpreadConstraints, v1.36
 * (gates MatchLabelKeysInPodAffinity and MatchLabelKeysInPodTopologySpreadSelectorMerge are on).
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { mergesSpreadSelectors } from "../../version-differences.ts";
import type { Mutable } from "../mutable.ts";
import type { LabelSelector, Pod, PodAffinityTerm } from "../types.ts";

export function mergeMatchLabelKeys(pod: Mutable<Pod>, version: KubernetesVersion): void {
  const labels = pod.metadata.labels ?? {};
  for (const affinity of [pod.spec.affinity?.podAffinity, pod.spec.affinity?.podAntiAffinity]) {
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
      mergeTerm(term, labels);
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ??
      [])
      mergeTerm(podAffinityTerm, labels);
  }
  if (!mergesSpreadSelectors(version)) return;
  for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
    merge(constraint.labelSelector, constraint.matchLabelKeys, "In", labels);
  }
}

function mergeTerm(term: Mutable<PodAffinityTerm>, labels: Readonly<Record<string, string>>): void {
  merge(term.labelSelector, term.matchLabelKeys, "In", labels);
  merge(term.labelSelector, term.mismatchLabelKeys, "NotIn", labels);
}

function merge(
  selector: Mutable<LabelSelector> | undefined,
  keys: readonly string[] | undefined,
  operator: string,
  labels: Readonly<Record<string, string>>,
): void {
  const added = (keys ?? [])
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ""] }));
  if (selector !== undefined && added.length > 0)
    selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}
