/** Which events of a description tell of what its object has left behind: kubectl lists them for an hour. */
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
/** Of a pod, the second tells that a claim of its own could not be made. */
const untilScheduled: ReadonlySet<string> = new Set(["FailedScheduling", "FailedBinding"]);
/** A volume whose claim is gone has another status. */
const whileReleased: ReadonlySet<string> = new Set(["VolumeFailedDelete"]);
const nothing: ReadonlySet<string> = new Set();

/** Of the head of a description: the reasons of what has passed, whenever it was. */
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
