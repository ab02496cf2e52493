/** Reports of rules that compare objects, or read the engine's prediction. */
import type { Prediction } from "../prediction/prediction.ts";
import { findRootCauses } from "../prediction/root-causes.ts";
import { claimSpecsOf, containersOf, podVolumesOf } from "../workspace/manifest-fields.ts";
import { referencesOf } from "../workspace/references.ts";
import { isCertain } from "./certainty.ts";
import { explainedOutcomes } from "./explained-outcomes.ts";
import { indexClaims } from "./facts/claim-facts.ts";
import { isOwned } from "./facts/workload-facts.ts";
import { doubtedInCluster, severityInCluster } from "./missing-in-cluster.ts";
import { isRefused } from "./object-rule.ts";
import type {
  CodedReport,
  EnvironmentContext,
  EnvironmentRule,
  ObjectReport,
  PredictionRule,
  Severity,
} from "./rule.ts";
import { rules } from "./rules.ts";

/**
 * Runs the rules that compare objects: those that look at all of them (`wide`), or the others. Drops reports on fields that the
 * API server refuses anyway. Yields often.
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
      const severity = severityOf(rule, report, context);
      found.push({ code: rule.id, severity, report });
    }
    yield;
  }
  return found;
}

/** Fills the caches of what rules read in each object: otherwise the first rule would read all objects without yielding. */
function* readObjects(context: EnvironmentContext): Generator<void> {
  const readings = [referencesOf, podVolumesOf, containersOf, claimSpecsOf, isOwned];
  for (const { object } of context.environment.objects) {
    for (const read of readings) read(object);
    yield;
  }
  yield* indexClaims(context);
}

/** Runs the rules on predicted outcomes. Drops outcomes that other reports already explain. Yields often. */
export function* outcomeReports(
  prediction: Prediction,
  known: readonly CodedReport[],
): Generator<void, readonly CodedReport[], void> {
  const { environment } = prediction;
  const severities = environment.project.rules;
  const isExplained = explainedOutcomes(known, prediction);
  const found: CodedReport[] = [];
  yield* findRootCauses(prediction);
  for (const rule of rules) {
    if (rule.scope !== "prediction" || severities.get(rule.id) === "off") continue;
    for (const given of rule.check(prediction)) {
      yield;
      const report = doubtedInCluster(rule, given, environment);
      if (isExplained(report, rule)) continue;
      const severity = severityOf(rule, report, prediction);
      found.push({ code: rule.id, severity, report });
    }
    yield;
  }
  return found;
}

/** The severity from claimcheck.yaml, else that of the rule; an error only if it is certain. */
function severityOf(
  rule: EnvironmentRule | PredictionRule,
  report: ObjectReport,
  { environment, profileFrom }: Pick<EnvironmentContext, "environment" | "profileFrom">,
): Severity {
  const set = environment.project.rules.get(rule.id);
  if (set !== undefined && set !== "off") return set;
  const usual = report.severity ?? rule.severity;
  const severity = severityInCluster(rule, usual, environment);
  return severity === "error" && !isCertain(report, environment, profileFrom)
    ? "warning"
    : severity;
}
