/** Severity of findings about objects that are in no file: lower unless an imported cluster shows that they do not exist. */
import type { Environment } from "../workspace/environment.ts";
import type { EnvironmentRule, ObjectReport, PredictionRule, Severity } from "./rule.ts";

/** One level higher if the whole cluster was imported, with its objects of that kind. */
export function severityInCluster(
  { misses }: EnvironmentRule | PredictionRule,
  severity: Severity,
  { imported }: Environment,
): Severity {
  if (misses === undefined || imported?.kinds.has(misses) !== true) return severity;
  if (imported.isPartial) return severity;
  if (severity === "hint") return "information";
  return severity === "information" ? "warning" : severity;
}

/** If only a part of the import could be read, the object may exist after all. */
export function doubtedInCluster(
  { misses }: EnvironmentRule | PredictionRule,
  report: ObjectReport,
  { imported }: Environment,
): ObjectReport {
  if (misses === undefined || imported?.isPartial !== true) return report;
  const doubt = "Not all of the import could be read: it may be there";
  return { ...report, doubt, assumes: true };
}
