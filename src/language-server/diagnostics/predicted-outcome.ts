/**
 * What the rules on predicted outcomes share: verdicts that are not good, gathered by the line at which each goes wrong.
 * One root cause is one finding; whatever else fails for the same reason is mentioned with it.
 */
import type { Ref } from "../../engine/api/meta.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Prediction } from "../prediction/predictor.ts";
import { printRef } from "../prediction/print-ref.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import { printPath } from "../yaml/field-path.ts";
import type { PredictionRule, RelatedReport, Severity } from "./rule.ts";

/** One thing that goes wrong, and everything that goes wrong because of it. */
export interface RootCause extends Source {
  /** The verdict that is nearest to the cause: a claim's rather than that of the pod waiting for it. */
  readonly verdict: Verdict;
  readonly victims: readonly Verdict[];
}

const relatedCountMax = 10;

/** By kind of the object whose verdict is nearest to the cause; waiting for something that will happen is nothing wrong. */
export function rootCauses(prediction: Prediction): readonly RootCause[] {
  const known = recent.get(prediction);
  if (known !== undefined) return known;
  const causes = new Map<string, { source: Source; verdicts: Verdict[] }>();
  for (const verdict of prediction.verdicts) {
    if (verdict.kind === "healthy" || verdict.kind === "will-happen") continue;
    const source = rootSource(prediction, verdict);
    if (source === undefined) continue;
    const key = `${source.entry.file.uri} ${source.entry.documentIndex} ${printPath(source.entry.object.path)} ${printPath(source.path)}`;
    const cause = causes.get(key);
    if (cause === undefined) causes.set(key, { source, verdicts: [verdict] });
    else cause.verdicts.push(verdict);
  }
  const found = [...causes.values()].map(({ source, verdicts }): RootCause => {
    const [verdict, ...victims] = [...verdicts].sort(byDistance);
    return { ...source, verdict: verdict as Verdict, victims };
  });
  recent.set(prediction, found);
  return found;
}

const recent = new WeakMap<Prediction, readonly RootCause[]>();

/** The shortest chain first, and of equally short ones claims before what uses them. */
function byDistance(a: Verdict, b: Verdict): number {
  return a.chain.length - b.chain.length || rank(a.ref) - rank(b.ref) || (a.ref < b.ref ? -1 : 1);
}

const kindsByDepth: readonly string[] = [
  "PersistentVolumeClaim",
  "PersistentVolume",
  "VolumeSnapshot",
  "Pod",
];

function rank(ref: Ref): number {
  const index = kindsByDepth.indexOf(ref.slice(0, ref.indexOf("/")));
  return index < 0 ? kindsByDepth.length : index;
}

/** The root's line, else that of the nearest object of the chain that a user wrote. */
function rootSource(prediction: Prediction, verdict: Verdict): Source | undefined {
  const { root } = verdict;
  const atRoot = root === undefined ? undefined : sourceOf(prediction, root.ref, root.field);
  if (atRoot !== undefined) return atRoot;
  for (const { ref } of verdict.chain.toReversed()) {
    const source = sourceOf(prediction, ref);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** `Claim default/data stays Pending: …`, the event as Kubernetes words it, and the first change that would help. */
function outcomeMessage({ verdict }: RootCause, profile: string): string {
  const lines = [`${printRef(verdict.ref)} ${verdict.headline}`];
  if (
    verdict.message !== undefined &&
    !verdict.headline.toLowerCase().includes(verdict.message.toLowerCase())
  ) {
    lines.push(
      verdict.reason === undefined ? verdict.message : `${verdict.reason}: ${verdict.message}`,
    );
  }
  const [fix] = verdict.fixes;
  if (fix !== undefined) lines.push(`To change: ${fix.text}`);
  lines.push(`Predicted for cluster profile “${profile}”.`);
  return lines.join("\n");
}

/** A rule on the root causes of some kind; `severity` may depend on the case. */
export function outcomeRule(
  id: string,
  severity: Severity,
  matches: (verdict: Verdict) => boolean,
  severityOf?: (verdict: Verdict) => Severity,
): PredictionRule {
  return {
    id,
    severity,
    scope: "prediction",
    *check(prediction) {
      for (const cause of rootCauses(prediction)) {
        if (!matches(cause.verdict)) continue;
        yield {
          entry: cause.entry,
          path: cause.path,
          message: outcomeMessage(cause, prediction.assumed.cluster.name),
          related: victimsOf(cause, prediction),
          ...(severityOf !== undefined && { severity: severityOf(cause.verdict) }),
        };
      }
    },
  };
}

export function isKind(verdict: Verdict, ...kinds: readonly string[]): boolean {
  return kinds.includes(verdict.ref.slice(0, verdict.ref.indexOf("/")));
}

function victimsOf(cause: RootCause, prediction: Prediction): readonly RelatedReport[] {
  const related: RelatedReport[] = [];
  for (const { ref, headline } of cause.victims) {
    const source = sourceOf(prediction, ref);
    if (source === undefined) continue;
    related.push({ ...source, message: `${printRef(ref)} ${headline}` });
    if (related.length >= relatedCountMax) break;
  }
  return related;
}
