/**
 * Findings to print although every object is fine: problems that no outcome shows, as they appear only inside containers or
 * with a later change such as a rollout.
 */
import type { Diagnostic } from "../../language-server/diagnostics/rule.ts";
import { kustomizePatch } from "../../language-server/diagnostics/rules/kustomize-patch.ts";
import { projectFileName } from "../../language-server/project/project-file.ts";
import { baseName } from "../../language-server/workspace/files/uri.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { findingLine } from "./check-text.ts";

const findingCountMax = 8;

/** Errors first, as `claimcheck check` prints them; empty if there are neither errors nor warnings. */
export function besideText(result: ClusterResult, cwd: string): string {
  const { prediction, service, diagnostics } = result;
  const told = new Set(service.keptOut(prediction).map(keyOf));
  // `leftOutText` prints the problems of kustomizations; errors of claimcheck.yaml go to standard error.
  const others = diagnostics.filter(
    (one) => one.code !== kustomizePatch.id && !isErrorOfProjectFile(one),
  );
  const found = (["error", "warning"] as const).flatMap((wanted) =>
    others.filter((one) => one.severity === wanted && !told.has(keyOf(one))),
  );
  if (found.length === 0) return "";
  const lines = found
    .slice(0, findingCountMax)
    .flatMap((diagnostic) => findingLine(result, diagnostic, cwd) ?? []);
  const more = found.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  return `${["However, `claimcheck check` finds:", ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}

export function isErrorOfProjectFile({ uri, severity }: Diagnostic): boolean {
  return severity === "error" && baseName(uri) === projectFileName;
}

function keyOf({ uri, start, code }: Diagnostic): string {
  return `${uri} ${start} ${code}`;
}
