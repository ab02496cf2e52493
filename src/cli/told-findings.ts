/** The findings of all clusters, each once: several overlays of the same files may have the same finding. */
import type { Diagnostic } from "../language-server/diagnostics/rule.ts";
import type { ClusterResult } from "./cluster-result.ts";

export interface ToldFinding {
  /** The first cluster that has the finding. */
  readonly cluster: ClusterResult;
  readonly diagnostic: Diagnostic;
  /** The overlays that have it; empty if all do. */
  readonly overlays: readonly string[];
}

/** By folder, sorted by place within each. */
export function toldFindings(clusters: readonly ClusterResult[]): readonly ToldFinding[] {
  const byFolder = new Map<string, ClusterResult[]>();
  for (const cluster of clusters) {
    const { id } = cluster.environment;
    byFolder.set(id, [...(byFolder.get(id) ?? []), cluster]);
  }
  return [...byFolder.values()].flatMap(([cluster, ...others]) => {
    if (cluster === undefined) return [];
    if (others.length > 0) return ofOverlays([cluster, ...others]);
    return cluster.diagnostics.map((diagnostic) => ({ cluster, diagnostic, overlays: [] }));
  });
}

function ofOverlays(clusters: readonly ClusterResult[]): readonly ToldFinding[] {
  const found = new Map<
    string,
    { cluster: ClusterResult; diagnostic: Diagnostic; in: Set<string> }
  >();
  for (const cluster of clusters)
    for (const diagnostic of cluster.diagnostics) {
      const { uri, start, end, code, message } = diagnostic;
      const key = JSON.stringify([uri, start, end, code, message]);
      const known = found.get(key) ?? { cluster, diagnostic, in: new Set() };
      known.in.add(cluster.overlay ?? "");
      found.set(key, known);
    }
  const told = [...found.values()].map(({ cluster, diagnostic, in: overlays }) => ({
    cluster,
    diagnostic,
    overlays: overlays.size === clusters.length ? [] : [...overlays],
  }));
  return told.sort(byPlace);
}

function byPlace({ diagnostic: a }: ToldFinding, { diagnostic: b }: ToldFinding): number {
  if (a.uri !== b.uri) return a.uri < b.uri ? -1 : 1;
  return a.start - b.start;
}

/** The message, with the overlays that have it unless all do. */
export function toldMessage({ diagnostic, overlays }: ToldFinding): string {
  const { message } = diagnostic;
  return overlays.length === 0 ? message : `${message}\nIn ${overlays.join("; ")}`;
}
