/** Charts that kustomizations have Helm render, and what is made of them in the end. */
import { releaseNameComplaint } from "../../helm/chart/release-name.ts";
import { push } from "../../multi-map.ts";
import { sameItems } from "../../same-items.ts";
import { type Charts, calledIn, sourcesOf } from "../charts.ts";
import type { HelmChartEntry } from "../kustomize/helm-charts.ts";
import type { Inflate, InflatedChart } from "../kustomize/inflated-chart.ts";
import type { Kustomized } from "../kustomize.ts";
import { decoded, parentUri, resolveUri } from "../uri.ts";
import type { WorkspaceObject } from "../workspace-object.ts";
import { chartFileName } from "./chart-folders.ts";
import type { ChartRelease, ChartScene } from "./chart-releases.ts";
import { type RenderedRelease, renderedRelease } from "./rendered-release.ts";

/** Each takes the time of its templates. */
const countMax = 200;
/** Of their templates together: forty times that of the largest charts that are known. */
const costMax = 40_000_000;

/** Renders a chart anew where something has changed that it is made of. */
export class ChartInflater {
  #before = new Map<string, RenderedRelease>();
  #rendered = new Map<string, RenderedRelease>();
  /** Of all together, which may be that of one. */
  #cost = 0;
  #joined: Joined | undefined;

  /** Forgets the charts that were not asked for since the last time. */
  begin(scene: Omit<ChartScene, "releases" | "inflated">): Inflate {
    this.#before = this.#rendered;
    this.#rendered = new Map();
    this.#cost = 0;
    let known: ReadonlyMap<string, string> | undefined;
    return (kustomization, entry) => {
      known ??= new Map(scene.files.map(({ uri }) => [decoded(uri), uri]));
      return this.#inflate(kustomization, entry, scene, known);
    };
  }

  #inflate(
    kustomization: string,
    entry: HelmChartEntry,
    scene: Omit<ChartScene, "releases" | "inflated">,
    known: ReadonlyMap<string, string>,
  ): InflatedChart | undefined {
    const key = [kustomization, ...entry.path].join("\0");
    const release = releaseOf(kustomization, entry, known);
    if (release === undefined) return undefined;
    const isTooMuch =
      !this.#rendered.has(key) && (this.#rendered.size >= countMax || this.#cost > costMax);
    if (isTooMuch) return { objects: [], isWhole: false, isLeftOut: true };
    const refusal = releaseNameComplaint(release.name);
    if (refusal !== undefined) return { objects: [], isWhole: false, refusal };
    const before = this.#rendered.get(key) ?? this.#before.get(key);
    const rendered = renderedRelease(release, { ...scene, releases: [] }, before);
    if (!this.#rendered.has(key)) this.#cost += rendered.chart.cost;
    this.#rendered.set(key, rendered);
    return { objects: rendered.objects, isWhole: rendered.chart.isWhole };
  }

  /** Why Helm makes nothing, so that kustomize makes nothing either. */
  get refusal(): string | undefined {
    const problems = [...this.#rendered.values()].flatMap(({ chart }) => chart.problems);
    return problems.find(({ severity }) => severity === "error")?.message;
  }

  /** With what is installed by itself; the same as before where nothing has changed. */
  joined(charts: Charts, { built }: Pick<Kustomized, "built">): Charts {
    const rendered = [...this.#rendered.values()];
    if (rendered.length === 0) return charts;
    const objects = rendered.flatMap((one) => one.objects).flatMap(built);
    const last = this.#joined;
    const isSame =
      last?.charts === charts &&
      sameItems(last.rendered, rendered) &&
      sameItems(last.objects, objects);
    this.#joined = isSame
      ? last
      : { charts, rendered, objects, now: united(charts, rendered, objects) };
    return this.#joined.now;
  }
}

interface Joined {
  readonly charts: Charts;
  readonly rendered: readonly RenderedRelease[];
  readonly objects: readonly WorkspaceObject[];
  readonly now: Charts;
}

function united(
  charts: Charts,
  rendered: readonly RenderedRelease[],
  objects: readonly WorkspaceObject[],
): Charts {
  const byFile = new Map<string, WorkspaceObject[]>();
  const byName = new Map<string, WorkspaceObject>();
  for (const entry of objects) {
    for (const uri of entry.patched?.uris ?? []) push(byFile, uri, entry);
    byName.set(calledIn(entry), entry);
  }
  const sources = rendered.flatMap(({ release, from }) => [
    ...sourcesOf(from),
    ...(release.inflation === undefined ? [] : [release.inflation.by]),
  ]);
  const problems = rendered.flatMap(({ chart }) => chart.problems);
  return {
    ...charts,
    sources: new Set([...charts.sources, ...sources]),
    objects: [...charts.objects, ...objects],
    isWhole: charts.isWhole && rendered.every(({ chart }) => chart.isWhole),
    problems: [
      ...charts.problems,
      ...problems.map(({ code: _, isDemanded: __, ...problem }) => problem),
    ],
    renderedIn: (uri) => [...charts.renderedIn(uri), ...(byFile.get(uri) ?? [])],
    present: (entry) => charts.present(entry) ?? byName.get(calledIn(entry)),
  };
}

function releaseOf(
  kustomization: string,
  entry: HelmChartEntry,
  known: ReadonlyMap<string, string>,
): ChartRelease | undefined {
  const find = (path: string): string | undefined =>
    known.get(decoded(resolveUri(parentUri(kustomization), path)));
  const chartFile = find(`${entry.folder}/${chartFileName}`);
  if (chartFile === undefined) return undefined;
  const { includesDefinitions, skipsHooks, skipsTests, kubeVersion, apiVersions, inline } = entry;
  const values = [entry.valuesFile, ...entry.additionalValuesFiles];
  return {
    folder: parentUri(chartFile),
    name: entry.releaseName,
    namespace: entry.namespace,
    values: values.flatMap((path) => find(path) ?? []),
    skipsSchemas: false,
    isAssumed: false,
    inflation: {
      ...{ includesDefinitions, skipsHooks, skipsTests, kubeVersion, apiVersions, inline },
      by: kustomization,
    },
  };
}
