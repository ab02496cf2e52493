/**
 * Keeps a preempting pod out of the queue until its last victim is being deleted, and then until a victim is gone.
 * Upstream: kube-scheduler v1.36 plugins/defaultpreemption/default_preemption.go PreEnqueue, EventsToRegister.
 */
import { hint, type Plugin, type Rejection } from "../framework/plugin.ts";

export const defaultPreemption: Plugin = {
  name: "DefaultPreemption",
  // Whether the event helps is up to the plugins that rejected the pod.
  hints: [hint("AssignedPodDelete", () => false)],
};

export const preemptionRejection: Rejection = {
  plugin: "DefaultPreemption",
  unresolvable: true,
  reasons: ["waiting for the preemption for this pod to be finished"],
};
