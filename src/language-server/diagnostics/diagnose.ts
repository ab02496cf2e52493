/** Findings of a single file: rules on its text and on each of its documents, with the severities from claimcheck.yaml. */

import { asking } from "../nearest-name.ts";
import type { ProjectProblem, SeveritySetting } from "../project/project-file.ts";
import {
  hasAssumedValues,
  isRendered,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { pathAt } from "../yaml/locate.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { DocumentSlice } from "../yaml/split-documents.ts";
import { itemsOf } from "../yaml/yaml-document.ts";
import { toldOfDependency } from "./at-stand-in.ts";
import { itemReports } from "./item-reports.ts";
import type {
  ChartReport,
  Diagnostic,
  DocumentContext,
  DocumentReport,
  DocumentRule,
  Rule,
  RuleReport,
} from "./rule.ts";
import { kindMissing } from "./rules/kind-missing.ts";
import { ignoresRule } from "./rules/suppression.ts";
import { rules } from "./rules.ts";

export type Severities = ReadonlyMap<string, SeveritySetting>;

/** Nobody can use more findings than this in one file. */
const diagnosticCountMax = 1000;

export interface FileOptions {
  /** Another validator checks the structure of the file's objects. */
  readonly leavesStructure?: boolean;
  /** The file holds parts of objects. */
  readonly isPatch?: boolean;
  readonly patchProblems?: readonly DocumentReport[];
  readonly chartProblems?: readonly ChartReport[];
  readonly folderProblems?: readonly ProjectProblem[];
  /** Patched objects that are written in the file, or in a patch of it. */
  readonly patched?: readonly WorkspaceObject[];
  /** True if a patch changes or removes the object, so that it is not judged as written. */
  readonly isReplaced?: (object: ManifestObject) => boolean;
  /** True if a patch for the object could not be applied: it may contain what the object lacks. */
  readonly lacksPatch?: (object: ManifestObject) => boolean;
}

export function diagnoseFile(
  file: WorkspaceFile,
  context: DocumentContext,
  severities: Severities,
  options: FileOptions = {},
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const { patchProblems = [], chartProblems = [], folderProblems = [] } = options;
  for (const rule of rules) {
    if (rule.scope !== "file" || severities.get(rule.id) === "off") continue;
    for (const report of rule.check(file, {
      patchProblems,
      chartProblems,
      folderProblems,
    }))
      found.push(fromFile(rule, report, file.uri, 0, severities));
  }
  found.push(...ofPatchedObjects(file, context, severities, options));
  if (file.manifest.templateAt !== undefined || !file.manifest.isKubernetes) return found;
  for (const [index, document] of file.manifest.documents.entries()) {
    const slice = file.manifest.slices[index];
    const start = slice?.start ?? 0;
    const reports = documentReports(asItStands(document, options), context);
    for (const told of reports) {
      const { rule, report } = told;
      if (severities.get(rule.id) === "off" || !concerns(told, slice, options)) continue;
      if (rule.id === "api-refused" && isCompleted(report, document, options)) continue;
      found.push(fromFile(rule, report, file.uri, start, severities));
      if (found.length >= diagnosticCountMax) return found;
    }
  }
  return found;
}

/** Findings about patched objects at places in this file. */
function ofPatchedObjects(
  { uri }: WorkspaceFile,
  context: DocumentContext,
  severities: Severities,
  { patched = [], ...options }: FileOptions,
): readonly Diagnostic[] {
  // One line of a patch may be part of many objects.
  const found = new Map<string, Diagnostic>();
  for (const entry of patched) {
    const { patched: object } = entry;
    if (object === undefined) continue;
    const { document, written } = object;
    const own = { ...options, lacksPatch: () => object.lacksPatch };
    for (const { rule, report } of documentReports(document, context)) {
      if (isForOthers(rule, entry) || severities.get(rule.id) === "off") continue;
      if (rule.id === "api-refused" && isCompleted(report, document, own)) continue;
      const place = object.placeInDocument(report, report.isOfKey);
      const { file, start, end } = place;
      if (file.uri !== uri || isIgnored(rule.id, document, written, isRendered(entry))) continue;
      const { fix: wanted, ...rest } = report;
      const near = pathAt(document.yaml, report.start).path;
      const path = wanted === undefined ? undefined : object.pathBeside(near, wanted.path);
      const fix = wanted !== undefined && path !== undefined && { fix: { ...wanted, path } };
      const isAssumed = hasAssumedValues(entry) && (report.severity ?? rule.severity) === "error";
      const severity = isAssumed && ({ severity: "warning" } as const);
      const placed = { ...rest, ...severity, start, end, ...fix };
      const told = fromFile(rule, placed, uri, 0, severities);
      const diagnostic = { ...told, ...toldOfDependency(told, entry, place, () => report) };
      found.set(JSON.stringify([start, end, rule.id, diagnostic.message]), diagnostic);
    }
  }
  return [...found.values()];
}

/** True if the rule is about texts, or about kubectl, which does not bring the objects of charts. */
function isForOthers({ isOfText, isOfKubectl }: DocumentRule, entry: WorkspaceObject): boolean {
  return isOfText === true || (isOfKubectl === true && isRendered(entry));
}

/**
 * True if an annotation from a patch or chart suppresses the rule. Suppressions in the object's own document are handled
 * together with its comments.
 */
function isIgnored(
  rule: string,
  { objects }: FileDocument,
  written: WorkspaceObject,
  isOfChart: boolean,
): boolean {
  const [object] = objects;
  if (object === undefined || !ignoresRule(object, rule)) return false;
  return isOfChart || !ignoresRule(written.object, rule);
}

/** Leaves out objects that patches have changed. */
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

/** True if a kustomization may bring what is missing. Not for unknown fields, which nothing can make valid. */
function isCompleted(
  { message }: DocumentReport,
  { objects }: FileDocument,
  { lacksPatch }: FileOptions,
): boolean {
  if (message.startsWith("unknown field")) return false;
  return objects.some((object) => lacksPatch?.(object) === true);
}

function concerns(
  { rule, report }: RuleReport,
  slice: DocumentSlice | undefined,
  options: FileOptions,
): boolean {
  // The missing kind may stand in the separator's line, which document-separator reports.
  if (slice?.separatorRest !== undefined && rule.id === kindMissing.id) return false;
  if (options.isPatch === true) return rule.isOfText === true;
  return options.leavesStructure !== true || report.isStructural !== true;
}

const reportsOfDocuments = new WeakMap<
  FileDocument,
  DocumentContext & { readonly reports: readonly RuleReport[] }
>();

/** Cached: unchanged documents, and unchanged items of a long List, are not checked again. */
export function documentReports(
  document: FileDocument,
  { version, drivers }: DocumentContext,
): readonly RuleReport[] {
  const known = reportsOfDocuments.get(document);
  if (known?.version === version && known.drivers === drivers) return known.reports;
  const context = { version, drivers };
  const items = itemsOf(document.yaml);
  const reports =
    items === undefined
      ? reportsBy(rulesFor(document), document, context)
      : [
          ...reportsBy(textRules, document, context),
          ...itemReports(document, items, context, (item) => reportsBy(objectRules, item, context)),
        ];
  reportsOfDocuments.set(document, { ...context, reports });
  return reports;
}

function reportsBy(
  asked: readonly DocumentRule[],
  document: FileDocument,
  context: DocumentContext,
): readonly RuleReport[] {
  const reports: RuleReport[] = [];
  for (const rule of asked)
    for (const report of rule.check(document, context)) reports.push({ rule, report });
  return reports;
}

/** Most documents hold one object, which most rules do not apply to. */
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
const textRules = documentRules.filter(({ isOfText }) => isOfText === true);
const objectRules = documentRules.filter(({ isOfText }) => isOfText !== true);
const rulesOfKinds = new Map<string, readonly DocumentRule[]>();

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
    message: asking(report.message, report.meant),
    ...(report.meant !== undefined && { meant: report.meant }),
    ...(report.overlay !== undefined && { overlay: report.overlay }),
    ...(report.fix !== undefined && { fix: report.fix }),
    ...(report.unless !== undefined && { unless: report.unless }),
  };
}
