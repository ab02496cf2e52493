/** `--output gitlab`: findings as a code quality report, which GitLab shows in merge requests. */
import { createHash } from "node:crypto";
import type { Severity } from "../../language-server/diagnostics/rule.ts";
import { linesOf } from "../../language-server/text-lines.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { type ToldFinding, toldFindings, toldMessage } from "../told-findings.ts";
import { printPath } from "./place.ts";

export function gitlabReport(clusters: readonly ClusterResult[], cwd: string): string {
  const alikeCounts = new Map<string, number>();
  const found = toldFindings(clusters).flatMap((told) => {
    const path = printPath(told.diagnostic.uri, cwd);
    const message = toldMessage(told);
    const what = JSON.stringify([told.diagnostic.code, path, message]);
    const alikeCount = alikeCounts.get(what) ?? 0;
    alikeCounts.set(what, alikeCount + 1);
    return entryOf(told, { path, message, fingerprint: hashOf(`${what}${alikeCount}`) });
  });
  return `${JSON.stringify(found, null, 2)}\n`;
}

interface Told {
  readonly path: string;
  readonly message: string;
  /** Independent of the line, as a merge request shows findings whose fingerprint the target branch does not have. */
  readonly fingerprint: string;
}

/** Empty if the file is gone. */
function entryOf(
  { cluster, diagnostic }: ToldFinding,
  { path, message, fingerprint }: Told,
): readonly unknown[] {
  const file = cluster.service.file(diagnostic.uri);
  if (file === undefined) return [];
  const { start, end } = linesOf(file.manifest).rangeOf(diagnostic);
  return [
    {
      description: message,
      check_name: diagnostic.code,
      fingerprint,
      severity: severities[diagnostic.severity],
      location: { path, lines: { begin: start.line + 1, end: end.line + 1 } },
    },
  ];
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const severities: Readonly<Record<Severity, "critical" | "major" | "minor" | "info">> = {
  error: "critical",
  warning: "major",
  information: "minor",
  hint: "info",
};
