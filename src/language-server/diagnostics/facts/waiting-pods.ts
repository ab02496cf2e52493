/** The pods that stay Pending because a claim does, as far as files tell. */
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { EnvironmentContext, ObjectReport, RelatedReport } from "../rule.ts";
import { claimIndex } from "./claim-facts.ts";

const relatedCountMax = 10;

/** Adds the workloads that wait for the claim to a finding about it. */
export function withWaitingPods(context: EnvironmentContext, report: ObjectReport): ObjectReport {
  const { object } = report.entry;
  if (object.kind !== "PersistentVolumeClaim") return report;
  const { find, usesOf } = claimIndex(context);
  const claim = find(object.namespace, object.name);
  const uses = claim === undefined ? [] : (usesOf.get(claim) ?? []);
  const waiting = uses.flatMap(({ workload, path }): readonly RelatedReport[] => {
    const pods = waitingPods(workload.object);
    return pods === undefined ? [] : [{ entry: workload, path, message: `${pods} with it` }];
  });
  if (waiting.length === 0) return report;
  // They do not make the finding less certain.
  return { restsOn: [], ...report, related: waiting.slice(0, relatedCountMax) };
}

/** `Pod web stays Pending`, `Pods of Deployment web stay Pending`; undefined if the object has no pods. */
export function waitingPods(object: ManifestObject): string | undefined {
  const { kind, name } = object;
  if (podCountOf(object).count === 0) return undefined;
  return kind === "Pod" ? `Pod ${name} stays Pending` : `Pods of ${kind} ${name} stay Pending`;
}
