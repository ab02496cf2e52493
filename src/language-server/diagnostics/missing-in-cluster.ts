/** Rules on what is in no file. It may be in the cluster, so that they speak softly where nobody has imported it. */
import type { Environment } from "../workspace/environment.ts";
import type { EnvironmentRule, PredictionRule, Severity } from "./rule.ts";

/** One level more where the cluster is known and has nothing of the kind by that name. */
export function severityInCluster(
  { misses }: EnvironmentRule | PredictionRule,
  severity: Severity,
  { imported }: Environment,
): Severity {
  if (misses === undefined || imported?.kinds.has(misses) !== true) return severity;
  if (severity === "hint") return "information";
  return severity === "information" ? "warning" : severity;
}
