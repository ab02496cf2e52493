/**
 * Rejects nodes with taints that a pod does not tolerate, and prefers those with fewer such soft taints.
 * Upstream: kube-scheduler v1.36 plugins/tainttoleration.
 */
import { taintText, tolerates, untoleratedTaint } from "../../api/selection/tolerations.ts";
import type { Node, Pod, Taint } from "../../api/types.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { namesUntoleratedTaint } from "../../version-differences.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  normalizeInReverse,
  type Plugin,
  type Rejection,
  skip,
} from "../framework/plugin.ts";

const hardEffects: readonly string[] = ["NoSchedule", "NoExecute"];

function hardTaint(pod: Pod, node: Node | undefined): Taint | undefined {
  return untoleratedTaint(pod.spec.tolerations, node?.spec.taints, hardEffects);
}

function reject(taint: Taint, version: KubernetesVersion): Rejection {
  const named = `{${taint.key}: ${taint.value ?? ""}}`;
  return {
    plugin: "TaintToleration",
    unresolvable: true,
    reasons: [
      namesUntoleratedTaint(version)
        ? `node(s) had untolerated taint ${named}`
        : "node(s) had untolerated taint(s)",
    ],
    explain: () => [
      {
        rule: "taint-toleration",
        wanted: "a toleration",
        wantedField: "spec.tolerations",
        found: taintText(taint),
        foundField: "spec.taints",
      },
    ],
  };
}

/** How many PreferNoSchedule taints of the node the pod does not tolerate. */
function softTaintCount(pod: Pod, node: Node): number {
  const tolerations = (pod.spec.tolerations ?? []).filter(
    (t) => (t.effect ?? "") === "" || t.effect === "PreferNoSchedule",
  );
  return (node.spec.taints ?? []).filter(
    (taint) => taint.effect === "PreferNoSchedule" && !tolerations.some((t) => tolerates(t, taint)),
  ).length;
}

export function taintToleration(version: KubernetesVersion): Plugin {
  return {
    name: "TaintToleration",
    preFilter: ({ pod }, { hasTaints }) => {
      if (!hasTaints) return skip;
      const check = ({ node }: { readonly node: Node }): Rejection | undefined => {
        const taint = hardTaint(pod, node);
        return taint === undefined ? undefined : reject(taint, version);
      };
      return { type: "filter", filter: { check } };
    },
    weight: 3,
    preScore: ({ pod }, nodes) => {
      // Without taints all nodes score the same.
      if (nodes.every(({ node }) => node.spec.taints === undefined)) return undefined;
      return {
        score: ({ node }) => softTaintCount(pod, node),
        normalize: normalizeInReverse,
      };
    },
    hints: [
      hint("NodeAdd", ({ pod }, event) => hardTaint(pod, eventObject(event)) === undefined),
      hint(
        "NodeUpdateTaint",
        ({ pod }, { before, after }) =>
          hardTaint(pod, before) !== undefined && hardTaint(pod, after) === undefined,
      ),
      hint("TargetPodUpdateToleration"),
    ],
  };
}
