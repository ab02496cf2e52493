/**
 * A pod affinity or anti-affinity term, and the pods that it selects. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/types.go AffinityTerm, newAffinityTerm.
 */
import { type Labels, labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { LabelSelector, Pod, PodAffinityTerm } from "../../api/types.ts";

export interface AffinityTerm {
  readonly namespaces: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly selector?: LabelSelector;
  readonly topologyKey: string;
  /** Terms with the same signature select the same pods. */
  readonly signature: string;
}

/** A term that has neither namespaces nor a namespace selector applies to the pod's own namespace. */
export function affinityTerm(term: PodAffinityTerm, ownNamespace: string): AffinityTerm {
  const named = term.namespaces ?? [];
  const { namespaceSelector, labelSelector: selector, topologyKey } = term;
  const namespaces = named.length === 0 && namespaceSelector === undefined ? [ownNamespace] : named;
  return {
    namespaces,
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(selector !== undefined && { selector }),
    topologyKey,
    signature: JSON.stringify([namespaces, namespaceSelector, selector]),
  };
}

/** Returns the labels of the named namespace; undefined if unknown. */
export type NamespaceLabels = (namespace: string) => Labels | undefined;

export function termMatches(
  term: AffinityTerm,
  pod: Pod,
  namespaceLabels: NamespaceLabels,
): boolean {
  const namespace = pod.metadata.namespace ?? "";
  const inNamespace =
    term.namespaces.includes(namespace) ||
    (term.namespaceSelector !== undefined &&
      labelSelectorMatches(term.namespaceSelector, namespaceLabels(namespace)));
  return inNamespace && labelSelectorMatches(term.selector, pod.metadata.labels);
}

/** The term as a person would read it: `pods with app=web in the same topology.kubernetes.io/zone`. */
export function termText({ selector, topologyKey }: AffinityTerm): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  const expressions = (selector?.matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `${key} ${operator}${values === undefined ? "" : ` (${values.join(", ")})`}`,
  );
  const all = [...labels, ...expressions].join(", ");
  return `pods${all === "" ? "" : ` with ${all}`} in the same ${topologyKey}`;
}
