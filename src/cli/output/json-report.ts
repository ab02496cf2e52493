/** `--output json`. The form is part of the product: docs/cli.md and schemas/report.schema.json describe it. */
import type { Ref } from "../../engine/api/meta.ts";
import { causalChain } from "../../engine/explain/causal-chain.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Diagnostic } from "../../language-server/diagnostics/rule.ts";
import { linesOf } from "../../language-server/text-lines.ts";
import type { ClusterResult } from "../cluster-result.ts";
import type { Options } from "../options.ts";
import { toldEvents } from "./event-table.ts";
import { standingRefs, verdictsOn } from "./explain-text.ts";
import { printPath, printSource } from "./place.ts";

export function jsonReport(
  clusters: readonly ClusterResult[],
  options: Options,
  cwd: string,
): string {
  const report = {
    version: 1,
    command: options.command,
    clusters: clusters.map((cluster) => clusterReport(cluster, options, cwd)),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function clusterReport(cluster: ClusterResult, options: Options, cwd: string): unknown {
  const { environment, prediction, diagnostics, overlay } = cluster;
  const { command, object } = options;
  const isCheck = command === "check";
  return {
    folder: printPath(environment.id, cwd),
    ...(overlay !== undefined && { overlay }),
    profile: prediction.assumed.cluster.name,
    profileFrom: prediction.profileFrom,
    kubernetesVersion: prediction.scenario.version,
    ...(prediction.limit !== undefined && { limit: prediction.limit }),
    diagnostics: diagnostics.map((diagnostic) => diagnosticReport(cluster, diagnostic, cwd)),
    ...(!isCheck && {
      outcomes: verdictsOn(prediction, object).map((verdict) =>
        outcomeReport(cluster, verdict, cwd),
      ),
    }),
    ...(object !== undefined && {
      objects: standingRefs(prediction, object).map((ref) => objectReport(cluster, ref, cwd)),
    }),
    ...(command === "simulate" && {
      events: eventReports(cluster),
      nodes: prediction.machines.filter(({ mounts }) => mounts.length > 0),
    }),
  };
}

function diagnosticReport(
  { service }: ClusterResult,
  diagnostic: Diagnostic,
  cwd: string,
): unknown {
  const place = (uri: string, start: number, end: number): unknown => {
    const file = service.file(uri);
    const lines = file === undefined ? undefined : linesOf(file.manifest);
    return { path: printPath(uri, cwd), range: lines?.rangeOf({ start, end }) };
  };
  const { uri, start, end, severity, code, message, related } = diagnostic;
  return {
    ...(place(uri, start, end) as object),
    severity,
    code,
    message,
    ...(related !== undefined && {
      related: related.map((other) => ({
        ...(place(other.uri, other.start, other.end) as object),
        message: other.message,
      })),
    }),
  };
}

function outcomeReport({ prediction }: ClusterResult, verdict: Verdict, cwd: string): unknown {
  const { ref, kind, headline, reason, message, root, chain, candidates, candidateCount, fixes } =
    verdict;
  const { withinMs } = verdict;
  const at = root === undefined ? undefined : printSource(prediction, root.ref, root.field, cwd);
  return {
    object: ref,
    outcome: kind,
    headline,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(withinMs !== undefined && { withinSeconds: Math.ceil(withinMs / 1000) }),
    ...(root !== undefined && {
      cause: {
        object: root.ref,
        ...(root.field !== undefined && { field: root.field }),
        ...(at !== undefined && { at }),
      },
    }),
    chain: chain.map((link) => ({ object: link.ref, text: link.text })),
    ...(candidateCount > 0 && {
      candidateCount,
      candidates: candidates.map((candidate) => ({
        object: candidate.ref,
        failed: candidate.failed,
      })),
    }),
    fixes: fixes.map((fix) => ({
      text: fix.text,
      ...(fix.at !== undefined && {
        object: fix.at.ref,
        ...(fix.at.field !== undefined && { field: fix.at.field }),
      }),
      ...(fix.value !== undefined && { value: fix.value }),
    })),
  };
}

function objectReport({ prediction }: ClusterResult, ref: Ref, cwd: string): unknown {
  const [own, ...behind] = causalChain(prediction.facts, ref);
  const at = printSource(prediction, ref, undefined, cwd);
  return {
    object: ref,
    text: own?.text ?? "",
    ...(at !== undefined && { at }),
    chain: behind.map((step) => ({ object: step.ref, text: step.text })),
  };
}

function eventReports(cluster: ClusterResult): readonly unknown[] {
  return toldEvents(cluster).map(({ entry, firstAt }) => ({
    firstAtMs: firstAt,
    lastAtMs: entry.at,
    count: entry.count,
    type: entry.eventType,
    reason: entry.reason,
    source: entry.source,
    object: entry.about,
    message: entry.message,
  }));
}
