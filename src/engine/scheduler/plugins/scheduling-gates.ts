/** Pods with scheduling gates wait outside the queue. Upstream: kube-scheduler v1.36 plugins/schedulinggates. */
import type { Pod } from "../../api/types.ts";
import { hint, type Plugin, type Rejection } from "../framework/plugin.ts";

export const schedulingGates: Plugin = {
  name: "SchedulingGates",
  hints: [hint("TargetPodGatesEliminated")],
};

/** Upstream: PreEnqueue. */
export function gatesRejection(pod: Pod): Rejection | undefined {
  const gates = (pod.spec.schedulingGates ?? []).map((gate) => gate.name);
  if (gates.length === 0) return undefined;
  return {
    plugin: "SchedulingGates",
    unresolvable: true,
    reasons: [`waiting for scheduling gates: [${gates.join(" ")}]`],
  };
}
