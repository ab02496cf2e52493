/** A pod that names its node runs on no other. Upstream: kube-scheduler v1.36 plugins/nodename. */
import { hint, type Plugin, type Rejection, skip } from "../framework/plugin.ts";

function rejectionFor(wanted: string): Rejection {
  return {
    plugin: "NodeName",
    unresolvable: true,
    reasons: ["node(s) didn't match the requested node name"],
    explain: () => [
      { rule: "node-name", wanted, wantedField: "spec.nodeName", found: "another node" },
    ],
  };
}

export const nodeName: Plugin = {
  name: "NodeName",
  preFilter: ({ pod }) => {
    const wanted = pod.spec.nodeName;
    if (wanted === undefined || wanted === "") return skip;
    const rejection = rejectionFor(wanted);
    return {
      type: "filter",
      filter: { check: (node) => (node.name === wanted ? undefined : rejection) },
    };
  },
  hints: [hint("NodeAdd")],
};
