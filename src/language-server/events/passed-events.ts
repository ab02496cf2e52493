/** Which events of a description are outdated: kubectl lists events for an hour, while the object moves on. */
import type { PastedEvent } from "./pasted-event.ts";
import { firstWord, hasNode } from "./shown-state.ts";

/** A claim is bound once, and a pod gets its node once. Upstream: pv_controller.go, external-provisioner, schedule_one.go. */
const untilBound: ReadonlySet<string> = new Set([
  "ClaimLost",
  "ExternalProvisioning",
  "FailedBinding",
  "Provisioning",
  "ProvisioningFailed",
  "WaitForFirstConsumer",
  "WaitForPodScheduled",
]);
/** On a pod, FailedBinding says that its ephemeral claim could not be created. */
const untilScheduled: ReadonlySet<string> = new Set(["FailedScheduling", "FailedBinding"]);
/** A volume whose deletion has failed is not Bound or Available. */
const whileReleased: ReadonlySet<string> = new Set(["VolumeFailedDelete"]);
const nothing: ReadonlySet<string> = new Set();

/** The reasons that the state in a description's head makes outdated, whenever the event happened. */
export function passedReasons(
  head: readonly string[],
  about: PastedEvent["about"],
): ReadonlySet<string> {
  const isUsable = /^(?:Bound|Available)$/.test(firstWord(head, "Status"));
  switch (about?.kind) {
    case "PersistentVolumeClaim":
      return isUsable ? untilBound : nothing;
    case "PersistentVolume":
      return isUsable ? whileReleased : nothing;
    case "Pod":
      return hasNode(head) ? untilScheduled : nothing;
    default:
      return nothing;
  }
}
