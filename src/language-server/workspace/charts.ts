/**
 * What Helm would install from the charts among an environment's files. Templates contain no objects of their own: each object
 * here is one that a template has rendered, and its fields are located there.
 */
import { push } from "../../engine/api/go/multi-map.ts";
import type { ChartProblem } from "../helm/chart/chart.ts";
import type { ProjectProblem } from "../project/project-file.ts";
import { type ChartRelease, type ChartScene, chartReleases } from "./helm/chart-releases.ts";
import { type RenderedRelease, renderedRelease } from "./helm/rendered-release.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

export interface Charts {
  /** URIs of all files that matter: an edit of one may change what others render to. */
  readonly sources: ReadonlySet<string>;
  /** All releases in order, including those without objects. */
  readonly installed: readonly ChartRelease[];
  /** Only the releases that have objects. */
  readonly releases: readonly ChartRelease[];
  /** In the order in which they reach the cluster. */
  readonly objects: readonly WorkspaceObject[];
  /** True if they contain everything that Helm would render. */
  readonly isWhole: boolean;
  readonly problems: readonly RenderProblem[];
  /** Problems of the charts that the project file names. */
  readonly projectProblems: readonly ProjectProblem[];
  /** Objects of which at least a part comes from the file. */
  renderedIn(uri: string): readonly WorkspaceObject[];
  /** An object of an earlier state as it is now; undefined if it no longer exists. */
  present(entry: WorkspaceObject): WorkspaceObject | undefined;
}

/** If no values were given for a chart, what only its own values lack is reported as an information. */
export interface RenderProblem extends Omit<ChartProblem, "code" | "severity" | "lacks"> {
  readonly severity: "error" | "warning" | "information";
  /** The value is not read by any template; rendering is not affected. */
  readonly isUnread?: true;
}

export const noCharts: Charts = {
  sources: new Set(),
  installed: [],
  releases: [],
  objects: [],
  isWhole: true,
  problems: [],
  projectProblems: [],
  renderedIn: () => [],
  present: () => undefined,
};

/** Renders the charts of an environment, again only those where something has changed. */
export class ChartRenderer {
  #rendered: readonly RenderedRelease[] = [];
  #charts: Charts = noCharts;

  /** The same object as before if nothing has changed. */
  chartsOf(scene: ChartScene): Charts {
    const { releases, problems } = chartReleases(scene);
    const before = this.#rendered;
    const now = releases.map((release) =>
      renderedRelease(
        release,
        scene,
        before.find((one) => isSameRelease(one.release, release)),
      ),
    );
    const isSame =
      now.length === before.length &&
      now.every((one, index) => one === before[index]) &&
      JSON.stringify(problems) === JSON.stringify(this.#charts.projectProblems);
    this.#rendered = now;
    if (!isSame) this.#charts = united(now, problems);
    return this.#charts;
  }
}

function isSameRelease(a: ChartRelease, b: ChartRelease): boolean {
  return a.folder === b.folder && a.name === b.name && a.namespace === b.namespace;
}

function united(
  rendered: readonly RenderedRelease[],
  projectProblems: readonly ProjectProblem[],
): Charts {
  // Objects are ordered by installation, not by file.
  const objects = rendered
    .flatMap((one) => one.objects)
    .map((entry, index) =>
      entry.documentIndex === index ? entry : { ...entry, documentIndex: index },
    );
  const byFile = new Map<string, WorkspaceObject[]>();
  const byName = new Map<string, WorkspaceObject>();
  for (const entry of objects) {
    for (const uri of entry.patched?.uris ?? []) push(byFile, uri, entry);
    byName.set(calledIn(entry), entry);
  }
  return {
    sources: new Set(rendered.flatMap(({ from }) => sourcesOf(from))),
    installed: rendered.map(({ release }) => release),
    releases: rendered.filter((one) => one.objects.length > 0).map(({ release }) => release),
    objects,
    isWhole: rendered.every(({ chart }) => chart.isWhole),
    problems: rendered.flatMap(({ chart, release }) =>
      chart.problems.map((problem) => asJudged(problem, release)),
    ),
    projectProblems,
    renderedIn: (uri) => byFile.get(uri) ?? [],
    present: (entry) => byName.get(calledIn(entry)),
  };
}

export function sourcesOf({ files, local }: RenderedRelease["from"]): readonly string[] {
  return [...files, ...local.flatMap((one) => one.files)].map(({ uri }) => uri);
}

/** Begins messages about values that other values files may set. */
export const ownValuesText = "With the chart's own values";

export function asJudged(
  { code, severity, lacks, ...problem }: ChartProblem,
  { isAssumed }: ChartRelease,
): RenderProblem {
  if (code === "unread") return { ...problem, severity, isUnread: true };
  if (!isAssumed) return { ...problem, severity };
  if (code === "dependency") return { ...problem, severity: "information" };
  // Other values may match the schema.
  if (lacks === undefined)
    return { ...problem, severity: code === "schema" ? "warning" : severity };
  const message = `${problem.message}. ${ownValuesText}; \`charts\` in claimcheck.yaml names files of others`;
  return { ...problem, message, severity: lacks === "value" ? "information" : "warning" };
}

/** A key by which an object of a chart is found again after rendering. */
export function calledIn({ file, object }: WorkspaceObject): string {
  const { kind, namespace, name } = object;
  return [file.uri, kind, namespace, name].join("\0");
}
