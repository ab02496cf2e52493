/** Outcomes whose reason has been told already, by rules that look at the files alone and say so (`explainsOutcome`). */
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

/** `known` is what the objects say of each other. */
export function explainedOutcomes(
  known: readonly CodedReport[],
  prediction: Prediction,
): IsExplained {
  const isToldByObjects = toldByObjects(known);
  let secrets: ReturnType<typeof secretsWithoutKeys> | undefined;
  // Asked for outcomes of Secrets alone, of which there are next to none.
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

/** Whether the size of the only volume that there is for a claim is told to be hardly what somebody means. */
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
 * Whether the objects have said why, in the document at hand. A refusal has to be of the very field: a quota is full whatever
 * else is wrong. So has what goes wrong at another field, where the finding is about its field alone.
 */
function toldByObjects(known: readonly CodedReport[]): IsExplained {
  const told = new Set<FileDocument>();
  const fields = new Map<FileDocument, Path[]>();
  for (const { code, report } of known) {
    const explained = explaining.get(code);
    if (explained === undefined) continue;
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

/** Whether a rule that looks at the object's document alone has said why. */
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

/** Whether what goes wrong at a path does so at the field, or at the item of a list that holds the field. */
function isAtField(path: Path, field: Path): boolean {
  const isItem = typeof path.at(-1) === "number";
  return startsWithPath(path, field) || (isItem && startsWithPath(field, path));
}
