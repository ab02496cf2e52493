/** Of messages that nobody knows: what the event's reason alone tells. Upstream: the events' senders, by their reasons. */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

function otherwise(
  id: string,
  component: string,
  reasons: readonly string[],
  cause: string,
  change: readonly string[],
): MessagePattern {
  const rule = `events with reason ${reasons.join(", ")}`;
  return {
    ...partsOf(component)(id, rule, ["{detail}"], cause, change),
    reasons,
    isLastResort: true,
  };
}

const unknown = "Why, the message says in words that are not known here.";

export const otherMessages: readonly MessagePattern[] = [
  otherwise(
    "other-mount-failure",
    "kubelet",
    ["FailedMount", "FailedMapVolume"],
    `A volume of the pod could not be prepared on its node. ${unknown}`,
    ["look at the kubelet's log and the driver's node plugin log on that node"],
  ),
  otherwise(
    "other-unmount-failure",
    "kubelet",
    ["FailedUnMount", "FailedDetachVolume"],
    `A volume could not be taken away from a node. ${unknown}`,
    ["look at the kubelet's log on that node, and at the VolumeAttachment"],
  ),
  otherwise(
    "other-attach-failure",
    "attachdetach-controller",
    ["FailedAttachVolume"],
    `A volume could not be attached to the pod's node. ${unknown}`,
    ["look at the VolumeAttachment's attachError and the driver's controller log"],
  ),
  otherwise(
    "other-scheduling-failure",
    "scheduler",
    ["FailedScheduling"],
    `The pod got no node. ${unknown} Schedulers other than Kubernetes' own have their own.`,
    ["look at the scheduler's log"],
  ),
  otherwise(
    "other-binding-failure",
    "persistentvolume-binder",
    ["FailedBinding", "VolumeMismatch"],
    `The claim and its volume do not come together. ${unknown}`,
    ["compare class, size, access modes, volume mode and claimRef of the two"],
  ),
  otherwise(
    "other-deletion",
    "persistentvolume-binder",
    ["VolumeDelete"],
    `The volume is to be deleted, and is not yet. ${unknown}`,
    ["end what uses the volume"],
  ),
  otherwise(
    "other-container-failure",
    "kubelet",
    ["Failed"],
    `A container could not be started. ${unknown}`,
    ["look at the container runtime's log on the node"],
  ),
  otherwise(
    "other-refusal",
    "workload controller",
    ["FailedCreate", "FailedUpdate", "FailedDelete"],
    `The workload's controller was refused what it wanted to do. ${unknown}`,
    ["read the message: it is the API server's answer"],
  ),
  otherwise(
    "other-scale-up-failure",
    "cluster-autoscaler",
    ["NotTriggerScaleUp"],
    "A new node of any group would not take the pod either.",
    ["compare the pod's needs, and the zones of its volumes, with the node groups"],
  ),
];
