/** Rules on what is in no file. It may be in the cluster, so that they speak softly where nobody has imported it. */
import type { Environment } from "../workspace/environment.ts";
import type { EnvironmentRule, ObjectReport, PredictionRule, Severity } from "./rule.ts";

/** One level more where the cluster is known and has nothing of the kind by that name. */
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

/** Of what is not in the part of the import that could be read nobody knows whether it is in the cluster. */
export function doubtedInCluster(
  { misses }: EnvironmentRule | PredictionRule,
  report: ObjectReport,
  { imported }: Environment,
): ObjectReport {
  if (misses === undefined || imported?.isPartial !== true) return report;
  const doubt = "Not all of the import could be read: it may be there";
  return { ...report, doubt, assumes: true };
}
