/**
 * The templates of a release's charts, each with the data it is executed with. Upstream: pkg/engine/engine.go recAllTpls,
 * sortTemplates.
 */
import { compareText } from "../../../engine/api/go/text-order.ts";
import type { TemplateSource } from "../go-template/rendered-text.ts";
import { typed } from "../go-template/type-name.ts";
import {
  type GoFunction,
  type GoMap,
  type GoObject,
  type GoValue,
  isGoMap,
} from "../go-template/values.ts";
import { type Chart, type ChartFile, isLibrary } from "./chart.ts";
import { chartFiles } from "./chart-files.ts";
import { goValueOf } from "./go-value-of.ts";
import type { ReleaseChart } from "./release-charts.ts";
import { valueBelow } from "./value-below.ts";
import type { ValuesOwners } from "./value-places.ts";

export interface ChartTemplate {
  readonly source: TemplateSource;
  readonly basePath: string;
  /** Shared by the templates of one chart, which may change it. */
  readonly data: GoMap;
}

export interface ChartTemplates {
  /** In the order in which they are parsed and executed: the last of several definitions of a name wins. */
  readonly templates: readonly ChartTemplate[];
  readonly owners: ValuesOwners;
}

export interface TopLevel {
  readonly values: GoMap;
  readonly release: GoMap;
  readonly capabilities: GoObject;
  readonly toYaml: GoFunction;
}

export function chartTemplates(root: ReleaseChart, top: TopLevel): ChartTemplates {
  const templates = new Map<string, ChartTemplate>();
  const owners = new Map<GoMap, readonly ReleaseChart[]>();
  const walk = (charts: readonly ReleaseChart[], own: ReleaseChart, values: GoMap): GoMap => {
    const subcharts: GoMap = new Map();
    const data = dataOf(own, charts.length === 0, top, values, subcharts);
    const line = [...charts, own];
    owners.set(values, line);
    for (const subchart of own.subcharts) {
      const below = valueBelow(values, subchart.name.split("."));
      const ofSubchart = isGoMap(below) ? below : new Map();
      subcharts.set(subchart.name, walk(line, subchart, ofSubchart));
    }
    for (const template of templatesOf(own.chart, pathOf(line), data))
      templates.set(template.source.name, template);
    return data;
  };
  walk([], root, typed(top.values, "common.Values"));
  return { templates: [...templates.values()].sort(compareTemplates), owners };
}

function templatesOf(chart: Chart, path: string, data: GoMap): readonly ChartTemplate[] {
  return chart.templates
    .filter(({ name }) => !isLibrary(chart) || isPartial(name))
    .map(({ name, file }) => ({
      source: sourceOf(`${path}/${name}`, file),
      basePath: `${path}/templates`,
      data,
    }));
}

/** Returns the same source for the same file, because parsed templates are cached by it. */
function sourceOf(name: string, file: ChartFile): TemplateSource {
  const ofFile = sources.get(file) ?? new Map<string, TemplateSource>();
  sources.set(file, ofFile);
  const source = ofFile.get(name) ?? { name, uri: file.uri, text: file.text };
  ofFile.set(name, source);
  return source;
}

const sources = new WeakMap<ChartFile, Map<string, TemplateSource>>();

/** True for files that only contain definitions and are not executed. */
export function isPartial(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1).startsWith("_");
}

export function pathOf(charts: readonly ReleaseChart[]): string {
  return charts.map(({ name }) => name).join("/charts/");
}

/** The most deeply nested come first. */
function compareTemplates({ source: a }: ChartTemplate, { source: b }: ChartTemplate): number {
  return depthOf(b.name) - depthOf(a.name) || compareText(b.name, a.name);
}

function depthOf(name: string): number {
  return name.split("/").length;
}

function dataOf(
  own: ReleaseChart,
  isRoot: boolean,
  { release, capabilities, toYaml }: TopLevel,
  values: GoMap,
  subcharts: GoMap,
): GoMap {
  return new Map<string, GoValue>([
    ["Chart", chartMap(own, isRoot)],
    ["Files", chartFiles(own.chart.files, toYaml)],
    ["Release", release],
    ["Capabilities", capabilities],
    ["Values", values],
    ["Subcharts", subcharts],
  ]);
}

/** Upstream: pkg/chart/common.go structToMap. */
function chartMap({ chart, name, dependencies }: ReleaseChart, isRoot: boolean): GoMap {
  const { apiVersion, version, type, kubeVersion, others } = chart.metadata;
  const dependencyMaps = (dependencies ?? []).map(
    (dependency): GoMap =>
      new Map<string, GoValue>([
        ["Name", dependency.name],
        ["Version", dependency.version],
        ["Repository", dependency.repository],
        ["Condition", dependency.condition],
        ["Tags", dependency.tags],
        ["Enabled", true],
        ["ImportValues", dependency.importValues.map((each) => new Map(Object.entries(each)))],
        ["Alias", dependency.alias],
      ]),
  );
  return new Map<string, GoValue>([
    ...[...others].map(([key, value]) => [key, goValueOf(value)] as const),
    ["APIVersion", apiVersion],
    ["Name", name],
    ["Version", version],
    ["Type", type],
    ["KubeVersion", kubeVersion],
    ["Dependencies", dependencyMaps],
    ["IsRoot", isRoot],
  ]);
}
