/** What rules say of objects: by comparing them with each other, and by what the engine predicts of them. */
import type { KubernetesVersion } from "../../engine/scenario.ts";
import { push } from "../multi-map.ts";
import { asking } from "../nearest-name.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { findRootCauses } from "../prediction/root-causes.ts";
import type { Environment } from "../workspace/environment.ts";
import { placeOf } from "../workspace/field-place.ts";
import {
  claimSpecsOf,
  containersOf,
  podVolumesOf,
  startsWithPath,
} from "../workspace/manifest-fields.ts";
import { referencesOf } from "../workspace/references.ts";
import type { Question } from "../workspace/unreadable-documents.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { pathAt } from "../yaml/locate.ts";
import { calledOf } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";
import { isCertain } from "./certainty.ts";
import { documentReports, type Severities } from "./diagnose.ts";
import { indexClaims } from "./facts/claim-facts.ts";
import { isOwned } from "./facts/workload-facts.ts";
import { doubtedInCluster, severityInCluster } from "./missing-in-cluster.ts";
import { isRefused } from "./object-rule.ts";
import {
  type Diagnostic,
  documentPath,
  type EnvironmentContext,
  type EnvironmentRule,
  type ObjectReport,
  type PredictionRule,
  type Severity,
} from "./rule.ts";
import { rules } from "./rules.ts";

/** A finding about an object, with the rule that made it. */
export interface CodedReport {
  readonly code: string;
  readonly severity: Severity;
  readonly report: ObjectReport;
}

/**
 * What objects say of each other: by the rules that look at all of them, or by the others. Nothing where the API server
 * refuses the field anyway. Stops often.
 */
export function* compareObjects(
  context: EnvironmentContext,
  reach: "wide" | "island",
): Generator<void, readonly CodedReport[], void> {
  const { environment } = context;
  const severities = environment.project.rules;
  const found: CodedReport[] = [];
  if (reach === "island") yield* readObjects(context);
  for (const rule of rules) {
    if (rule.scope !== "environment" || severities.get(rule.id) === "off") continue;
    if ((rule.looksAtAll === true) !== (reach === "wide")) continue;
    for (const given of rule.check(context)) {
      yield;
      const report = doubtedInCluster(rule, given, environment);
      const { entry, path, fix } = report;
      if (isRefused(entry.object, path, context)) continue;
      if (fix !== undefined && isRefused(entry.object, fix.path, context)) continue;
      const severity = severityOf(rule, report, environment);
      found.push({ code: rule.id, severity, report });
    }
    yield;
  }
  return found;
}

/** What rules read in each object is kept with it. The first to ask would read all of them, and nobody could come between. */
function* readObjects(context: EnvironmentContext): Generator<void> {
  const readings = [referencesOf, podVolumesOf, containersOf, claimSpecsOf, isOwned];
  for (const { object } of context.environment.objects) {
    for (const read of readings) read(object);
    yield;
  }
  yield* indexClaims(context);
}

/** What the engine predicts. An outcome that a name without object explains is not told twice. Stops often. */
export function* outcomeReports(
  prediction: Prediction,
  known: readonly CodedReport[],
): Generator<void, readonly CodedReport[], void> {
  const { environment, version } = prediction;
  const severities = environment.project.rules;
  const toldByNeighbors = toldBy(known);
  const isTold = (report: ObjectReport, isRefusal: boolean): boolean =>
    toldByNeighbors(report, isRefusal) || toldByOwnDocument(report, version, severities);
  const found: CodedReport[] = [];
  yield* findRootCauses(prediction);
  for (const rule of rules) {
    if (rule.scope !== "prediction" || severities.get(rule.id) === "off") continue;
    for (const given of rule.check(prediction)) {
      yield;
      const report = doubtedInCluster(rule, given, environment);
      if (isTold(report, rule.keepsOut === true)) continue;
      const severity = severityOf(rule, report, environment);
      found.push({ code: rule.id, severity, report });
    }
    yield;
  }
  return found;
}

const explaining: ReadonlyMap<string, true | "of-field"> = new Map(
  rules.flatMap((rule) => {
    const explained = rule.scope === "environment" && rule.explainsOutcome;
    return explained === undefined || explained === false ? [] : [[rule.id, explained] as const];
  }),
);

/**
 * Whether the objects themselves have said why, in the document at hand. A refusal has to be of the very field: a quota is
 * full whatever else is wrong. So has what goes wrong at another field, where the finding is about its field alone.
 */
function toldBy(
  known: readonly CodedReport[],
): (report: ObjectReport, isRefusal: boolean) => boolean {
  const told = new Set<FileDocument>();
  const fields = new Map<FileDocument, Path[]>();
  for (const { code, report } of known) {
    const explained = explaining.get(code);
    if (explained === undefined) continue;
    const { document, object } = report.entry;
    if (explained === true) told.add(document);
    push(fields, document, documentPath(object, report.path));
  }
  return ({ entry: { document, object }, path }, isRefusal) => {
    if (!isRefusal && told.has(document)) return true;
    const at = documentPath(object, path);
    const isSame = isRefusal ? startsWithPath : isAtField;
    return fields.get(document)?.some((field) => isSame(at, field)) === true;
  };
}

/** Whether what goes wrong at a path does so at the field, or at the item of a list that holds the field. */
function isAtField(path: Path, field: Path): boolean {
  const isItem = typeof path.at(-1) === "number";
  return startsWithPath(path, field) || (isItem && startsWithPath(field, path));
}

/** Whether a rule that looks at the object's document alone has said why. */
function toldByOwnDocument(
  { entry, path }: ObjectReport,
  version: KubernetesVersion,
  severities: Severities,
): boolean {
  const document = entry.patched?.document ?? entry.document;
  return documentReports(document, version).some(({ rule, report }) => {
    const { id, explainsOutcome = false } = rule;
    if (explainsOutcome === false || severities.get(id) === "off") return false;
    if (explainsOutcome === true) return true;
    return isAtField(documentPath(entry.object, path), pathAt(document.yaml, report.start).path);
  });
}

/** A finding about a field of an object, at the field. */
export function fromObject(report: ObjectReport, code: string, severity: Severity): Diagnostic {
  const { entry, path, message, meant, doubt, misses, unused, unless, related, fix } = report;
  const asked = asking(message, meant);
  const { file, ...span } = placeOf(entry, path);
  const fixPath = fix === undefined ? undefined : pathOfFix(entry, path, fix.path);
  const diagnostic: Diagnostic = {
    uri: file.uri,
    ...span,
    severity,
    code,
    message: doubt === undefined ? asked : `${asked}${meant === undefined ? "." : ""} ${doubt}`,
    ...(meant !== undefined && { meant }),
    ...(misses !== undefined && { misses }),
    ...(unused !== undefined && { unused }),
    unless: [...(unless ?? []), ...basisOf(report)],
    ...(fix !== undefined && fixPath !== undefined && { fix: { ...fix, path: fixPath } }),
  };
  if (related === undefined || related.length === 0) return diagnostic;
  return {
    ...diagnostic,
    related: related.map((other) => {
      const { file: where, ...at } = placeOf(other.entry, other.path);
      return { uri: where.uri, ...at, message: other.message };
    }),
  };
}

/** What an object that is not in the cluster would have to do with the finding's, nobody can say. */
function basisOf({ entry, related = [], restsOn }: ObjectReport): readonly Question[] {
  const others = restsOn ?? related.map((other) => other.entry);
  const refs = new Set(others.map(({ object }) => calledOf(object)));
  refs.delete(calledOf(entry.object));
  return [...refs].map((ref) => `kept out ${ref}` as const);
}

/** From the root of the document that the finding is in; undefined where the field would stand in another. */
function pathOfFix({ object, patched }: WorkspaceObject, path: Path, fix: Path): Path | undefined {
  return patched === undefined ? documentPath(object, fix) : patched.pathBeside(path, fix);
}

/** What claimcheck.yaml says, else what the rule says, as far as that is certain. */
function severityOf(
  rule: EnvironmentRule | PredictionRule,
  report: ObjectReport,
  environment: Environment,
): Severity {
  const set = environment.project.rules.get(rule.id);
  if (set !== undefined && set !== "off") return set;
  const usual = report.severity ?? rule.severity;
  const severity = severityInCluster(rule, usual, environment);
  return severity === "error" && !isCertain(report, environment) ? "warning" : severity;
}
