/** Whether a workload's controller may make the pods that it wants. */
import { type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { isInOrdinalRange } from "../../matching/ordinals.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { RunFacts } from "../run-facts.ts";

const creations: ReadonlySet<string> = new Set(["FailedCreate", "SuccessfulCreate"]);

/**
 * The last word of a workload's controller on making pods, where it is that it could not; undefined where it could, or has not
 * tried. A StatefulSet's success is a word on one pod: that another one failed again may have been dropped as spam since.
 */
export function failedCreate(facts: RunFacts, workload: Ref): EventEntry | undefined {
  const last = facts.lastEvent(workload, ({ reason }) => creations.has(reason));
  if (last === undefined || last.reason === "FailedCreate") return last;
  const set = facts.objects.get(workload);
  const failed = facts.lastEvent(workload, ({ reason }) => reason === "FailedCreate");
  if (failed === undefined || set?.kind !== "StatefulSet") return undefined;
  return isUnmade(facts, set, failed) ? failed : undefined;
}

/** Whether the pod that could not be made is wanted, and has not been made afterwards. */
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
