/** Whether a workload's controller may make the pods that it wants. */
import type { Ref } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import type { RunFacts } from "../run-facts.ts";

const creations: ReadonlySet<string> = new Set(["FailedCreate", "SuccessfulCreate"]);

/** The last word of a workload's controller on making pods, where it is that it could not; undefined where it could, or has not tried. */
export function failedCreate(facts: RunFacts, workload: Ref): EventEntry | undefined {
  const last = facts.lastEvent(workload, ({ reason }) => creations.has(reason));
  return last?.reason === "FailedCreate" ? last : undefined;
}
