/** Whose pods stay Pending because a claim does, by what the files say. */
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { EnvironmentContext, ObjectReport, RelatedReport } from "../rule.ts";
import { claimIndex } from "./claim-facts.ts";

const relatedCountMax = 10;

/** The finding about a claim, with those who wait for the claim; as it is where nobody does. */
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
  // They make the finding no less certain.
  return { restsOn: [], ...report, related: waiting.slice(0, relatedCountMax) };
}

/** `Pod web stays Pending`, `Pods of Deployment web stay Pending`; undefined where there are none. */
export function waitingPods(object: ManifestObject): string | undefined {
  const { kind, name } = object;
  if (podCountOf(object).count === 0) return undefined;
  return kind === "Pod" ? `Pod ${name} stays Pending` : `Pods of ${kind} ${name} stay Pending`;
}
