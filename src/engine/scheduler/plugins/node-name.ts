/** A pod that names its node runs on no other. Upstream: kube-scheduler v1.36 plugins/nodename. */
import { hint, type Plugin, type Rejection, skip } from "../framework/plugin.ts";

const rejection: Rejection = {
  plugin: "NodeName",
  unresolvable: true,
  reasons: ["node(s) didn't match the requested node name"],
};

export const nodeName: Plugin = {
  name: "NodeName",
  preFilter: ({ pod }) => {
    const wanted = pod.spec.nodeName;
    if (wanted === undefined || wanted === "") return skip;
    return {
      type: "filter",
      filter: { check: (node) => (node.name === wanted ? undefined : rejection) },
    };
  },
  hints: [hint("NodeAdd")],
};
