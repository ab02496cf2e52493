/** For unknown messages: what the event's reason alone tells. Upstream: the events' senders, by their reasons. */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

function otherwise({
  component,
  reasons,
  ...message
}: Pick<MessagePattern, "id" | "component" | "cause" | "change"> & {
  readonly reasons: readonly string[];
}): MessagePattern {
  return messagesOf(component)({
    rule: `events with reason ${reasons.join(", ")}`,
    reasons,
    texts: ["{detail}"],
    isLastResort: true,
    ...message,
  });
}

const unknown = "Why, the message says in words that are not known here.";

export const otherMessages: readonly MessagePattern[] = [
  otherwise({
    id: "other-mount-failure",
    component: "kubelet",
    reasons: ["FailedMount", "FailedMapVolume"],
    cause: `A volume of the pod could not be prepared on its node. ${unknown}`,
    change: ["look at the kubelet's log and the driver's node plugin log on that node"],
  }),
  otherwise({
    id: "other-unmount-failure",
    component: "kubelet",
    reasons: ["FailedUnMount", "FailedDetachVolume"],
    cause: `A volume could not be taken away from a node. ${unknown}`,
    change: ["look at the kubelet's log on that node, and at the VolumeAttachment"],
  }),
  otherwise({
    id: "other-attach-failure",
    component: "attachdetach-controller",
    reasons: ["FailedAttachVolume"],
    cause: `A volume could not be attached to the pod's node. ${unknown}`,
    change: ["look at the VolumeAttachment's attachError and the driver's controller log"],
  }),
  otherwise({
    id: "other-scheduling-failure",
    component: "scheduler",
    reasons: ["FailedScheduling"],
    cause: `The pod got no node. ${unknown} Schedulers other than Kubernetes' own have their own.`,
    change: ["look at the scheduler's log"],
  }),
  otherwise({
    id: "other-binding-failure",
    component: "persistentvolume-binder",
    reasons: ["FailedBinding", "VolumeMismatch"],
    cause: `The claim and its volume do not come together. ${unknown}`,
    change: ["compare class, size, access modes, volume mode and claimRef of the two"],
  }),
  otherwise({
    id: "other-deletion",
    component: "persistentvolume-binder",
    reasons: ["VolumeDelete"],
    cause: `The volume is to be deleted, and is not yet. ${unknown}`,
    change: ["end what uses the volume"],
  }),
  otherwise({
    id: "other-container-failure",
    component: "kubelet",
    reasons: ["Failed"],
    cause: `A container could not be started. ${unknown}`,
    change: ["look at the container runtime's log on the node"],
  }),
  otherwise({
    id: "other-refusal",
    component: "workload controller",
    reasons: ["FailedCreate", "FailedUpdate", "FailedDelete"],
    cause: `The workload's controller was refused what it wanted to do. ${unknown}`,
    change: ["read the message: it is the API server's answer"],
  }),
  otherwise({
    id: "other-scale-up-failure",
    component: "cluster-autoscaler",
    reasons: ["NotTriggerScaleUp"],
    cause: "A new node of any group would not take the pod either.",
    change: ["compare the pod's needs, and the zones of its volumes, with the node groups"],
  }),
];
