/** `--output github`: findings as workflow commands, with which GitHub Actions annotates changed lines, and their count. */
import type { Severity } from "../../language-server/diagnostics/rule.ts";
import { linesOf } from "../../language-server/text-lines.ts";
import type { ClusterResult } from "../cluster-result.ts";
import type { TextTerminal } from "../terminal.ts";
import { type ToldFinding, toldFindings, toldMessage } from "../told-findings.ts";
import { countLine } from "./check-text.ts";
import { printPath } from "./place.ts";

export function printForGithub(
  clusters: readonly ClusterResult[],
  { command, out, cwd }: TextTerminal,
): void {
  const all = toldFindings(clusters);
  for (const told of all) for (const line of commandOf(told, cwd)) command(`${line}\n`);
  out(`${countLine(clusters, all)}\n`);
}

const commandNames: Readonly<Record<Severity, "error" | "warning" | "notice">> = {
  error: "error",
  warning: "warning",
  information: "notice",
  hint: "notice",
};

/** Empty if the file is gone. */
function commandOf(told: ToldFinding, cwd: string): readonly string[] {
  const { uri, start, end, severity, code } = told.diagnostic;
  const file = told.cluster.service.file(uri);
  if (file === undefined) return [];
  const range = linesOf(file.manifest).rangeOf({ start, end });
  const isOneLine = range.start.line === range.end.line;
  const properties: readonly (readonly [string, string | number])[] = [
    ["file", printPath(uri, cwd)],
    ["line", range.start.line + 1],
    ["endLine", range.end.line + 1],
    // GitHub takes columns only for ranges within one line.
    ...(isOneLine
      ? ([
          ["col", range.start.character + 1],
          ["endColumn", range.end.character + 1],
        ] as const)
      : []),
    ["title", code],
  ];
  const given = properties.map(([name, value]) => `${name}=${escapedProperty(String(value))}`);
  return [`::${commandNames[severity]} ${given.join(",")}::${escaped(toldMessage(told))}`];
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
