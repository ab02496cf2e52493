/** Whether a workload's controller is able to make the pods that it wants. */
import { type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { isInOrdinalRange } from "../../matching/ordinals.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { RunFacts } from "../run-facts.ts";

const creations: ReadonlySet<string> = new Set(["FailedCreate", "SuccessfulCreate"]);

/**
 * The controller's last event about making pods, if that is a failure; undefined if it succeeded, or has not tried. The success
 * of a StatefulSet is about one pod only: newer failures of another may have been dropped by the event spam filter.
 */
export function failedCreate(facts: RunFacts, workload: Ref): EventEntry | undefined {
  const last = facts.lastEvent(workload, ({ reason }) => creations.has(reason));
  if (last === undefined || last.reason === "FailedCreate") return last;
  const set = facts.objects.get(workload);
  const failed = facts.lastEvent(workload, ({ reason }) => reason === "FailedCreate");
  if (failed === undefined || set?.kind !== "StatefulSet") return undefined;
  return isUnmade(facts, set, failed) ? failed : undefined;
}

/** True if the pod that could not be made is still wanted, and was not made later. */
function isUnmade(facts: RunFacts, set: KubeObject<"StatefulSet">, failed: EventEntry): boolean {
  // Upstream: stateful_pod_control.go recordPodEvent and recordClaimEvent.
  const pod = / Pod (\S+) in StatefulSet /.exec(failed.message)?.[1];
  if (pod === undefined || !isInOrdinalRange(set, pod)) return false;
  const made = ` Pod ${pod} in StatefulSet ${set.metadata.name} successful`;
  const last = facts.lastEvent(
    refOf(set),
    (event) =>
      event === failed || (event.reason === "SuccessfulCreate" && event.message.endsWith(made)),
  );
  return last === failed;
}
