/** Rejects cordoned nodes for pods that do not tolerate that. Upstream: kube-scheduler v1.36 plugins/nodeunschedulable. */
import { tolerates } from "../../api/selection/tolerations.ts";
import type { Node, Pod } from "../../api/types.ts";
import { eventObject } from "../framework/cluster-event.ts";
import { hint, type Plugin, type Rejection, skip } from "../framework/plugin.ts";

export const unschedulableTaint = {
  key: "node.kubernetes.io/unschedulable",
  effect: "NoSchedule",
} as const;

const rejection: Rejection = {
  plugin: "NodeUnschedulable",
  unresolvable: true,
  reasons: ["node(s) were unschedulable"],
  explain: () => [
    {
      rule: "node-schedulable",
      wanted: "a schedulable node",
      found: "cordoned",
      foundField: "spec.unschedulable",
    },
  ],
};

function toleratesCordon(pod: Pod): boolean {
  return (pod.spec.tolerations ?? []).some((t) => tolerates(t, unschedulableTaint));
}

export const nodeUnschedulable: Plugin = {
  name: "NodeUnschedulable",
  preFilter: ({ pod }, { hasCordons }) => {
    if (!hasCordons || toleratesCordon(pod)) return skip;
    const check = ({ node }: { readonly node: Node }): Rejection | undefined =>
      node.spec.unschedulable === true ? rejection : undefined;
    return { type: "filter", filter: { check } };
  },
  hints: [
    hint("NodeAdd", (_, event) => eventObject(event).spec.unschedulable !== true),
    hint(
      "NodeUpdateTaint",
      (_, { before, after }) =>
        before?.spec.unschedulable === true && after?.spec.unschedulable !== true,
    ),
    hint("TargetPodUpdateToleration", ({ pod }) => toleratesCordon(pod)),
  ],
};
