/** Runs the rules and puts their findings at their places, with the severities of claimcheck.yaml. */
import type { KubernetesVersion } from "../../engine/scenario.ts";
import type { Prediction } from "../prediction/predictor.ts";
import { findRootCauses } from "../prediction/root-causes.ts";
import type { SeveritySetting } from "../project/project-file.ts";
import type { FieldPlace } from "../workspace/kustomize/patched-object.ts";
import { referencesOf } from "../workspace/references.ts";
import { compareText } from "../workspace/uri.ts";
import {
  documentStart,
  type Environment,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace.ts";
import type { Path } from "../yaml/locate.ts";
import { pathAt, type Span, underline } from "../yaml/locate.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import { isCertain } from "./certainty.ts";
import { indexClaims } from "./claim-facts.ts";
import { claimSpecsOf, containersOf, podVolumesOf } from "./manifest-fields.ts";
import { severityInCluster } from "./missing-in-cluster.ts";
import {
  type Diagnostic,
  type DocumentReport,
  type DocumentRule,
  documentPath,
  type EnvironmentContext,
  type EnvironmentRule,
  type ObjectReport,
  type PredictionRule,
  type Rule,
  type Severity,
} from "./rule.ts";
import { rules } from "./rules.ts";
import { ignoresRule } from "./suppression.ts";
import { isOwned } from "./workload-facts.ts";

type Severities = ReadonlyMap<string, SeveritySetting>;

/** More findings than this in one file help nobody. */
const diagnosticCountMax = 1000;

export interface FileOptions {
  /** Another validator tells what is wrong with the structure of the file's objects. */
  readonly leavesStructure?: boolean;
  /** The file holds parts of objects. */
  readonly isPatch?: boolean;
  readonly patchProblems?: readonly DocumentReport[];
  /** Objects that patches have changed and that are written in the file, or in a patch of it. */
  readonly patched?: readonly WorkspaceObject[];
  /** Whether the document's object is not judged as it stands: a patch has changed it, or removes it. */
  readonly isReplaced?: (object: ManifestObject) => boolean;
  /** Whether a patch is for the object that could not be applied: what it lacks may come from there. */
  readonly lacksPatch?: (object: ManifestObject) => boolean;
  /** Whether a kustomization gives the file's pods labels, and what selects them the same. */
  readonly isLabelled?: () => boolean;
}

/** What can be said of a file without its neighbors. */
export function diagnoseFile(
  file: WorkspaceFile,
  version: KubernetesVersion,
  severities: Severities,
  options: FileOptions = {},
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const rule of rules) {
    if (rule.scope !== "file" || severities.get(rule.id) === "off") continue;
    for (const report of rule.check(file, { patchProblems: options.patchProblems ?? [] }))
      found.push(fromFile(rule, report, file.uri, 0, severities));
  }
  found.push(...ofPatchedObjects(file, version, severities, options));
  if (file.manifest.templateAt !== undefined || !file.manifest.isKubernetes) return found;
  for (const [index, document] of file.manifest.documents.entries()) {
    const start = file.manifest.slices[index]?.start ?? 0;
    const reports = documentReports(asItStands(document, options), version);
    for (const { rule, report } of reports) {
      if (severities.get(rule.id) === "off" || !concerns(report, rule, options)) continue;
      if (rule.id === "api-refused" && isCompleted(report, document, options)) continue;
      found.push(fromFile(rule, report, file.uri, start, severities));
      if (found.length >= diagnosticCountMax) return found;
    }
  }
  return found;
}

/** What rules say of objects that patches have changed, as far as it stands in the file. */
function ofPatchedObjects(
  { uri }: WorkspaceFile,
  version: KubernetesVersion,
  severities: Severities,
  { patched = [], ...options }: FileOptions,
): readonly Diagnostic[] {
  // One line of a patch may be in many objects.
  const found = new Map<string, Diagnostic>();
  for (const { patched: object } of patched) {
    if (object === undefined) continue;
    const { document, written } = object;
    const own = { ...options, lacksPatch: () => object.lacksPatch };
    for (const { rule, report } of documentReports(document, version)) {
      if (rule.isOfText === true || severities.get(rule.id) === "off") continue;
      if (rule.id === "api-refused" && isCompleted(report, document, own)) continue;
      const { file, start, end } = object.placeInDocument(report);
      if (file.uri !== uri || isIgnored(rule.id, document, written)) continue;
      const { fix: wanted, ...rest } = report;
      const near = pathAt(document.yaml, report.start).path;
      const path = wanted === undefined ? undefined : object.pathBeside(near, wanted.path);
      const fix = wanted !== undefined && path !== undefined && { fix: { ...wanted, path } };
      const diagnostic = fromFile(rule, { ...rest, start, end, ...fix }, uri, 0, severities);
      found.set(JSON.stringify([start, end, rule.id, report.message]), diagnostic);
    }
  }
  return [...found.values()];
}

/** Where the annotation comes from a patch. What the object's own document says of itself is heeded with its comments. */
function isIgnored(rule: string, { objects }: FileDocument, written: WorkspaceObject): boolean {
  const [object] = objects;
  return object !== undefined && ignoresRule(object, rule) && !ignoresRule(written.object, rule);
}

/** Without the objects that patches have changed. */
function asItStands(document: FileDocument, { isReplaced }: FileOptions): FileDocument {
  const { objects } = document;
  const left = objects.filter((object) => isReplaced?.(object) !== true);
  if (left.length === objects.length) return document;
  const known = withoutReplaced.get(document);
  if (known?.objects.length === left.length) return known;
  const made = { ...document, objects: left };
  withoutReplaced.set(document, made);
  return made;
}

const withoutReplaced = new WeakMap<FileDocument, FileDocument>();

/** Whether a kustomization may bring what is missing. Nothing gives a meaning to a field that does not exist. */
function isCompleted(
  { message }: DocumentReport,
  { objects }: FileDocument,
  { lacksPatch, isLabelled }: FileOptions,
): boolean {
  if (message.startsWith("unknown field")) return false;
  const isOfLabels = /^spec\.(?:selector|template\.metadata\.labels)\b/.test(message);
  if (isOfLabels && isLabelled?.() === true) return true;
  return objects.some((object) => lacksPatch?.(object) === true);
}

function concerns(report: DocumentReport, rule: DocumentRule, options: FileOptions): boolean {
  if (options.isPatch === true) return rule.isOfText === true;
  return options.leavesStructure !== true || report.isStructural !== true;
}

interface RuleReport {
  readonly rule: DocumentRule;
  readonly report: DocumentReport;
}

const reportsOfDocuments = new WeakMap<
  FileDocument,
  { readonly version: KubernetesVersion; readonly reports: readonly RuleReport[] }
>();

/** A document that has not changed is not looked at again. */
function documentReports(
  document: FileDocument,
  version: KubernetesVersion,
): readonly RuleReport[] {
  const known = reportsOfDocuments.get(document);
  if (known?.version === version) return known.reports;
  const reports: RuleReport[] = [];
  const context = { version };
  for (const rule of rulesFor(document))
    for (const report of rule.check(document, context)) reports.push({ rule, report });
  reportsOfDocuments.set(document, { version, reports });
  return reports;
}

/** Most documents hold one object, which most rules have nothing to say of. */
function rulesFor({ objects }: FileDocument): readonly DocumentRule[] {
  const [first, ...others] = objects;
  if (first === undefined || others.length > 0) return documentRules;
  const { kind } = first;
  const known =
    rulesOfKinds.get(kind) ??
    documentRules.filter(({ kinds }) => kinds?.some((other) => other === kind) ?? true);
  rulesOfKinds.set(kind, known);
  return known;
}

const documentRules = rules.filter((rule) => rule.scope === "document");
const rulesOfKinds = new Map<string, readonly DocumentRule[]>();

/** A finding about an object, with the rule that made it. */
export interface CodedReport {
  readonly code: string;
  readonly severity: Severity;
  readonly report: ObjectReport;
}

/** What objects say of each other: by the rules that look at all of them, or by the others. Stops often. */
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
    for (const report of rule.check(context)) {
      const severity = severityOf(rule, report, environment);
      found.push({ code: rule.id, severity, report });
      yield;
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
  const toldByNeighbors = toldBy(known.filter(({ code }) => explaining.has(code)));
  const isTold = (report: ObjectReport): boolean =>
    toldByNeighbors(report) || toldByOwnDocument(report, version, severities);
  const found: CodedReport[] = [];
  yield* findRootCauses(prediction);
  for (const rule of rules) {
    if (rule.scope !== "prediction" || severities.get(rule.id) === "off") continue;
    for (const report of rule.check(prediction)) {
      yield;
      if (isTold(report)) continue;
      const severity = severityOf(rule, report, environment);
      found.push({ code: rule.id, severity, report });
    }
    yield;
  }
  return found;
}

/**
 * Whether the object's own document names something that is nowhere, or the message complains of such a name, or of an
 * object that cannot be ready for that reason.
 */
function toldBy(known: readonly CodedReport[]): (report: ObjectReport) => boolean {
  const told = new Set<FileDocument>();
  const unready = new Set<string>();
  for (const { report } of known) {
    const { document } = report.entry;
    const missing = /“([^”]+)”/.exec(report.message)?.[1];
    if (missing !== undefined) unready.add(missing);
    told.add(document);
    for (const { name } of document.objects) unready.add(name);
  }
  return ({ entry, message }) => {
    if (told.has(entry.document)) return true;
    if (!/not (?:found|bound|ready)|does not exist|cannot get/i.test(message)) return false;
    return message.split(/[\s"':,/]+/).some((word) => unready.has(word));
  };
}

/** Whether a rule that looks at the object's document alone has said why. */
function toldByOwnDocument(
  { entry }: ObjectReport,
  version: KubernetesVersion,
  severities: Severities,
): boolean {
  return documentReports(entry.patched?.document ?? entry.document, version).some(
    ({ rule: { id, explainsOutcome } }) => explainsOutcome === true && severities.get(id) !== "off",
  );
}

const explaining: ReadonlySet<string> = new Set(
  rules.flatMap((rule) =>
    rule.scope === "environment" && rule.explainsOutcome === true ? [rule.id] : [],
  ),
);

function fromFile(
  rule: Rule,
  report: DocumentReport,
  uri: string,
  offset: number,
  severities: Severities,
): Diagnostic {
  const set = severities.get(rule.id);
  const ofProject = set === "off" ? undefined : set;
  return {
    uri,
    start: offset + report.start,
    end: offset + report.end,
    severity: ofProject ?? report.severity ?? rule.severity,
    code: rule.id,
    message: report.message,
    ...(report.fix !== undefined && { fix: report.fix }),
  };
}

/** A finding about a field of an object, at the field. */
export function fromObject(report: ObjectReport, code: string, severity: Severity): Diagnostic {
  const { entry, path, message, related, fix } = report;
  const { file, ...span } = placeOf(entry, path);
  const fixPath = fix === undefined ? undefined : pathOfFix(entry, path, fix.path);
  const diagnostic: Diagnostic = {
    uri: file.uri,
    ...span,
    severity,
    code,
    message,
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

/** From the root of the document that the finding is in; undefined where the field would stand in another. */
function pathOfFix({ object, patched }: WorkspaceObject, path: Path, fix: Path): Path | undefined {
  return patched === undefined ? documentPath(object, fix) : patched.pathBeside(path, fix);
}

/** Where a field is written; the name where the whole object is meant. */
export function placeOf(entry: WorkspaceObject, path: Path): FieldPlace {
  const { object, document, file, patched } = entry;
  const field = path.length === 0 && object.name !== "" ? ["metadata", "name"] : path;
  if (patched !== undefined) return patched.placeOf(field);
  const offset = documentStart(entry);
  const { start, end } = spanIn(document, documentPath(object, field));
  return { file, start: offset + start, end: offset + end };
}

/** Looked up once for each document: finding a place means parsing the document again. */
function spanIn(document: FileDocument, path: Path): Span {
  let spans = spansOfDocuments.get(document);
  if (spans === undefined) {
    spans = new Map();
    spansOfDocuments.set(document, spans);
  }
  const key = JSON.stringify(path);
  const known = spans.get(key) ?? underline(document.yaml, path);
  spans.set(key, known);
  return known;
}

const spansOfDocuments = new WeakMap<FileDocument, Map<string, Span>>();

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

/** By file, place and code: the same findings give the same list. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.uri, b.uri) ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
