/** The base of rules on predicted outcomes: one finding for each root cause, at its place. */
import { kindOfRef, makeRef, nameOfRef } from "../../engine/api/meta.ts";
import { effectiveClassName } from "../../engine/api/storage-class-name.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import { predictedFor } from "../prediction/cluster-title.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { printOutcome } from "../prediction/print-ref.ts";
import { type RootCause, rootCauses } from "../prediction/root-causes.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import { referencesOf } from "../workspace/references.ts";
import { printPath } from "../yaml/field-path.ts";
import { calledOf } from "../yaml/manifest.ts";
import { answerOf } from "./api-answer.ts";
import { claimsOf, outcomeBasis } from "./outcome-basis.ts";
import type { Question } from "./question.ts";
import type { PredictionRule, RelatedReport, Severity } from "./rule.ts";

const relatedCountMax = 10;

/** A rule on the root causes that `matches` selects; `severity` may depend on the case. */
export function outcomeRule(
  id: string,
  severity: Severity,
  matches: (verdict: Verdict, prediction: Prediction) => boolean,
  severityOf?: (verdict: Verdict, prediction: Prediction) => Severity,
  /** A second line for the message. */
  detailOf?: (verdict: Verdict, prediction: Prediction) => string | undefined,
): PredictionRule {
  return {
    id,
    severity,
    scope: "prediction",
    *check(prediction) {
      for (const cause of rootCauses(prediction)) {
        const { source, verdict } = cause;
        if (source === undefined || !matches(verdict, prediction)) continue;
        // The refusal is reported at the object itself.
        if (verdict.root !== undefined && prediction.facts.refused.has(verdict.root.ref)) continue;
        if (lacksPatch(source, prediction) || lacksFiles(source, prediction)) continue;
        yield {
          ...source,
          message: outcomeMessage(cause, prediction, detailOf?.(verdict, prediction)),
          related: [
            ...victimsOf(cause, prediction),
            ...(detailOf === undefined ? [] : missedFields(verdict, prediction)),
          ],
          ...outcomeBasis(verdict, prediction),
          unless: [
            `cause of ${verdict.ref}`,
            `kept out ${calledOf(source.entry.object)}`,
            ...(isUnscheduled(verdict) ? (["some Node"] as const) : []),
            ...volumesWanted(verdict, prediction),
          ],
          ...(severityOf !== undefined && { severity: severityOf(verdict, prediction) }),
        };
      }
    },
  };
}

/** True if the field names an object that is refused as written, but that a patch may complete. */
function lacksPatch({ entry, path }: Source, { environment, version }: Prediction): boolean {
  const at = printPath(path);
  const reference = referencesOf(entry.object).find(
    (candidate) => printPath(candidate.path) === at,
  );
  if (reference === undefined) return false;
  const { kind, namespace, name } = reference;
  const named = environment.byRef.get(makeRef(kind, namespace, name)) ?? [];
  return named.some(
    (entry) =>
      environment.kustomized.lacksPatch(entry) && answerOf(entry.object, version)?.ok === false,
  );
}

/** True if the field is about the content of a ConfigMap or Secret that a chart fills from unread files. */
function lacksFiles({ entry, path }: Source, { environment }: Prediction): boolean {
  const at = printPath(path);
  return referencesOf(entry.object).some((reference) => {
    const { kind, namespace, name } = reference;
    if (kind !== "ConfigMap" && kind !== "Secret") return false;
    if (!at.startsWith(`${printPath(reference.path.slice(0, -1))}.`)) return false;
    const named = environment.byRef.get(makeRef(kind, namespace, name)) ?? [];
    return named.some(({ patched }) => patched?.rendered !== undefined && patched.lacksPatch);
  });
}

/** True if the pod may be waiting for a node that is kept out of the cluster. */
function isUnscheduled({ ref, headline }: Verdict): boolean {
  return kindOfRef(ref) === "Pod" && headline.startsWith("stays Pending");
}

/** Classes of which a volume may be missing: that of the root cause, or those of the pending claims. */
function volumesWanted(verdict: Verdict, prediction: Prediction): readonly Question[] {
  const { facts, trials } = prediction;
  const { root, reason, ref } = verdict;
  if (root === undefined || reason === "WaitForFirstConsumer") return [];
  const object = facts.objects.get(root.ref);
  if (object?.kind === "StorageClass") return [`volume of class ${object.metadata.name}`];
  const claims =
    object?.kind === "PersistentVolumeClaim"
      ? [object]
      : claimsOf(trials.facts.objects.get(ref), prediction);
  return claims
    .filter(({ status }) => status?.phase === "Pending")
    .map((claim) => `volume of class ${effectiveClassName(claim)}` as const);
}

/** Why the nearest candidate was not taken. */
export function nearestText({ candidates }: Verdict): string | undefined {
  const [nearest] = candidates;
  if (nearest === undefined || nearest.failed.length === 0) return undefined;
  const reasons = nearest.failed.map(
    ({ rule, wanted, found }) => `${rule} (wanted ${wanted || '""'}, has ${found || '""'})`,
  );
  return `Nearest is volume “${nameOfRef(nearest.ref)}”, which fails on ${reasons.join(", ")}`;
}

/** The fields on which the nearest candidate fails: the fix may be to change these. */
function missedFields({ candidates }: Verdict, prediction: Prediction): readonly RelatedReport[] {
  const [nearest] = candidates;
  if (nearest === undefined) return [];
  return nearest.failed.flatMap(({ rule, wanted, found, foundField }): RelatedReport[] => {
    const source = foundField && sourceOf(prediction, nearest.ref, foundField);
    if (source === undefined || source === "") return [];
    const message = `${rule} of volume “${nameOfRef(nearest.ref)}”: wanted ${wanted || '""'}, has ${found || '""'}`;
    return [{ ...source, message }];
  });
}

export function isKind(verdict: Verdict, ...kinds: readonly string[]): boolean {
  return kinds.includes(kindOfRef(verdict.ref));
}

/** `Claim data stays Pending: …`, Kubernetes' event, and the first fix. */
function outcomeMessage(
  { verdict }: RootCause,
  { assumed, profileFrom }: Prediction,
  detail: string | undefined,
): string {
  const { ref, headline, reason, message } = verdict;
  const lines = [printOutcome(ref, headline)];
  if (detail !== undefined) lines.push(detail);
  if (message !== undefined && !headline.toLowerCase().includes(message.toLowerCase())) {
    lines.push(reason === undefined ? message : `${reason}: ${message}`);
  }
  const [fix] = verdict.fixes;
  if (fix !== undefined) lines.push(`To change: ${fix.text}`);
  lines.push(predictedFor(assumed.cluster, profileFrom));
  return lines.join("\n");
}

function victimsOf({ victims }: RootCause, prediction: Prediction): readonly RelatedReport[] {
  const related = new Map<string, RelatedReport>();
  for (const { ref, headline } of victims) {
    const source = sourceOf(prediction, ref);
    if (source === undefined) continue;
    // A Deployment, its ReplicaSet and its pods are in one document: the one nearest to the cause represents them.
    const { entry, path } = source;
    const place = `${entry.file.uri} ${entry.documentIndex} ${printPath(path)}`;
    if (!related.has(place))
      related.set(place, { ...source, message: printOutcome(ref, headline) });
    if (related.size >= relatedCountMax) break;
  }
  return [...related.values()];
}
