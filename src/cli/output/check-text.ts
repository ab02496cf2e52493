/** `claimcheck check`: one line per finding, `path:line:column severity code message`. */
import type { Diagnostic, Severity } from "../../language-server/diagnostics/rule.ts";
import { clusterLine } from "../../language-server/prediction/cluster-title.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { type ToldFinding, toldFindings, toldMessage } from "../told-findings.ts";
import { counted } from "./counted.ts";
import { printPlace } from "./place.ts";

export function checkText(clusters: readonly ClusterResult[], cwd: string): string {
  const all = toldFindings(clusters);
  const lines = all.flatMap((told) => linesOfFinding(told, cwd));
  return `${[...lines, countLine(clusters, all)].join("\n")}\n`;
}

/** How many findings there are, and for which clusters they hold. */
export function countLine(clusters: readonly ClusterResult[], all: readonly ToldFinding[]): string {
  const files = new Set(clusters.flatMap(({ environment }) => environment.files.map(uriOf)));
  const counts = severities.map((severity) =>
    counted(all.filter(({ diagnostic }) => diagnostic.severity === severity).length, severity),
  );
  return `${counts.join(", ")} in ${counted(files.size, "file")}${assumed(clusters)}`;
}

/** Names the assumed clusters, as predictions hold only for them. */
function assumed(clusters: readonly ClusterResult[]): string {
  const names = clusters.map(({ prediction }) => clusterLine(prediction));
  return names.length === 0 ? "" : `; ${[...new Set(names)].join("; ")}`;
}

function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

const severities: readonly Severity[] = ["error", "warning", "information", "hint"];

/** The finding's first line, without related places; undefined if its file is gone. */
export function findingLine(
  { service }: Pick<ClusterResult, "service">,
  { uri, start, severity, code, message }: Diagnostic,
  cwd: string,
): string | undefined {
  const file = service.file(uri);
  if (file === undefined) return undefined;
  return `${printPlace(file, start, cwd)} ${severity} ${code} ${message.split("\n")[0]}`;
}

function linesOfFinding(told: ToldFinding, cwd: string): readonly string[] {
  const { cluster, diagnostic } = told;
  const { service } = cluster;
  const head = findingLine(cluster, diagnostic, cwd);
  if (head === undefined) return [];
  const more = toldMessage(told).split("\n").slice(1);
  const related = (diagnostic.related ?? []).flatMap(({ uri, start, message }) => {
    const other = service.file(uri);
    return other === undefined ? [] : [`${printPlace(other, start, cwd)} ${message}`];
  });
  return [
    head,
    ...more.filter((line) => !line.startsWith("Predicted for")).map(indent),
    ...related.map(indent),
  ];
}

function indent(line: string): string {
  return `    ${line}`;
}
