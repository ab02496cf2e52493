/**
 * A pod for which others have to go stays out of the queue until the last of them is being deleted, and then until one is gone.
 * Upstream: kube-scheduler v1.36 plugins/defaultpreemption/default_preemption.go PreEnqueue, EventsToRegister.
 */
import { hint, type Plugin, type Rejection } from "../framework/plugin.ts";

export const defaultPreemption: Plugin = {
  name: "DefaultPreemption",
  // Whether that helps is for those to say who rejected the pod.
  hints: [hint("AssignedPodDelete", () => false)],
};

export const preemptionRejection: Rejection = {
  plugin: "DefaultPreemption",
  unresolvable: true,
  reasons: ["waiting for the preemption for this pod to be finished"],
};
