/** Renders charts for kustomizations, and collects what is finally made of them. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { releaseNameOf } from "../../helm/chart/release-name.ts";
import type { FilePlace, PlacesOf } from "../../helm/chart/value-places.ts";
import { sameItems } from "../../same-items.ts";
import { locate } from "../../yaml/locate.ts";
import type { Path } from "../../yaml/place.ts";
import { asJudged, type Charts, calledIn, sourcesOf } from "../charts.ts";
import { decoded, parentUri, resolveUri } from "../files/uri.ts";
import type { EntryPlace } from "../kustomize/entry-place.ts";
import type { HelmChartEntry } from "../kustomize/helm-charts.ts";
import type { Inflate, InflatedChart } from "../kustomize/inflated-chart.ts";
import { placeIn, type Written } from "../kustomize/written.ts";
import type { Kustomized } from "../kustomize.ts";
import type { WorkspaceObject } from "../workspace-object.ts";
import { chartFileName } from "./chart-folders.ts";
import type { ChartRelease, ChartScene } from "./chart-releases.ts";
import { type RenderedRelease, renderedRelease } from "./rendered-release.ts";

/** Limits the number of charts, each of which takes time to render. */
const countMax = 200;
/** Limits the cost of all their templates: forty times that of the largest known charts. */
const costMax = 40_000_000;

/** Renders a chart again only if something that it is made from has changed. */
export class ChartInflater {
  #before = new Map<string, RenderedRelease>();
  #rendered = new Map<string, RenderedRelease>();
  /** Cost of all charts together; a single one may use it up. */
  #cost = 0;
  #joined: Joined | undefined;

  /** Starts a build; forgets charts that the previous build did not ask for. */
  begin(scene: Omit<ChartScene, "releases" | "inflated">): Inflate {
    this.#before = this.#rendered;
    this.#rendered = new Map();
    this.#cost = 0;
    let known: ReadonlyMap<string, string> | undefined;
    return (place, entry) => {
      known ??= new Map(scene.files.map(({ uri }) => [decoded(uri), uri]));
      return this.#inflate(place, entry, scene, known);
    };
  }

  #inflate(
    place: EntryPlace,
    entry: HelmChartEntry,
    scene: Omit<ChartScene, "releases" | "inflated">,
    known: ReadonlyMap<string, string>,
  ): InflatedChart | undefined {
    const folder = chartFolder(place, entry, known);
    if (folder === undefined) return undefined;
    const { file, inFile } = place.whole.text;
    // One file may contain several generators.
    const { start } = inFile({ start: 0, end: 0 });
    const key = [place.folder, file.uri, start, ...entry.path].join("\0");
    const isTooMuch =
      !this.#rendered.has(key) && (this.#rendered.size >= countMax || this.#cost > costMax);
    if (isTooMuch) return { objects: [], isWhole: false, isLeftOut: true };
    const name = releaseNameOf({ name: entry.releaseName, template: entry.nameTemplate });
    if (typeof name !== "string") return { objects: [], isWhole: false, refusal: name.refusal };
    const release = { ...releaseOf(place, entry, known), folder, name };
    const before = this.#rendered.get(key) ?? this.#before.get(key);
    const rendered = renderedRelease(release, { ...scene, releases: [] }, before);
    if (!this.#rendered.has(key)) this.#cost += rendered.chart.cost;
    this.#rendered.set(key, rendered);
    return { objects: rendered.objects, isWhole: rendered.chart.isWhole };
  }

  /** Why Helm renders nothing, in which case kustomize builds nothing either. */
  get refusal(): string | undefined {
    const problems = [...this.#rendered.values()].flatMap(({ chart }) => chart.problems);
    return problems.find(({ severity }) => severity === "error")?.message;
  }

  /** Adds the installed charts; the same object as before if nothing has changed. */
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
  return {
    ...charts,
    sources: new Set([...charts.sources, ...sources]),
    objects: [...charts.objects, ...objects],
    isWhole: charts.isWhole && rendered.every(({ chart }) => chart.isWhole),
    problems: [
      ...charts.problems,
      ...rendered.flatMap(({ chart, release }) =>
        chart.problems.map((problem) => asJudged(problem, release)),
      ),
    ],
    renderedIn: (uri) => [...charts.renderedIn(uri), ...(byFile.get(uri) ?? [])],
    present: (entry) => charts.present(entry) ?? byName.get(calledIn(entry)),
  };
}

/** URI of the chart's folder; undefined if there is no such chart. */
function chartFolder(
  { folder }: EntryPlace,
  entry: HelmChartEntry,
  known: ReadonlyMap<string, string>,
): string | undefined {
  const file = known.get(decoded(resolveUri(folder, `${entry.folder}/${chartFileName}`)));
  return file === undefined ? undefined : parentUri(file);
}

function releaseOf(
  place: EntryPlace,
  entry: HelmChartEntry,
  known: ReadonlyMap<string, string>,
): Omit<ChartRelease, "folder" | "name"> {
  const { includesDefinitions, skipsHooks, skipsTests, kubeVersion, apiVersions, inline } = entry;
  const values = [entry.valuesFile, ...entry.additionalValuesFiles];
  return {
    namespace: entry.namespace,
    values: values.flatMap((path) => known.get(decoded(resolveUri(place.folder, path))) ?? []),
    skipsSchemas: false,
    isAssumed: false,
    inflation: {
      ...{ includesDefinitions, skipsHooks, skipsTests, kubeVersion, apiVersions },
      by: place.whole.text.file.uri,
      inline: inline && {
        ...{ value: inline.value, merge: inline.merge },
        placesOf: placesBelow(place.whole, inline.path),
      },
    },
  };
}

function placesBelow(whole: Written, at: Path): PlacesOf {
  return (path) => {
    const { text, path: written } = placeIn(whole, [...at, ...path]);
    const { depth, value, key } = locate(text.yaml, written);
    if (depth < written.length) return [];
    const place: FilePlace = { uri: text.file.uri, ...text.inFile(value) };
    return [key === undefined ? place : { ...place, key: text.inFile(key) }];
  };
}
