/** Finds outcomes whose reason is already reported by rules that look at files alone (`explainsOutcome`). */
import { push } from "../../engine/api/go/multi-map.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { startsWithPath } from "../workspace/manifest-fields.ts";
import { pathAt } from "../yaml/locate.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";
import { documentReports } from "./diagnose.ts";
import { type CodedReport, documentPath, type ObjectReport, type PredictionRule } from "./rule.ts";
import { secretsWithoutKeys } from "./rules/secret-key-missing.ts";
import { rules } from "./rules.ts";

type IsExplained = (report: ObjectReport, rule: PredictionRule) => boolean;

/** `known` are the reports from comparing objects. */
export function explainedOutcomes(
  known: readonly CodedReport[],
  prediction: Prediction,
): IsExplained {
  const isToldByObjects = toldByObjects(known);
  let secrets: ReturnType<typeof secretsWithoutKeys> | undefined;
  // Computed only for outcomes of Secrets, which are very rare.
  const lacksKeys = ({ entry }: ObjectReport): boolean => {
    if (entry.object.kind !== "Secret") return false;
    secrets ??= secretsWithoutKeys(prediction.environment);
    return secrets.has(entry);
  };
  return (report, rule) =>
    isToldByObjects(report, rule) ||
    (rule.keepsOut !== true && lacksKeys(report)) ||
    isToldByDocument(report, prediction) ||
    isToldByVolume(report, rule, prediction);
}

/** True if another rule already reports that the only volume for a claim has an implausible size. */
function isToldByVolume(
  { related = [] }: ObjectReport,
  { id }: PredictionRule,
  prediction: Prediction,
): boolean {
  return (
    id === "pv-claim-too-small" &&
    related.some(
      (one) => one.entry.object.kind === "PersistentVolume" && isToldByDocument(one, prediction),
    )
  );
}

const explaining = new Map(
  rules.flatMap((rule) =>
    rule.scope === "environment" && rule.explainsOutcome !== undefined
      ? [[rule.id, rule.explainsOutcome] as const]
      : [],
  ),
);

/**
 * True if rules that compare objects have explained the outcome in this document. A refusal must be of the same field, because
 * a quota is exceeded whatever else is wrong. So must an outcome that a rule `of-field` explains.
 */
function toldByObjects(known: readonly CodedReport[]): IsExplained {
  const told = new Set<FileDocument>();
  const fields = new Map<FileDocument, Path[]>();
  for (const { code, report } of known) {
    const explained = explaining.get(code);
    if (explained === undefined || report.explainsOutcome === false) continue;
    const { document, object } = report.entry;
    if (explained === true) told.add(document);
    push(fields, document, documentPath(object, report.path));
  }
  return ({ entry: { document, object }, path }, { keepsOut: isRefusal }) => {
    if (isRefusal !== true && told.has(document)) return true;
    const at = documentPath(object, path);
    const isSame = isRefusal === true ? startsWithPath : isAtField;
    return fields.get(document)?.some((field) => isSame(at, field)) === true;
  };
}

/** True if a rule that looks at the object's document alone explains the outcome. */
function isToldByDocument(
  { entry, path }: Pick<ObjectReport, "entry" | "path">,
  { environment, version }: Prediction,
): boolean {
  const document = entry.patched?.document ?? entry.document;
  const { drivers } = environment.project;
  return documentReports(document, { version, drivers }).some(({ rule, report }) => {
    const { id, explainsOutcome } = rule;
    if (explainsOutcome === undefined || environment.project.rules.get(id) === "off") return false;
    if (explainsOutcome === true) return true;
    return isAtField(documentPath(entry.object, path), pathAt(document.yaml, report.start).path);
  });
}

/** True if the path is at or below the field, or is the list item that holds the field. */
function isAtField(path: Path, field: Path): boolean {
  const isItem = typeof path.at(-1) === "number";
  return startsWithPath(path, field) || (isItem && startsWithPath(field, path));
}
