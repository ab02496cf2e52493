/**
 * A pod's node selector and node affinity, required and preferred. Upstream: kube-scheduler v1.36 plugins/nodeaffinity;
 * component-helpers scheduling/corev1/nodeaffinity.
 */
import {
  nodeSelectorTermMatches,
  nodeSelectorTermsMatch,
} from "../../api/selection/node-selector.ts";
import { isUsableTerm, preferredTermsError } from "../../api/selection/node-selector-errors.ts";
import type {
  Node,
  NodeSelector,
  NodeSelectorTerm,
  Pod,
  PreferredSchedulingTerm,
} from "../../api/types.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  normalizeByMaximum,
  type Plugin,
  type PreFilterResult,
  type Rejection,
  skip,
} from "../framework/plugin.ts";

/** Both `spec.nodeSelector` and the required affinity have to match. */
export function nodeMatchesPod(pod: Pod, node: Node): boolean {
  const { name, labels } = node.metadata;
  const required = requiredAffinity(pod);
  return (
    hasSelectedLabels(pod, node) &&
    (required === undefined || nodeSelectorTermsMatch(required.nodeSelectorTerms, name, labels))
  );
}

function hasSelectedLabels(
  { spec: { nodeSelector } }: Pod,
  { metadata: { labels } }: Node,
): boolean {
  for (const key in nodeSelector) if (labels?.[key] !== nodeSelector[key]) return false;
  return true;
}

function requiredAffinity({ spec: { affinity } }: Pod): NodeSelector | undefined {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}

/** An invalid selector is an error to the hints, so any change of a node retries the pod in vain. */
function isInError(pod: Pod, node: Node): boolean {
  const terms = requiredAffinity(pod)?.nodeSelectorTerms ?? [];
  return !terms.every(isUsableTerm) && hasSelectedLabels(pod, node) && !nodeMatchesPod(pod, node);
}

function rejectionFor(pod: Pod): Rejection {
  return {
    plugin: "NodeAffinity",
    unresolvable: true,
    reasons: ["node(s) didn't match Pod's node affinity/selector"],
    explain: () => [
      {
        rule: "node-selector",
        wanted: selectorText(pod),
        wantedField:
          pod.spec.nodeSelector === undefined ? "spec.affinity.nodeAffinity" : "spec.nodeSelector",
        found: "labels that do not match",
        foundField: "metadata.labels",
      },
    ],
  };
}

function selectorText(pod: Pod): string {
  const labels = Object.entries(pod.spec.nodeSelector ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  const terms = (requiredAffinity(pod)?.nodeSelectorTerms ?? []).map((term) =>
    [...(term.matchExpressions ?? []), ...(term.matchFields ?? [])]
      .map(
        (e) => `${e.key} ${e.operator}${e.values === undefined ? "" : ` (${e.values.join(", ")})`}`,
      )
      .join(" and "),
  );
  return [labels.join(", "), terms.join(" or ")].filter((text) => text !== "").join("; ");
}

/**
 * Returns the nodes that the affinity names, if every term names some by matchFields, as in a DaemonSet's pods; only these are
 * filtered. Undefined if a term names none; "conflict" if no node fits the names of any term.
 */
function namedNodes(
  terms: readonly NodeSelectorTerm[],
): ReadonlySet<string> | undefined | "conflict" {
  const named = new Set<string>();
  for (const term of terms) {
    let ofTerm: Set<string> | undefined;
    for (const { key, operator, values } of term.matchFields ?? []) {
      if (key !== "metadata.name" || operator !== "In") continue;
      const others = ofTerm;
      ofTerm = new Set(values?.filter((name) => others === undefined || others.has(name)));
    }
    if (ofTerm === undefined) return undefined;
    for (const name of ofTerm) named.add(name);
  }
  return named.size === 0 && terms.length > 0 ? "conflict" : named;
}

function preFilter(pod: Pod): PreFilterResult {
  const required = requiredAffinity(pod);
  if (required === undefined && pod.spec.nodeSelector === undefined) return skip;
  const terms = required?.nodeSelectorTerms ?? [];
  const named = terms.length === 0 ? undefined : namedNodes(terms);
  if (named === "conflict") {
    return {
      type: "reject",
      rejection: {
        plugin: "NodeAffinity",
        unresolvable: true,
        reasons: ["pod affinity terms conflict"],
      },
    };
  }
  const rejection = rejectionFor(pod);
  return {
    type: "filter",
    filter: { check: ({ node }) => (nodeMatchesPod(pod, node) ? undefined : rejection) },
    ...(named !== undefined && { nodeNames: named }),
  };
}

function preferences(pod: Pod): readonly PreferredSchedulingTerm[] {
  return pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
}

export const nodeAffinity: Plugin = {
  name: "NodeAffinity",
  preFilter: ({ pod }) => preFilter(pod),
  weight: 2,
  preScoreError: ({ pod }) => preferredTermsError(preferences(pod)),
  preScore: ({ pod }) => {
    const preferred = preferences(pod);
    if (preferred.length === 0) return undefined;
    return {
      score: ({ node: { metadata } }) =>
        preferred
          .filter((p) => nodeSelectorTermMatches(p.preference, metadata.name, metadata.labels))
          .reduce((sum, p) => sum + p.weight, 0),
      normalize: normalizeByMaximum,
    };
  },
  hints: [
    hint("NodeAdd", ({ pod }, event) => {
      const node = eventObject(event);
      return nodeMatchesPod(pod, node) || isInError(pod, node);
    }),
    hint(
      "NodeUpdateLabel",
      ({ pod }, { before, after }) =>
        after !== undefined &&
        (isInError(pod, after) ||
          (nodeMatchesPod(pod, after) && !(before !== undefined && nodeMatchesPod(pod, before)))),
    ),
  ],
};
