/** `--output sarif`: findings in SARIF 2.1.0, for code scanning services. */
import {
  type Diagnostic,
  rulePage,
  type Severity,
} from "../../language-server/diagnostics/rule.ts";
import { own } from "../../language-server/own.ts";
import type { LanguageService } from "../../language-server/service.ts";
import { linesOf } from "../../language-server/text-lines.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { type ToldFinding, toldFindings, toldMessage } from "../told-findings.ts";
import { printPath } from "./place.ts";
import ruleSummaries from "./rule-summaries.json" with { type: "json" };

export function sarifReport(
  clusters: readonly ClusterResult[],
  version: string,
  cwd: string,
): string {
  const found = toldFindings(clusters);
  const ids = [...new Set(found.map(({ diagnostic }) => diagnostic.code))].sort();
  const limits = clusters.flatMap(({ prediction }) => prediction.limit ?? []);
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Claimcheck",
            version,
            informationUri: "https://github.com/claimcheck/claimcheck",
            rules: ids.map(ruleOf),
          },
        },
        invocations: [
          {
            executionSuccessful: limits.length === 0,
            toolExecutionNotifications: limits.map((text) => ({
              level: "error",
              message: { text },
            })),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: found.map((told) => resultOf(told, ids.indexOf(told.diagnostic.code), cwd)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** GitHub's code scanning uses the short description as an alert's title, and requires the full one and the help too. */
function ruleOf(id: string): unknown {
  const text = own<string>(ruleSummaries, id) ?? id;
  const page = rulePage(id);
  return {
    id,
    shortDescription: { text },
    fullDescription: { text },
    help: { text: `${text} ${page}`, markdown: `${text} [What it means and what helps](${page})` },
    helpUri: page,
  };
}

function resultOf(told: ToldFinding, ruleIndex: number, cwd: string): unknown {
  const { diagnostic } = told;
  const { service } = told.cluster;
  const { code, severity, related = [] } = diagnostic;
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: toldMessage(told) },
    locations: [{ physicalLocation: placeOf(service, diagnostic, cwd) }],
    ...(related.length > 0 && {
      relatedLocations: related.map((other) => ({
        message: { text: other.message },
        physicalLocation: placeOf(service, other, cwd),
      })),
    }),
  };
}

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  error: "error",
  warning: "warning",
  information: "note",
  hint: "note",
};

function placeOf(
  service: LanguageService,
  { uri, start, end }: Pick<Diagnostic, "uri" | "start" | "end">,
  cwd: string,
): unknown {
  const file = service.file(uri);
  const range = file === undefined ? undefined : linesOf(file.manifest).rangeOf({ start, end });
  return {
    artifactLocation: { uri: encodeURI(printPath(uri, cwd)).replace(/[#?]/g, encodeURIComponent) },
    ...(range !== undefined && {
      region: {
        startLine: range.start.line + 1,
        startColumn: range.start.character + 1,
        endLine: range.end.line + 1,
        endColumn: range.end.character + 1,
      },
    }),
  };
}
