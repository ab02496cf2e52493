/** Two pods cannot have the same host port on a node. Upstream: kube-scheduler v1.36 plugins/nodeports. */
import { portsConflict } from "../cache/node-info.ts";
import { type PodInfo, podInfo } from "../cache/pod-info.ts";
import { eventObject } from "../framework/cluster-event.ts";
import { hint, type Plugin, type Rejection, skip } from "../framework/plugin.ts";

function rejectionFor({ hostPorts }: PodInfo): Rejection {
  return {
    plugin: "NodePorts",
    unresolvable: false,
    reasons: ["node(s) didn't have free ports for the requested pod ports"],
    explain: () => [
      {
        rule: "host-port",
        wanted: hostPorts.map((p) => `${p.hostPort ?? 0}/${p.protocol ?? "TCP"}`).join(", "),
        wantedField: "spec.containers.ports.hostPort",
        found: "taken by another pod",
      },
    ],
  };
}

export const nodePorts: Plugin = {
  name: "NodePorts",
  preFilter: (pod) => {
    if (pod.hostPorts.length === 0) return skip;
    const rejection = rejectionFor(pod);
    return {
      type: "filter",
      filter: { check: (node) => (node.hasPortConflict(pod.hostPorts) ? rejection : undefined) },
    };
  },
  hints: [
    hint("NodeAdd"),
    hint("AssignedPodDelete", (pod, event) =>
      portsConflict(pod.hostPorts, podInfo(eventObject(event)).hostPorts),
    ),
  ],
};
