/** A chart as its folder contains it, before a release chooses values. Upstream: helm.sh/helm/v4 pkg/chart/v2 (v4.1). */
import type { Json } from "../../../engine/api/json.ts";
import type { Span } from "../../yaml/place.ts";
import type { Lack } from "../go-template/evaluation.ts";
import type { GoMap } from "../go-template/values.ts";

/** Any file of a chart. The text of a packed subchart (`charts/x-1.2.3.tgz`) holds its files (`archive/packed-chart.ts`). */
export interface ChartFile {
  readonly uri: string;
  readonly text: string;
}

export interface NamedFile {
  /** Relative to the chart's folder: `templates/claim.yaml`. */
  readonly name: string;
  readonly file: ChartFile;
}

export type ChartProblemCode =
  /** Chart.yaml, requirements.yaml or the files of the chart. */
  | "chart"
  /** A declared chart is missing. */
  | "dependency"
  | "values"
  /** The values do not match the chart's schema. */
  | "schema"
  /** Values that no template reads. */
  | "unread"
  | "template"
  /** The output of a template is not valid YAML. */
  | "manifest"
  | "limit";

/** Offsets in a file. */
export interface Place extends Span {
  readonly uri: string;
}

export interface ChartProblem extends Place {
  readonly code: ChartProblemCode;
  /** In Helm's words, where it has any. */
  readonly message: string;
  /** Helm renders nothing if there is an error. */
  readonly severity: "error" | "warning";
  /** What the values lack, if the chart itself refuses them for that, or a template accesses a field of it. */
  readonly lacks?: Lack;
  /** The name that was probably meant. */
  readonly meant?: string;
}

/** More than anybody fixes at once. */
export const problemCountMax = 100;

/** Limits the problems of a file. Errors come first, because they keep Helm from rendering anything. */
export function mostPressing(problems: readonly ChartProblem[]): readonly ChartProblem[] {
  if (problems.length <= problemCountMax) return problems;
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity === "warning");
  return [...errors, ...warnings].slice(0, problemCountMax);
}

/** Values that `import-values` copies from a subchart. */
export interface ImportedValues {
  readonly child: string;
  /** `.` for the top level of the parent's values. */
  readonly parent: string;
}

export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  /** Empty if there is none. */
  readonly alias: string;
  readonly importValues: readonly ImportedValues[];
  readonly place: Place;
}

export interface ChartMetadata {
  readonly apiVersion: string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly kubeVersion: string;
  /** Undefined if there is no such list, which differs from an empty one: Helm then enables all subcharts. */
  readonly dependencies: readonly Dependency[] | undefined;
  /** Other fields, by their names in templates: `.Chart.AppVersion`. */
  readonly others: ReadonlyMap<string, Json>;
  /** The place of a key in Chart.yaml; its beginning if the key is missing. */
  placeOf(key: string): Place;
}

/** A place to show instead of a chart's files, if these are in an archive or belong to another cluster. */
export interface StandIn {
  /** For example `db-1.2.3.tgz` or `file://../db`. */
  readonly from: string;
  /** The dependency in the parent chart, or that chart's name. */
  readonly place: Place;
  /** The file that contains the place. */
  readonly file: ChartFile;
}

export interface Chart {
  /** For a packed chart, the archive's URI, below which its files are. */
  readonly folderUri: string;
  readonly metadata: ChartMetadata;
  /** Its values.yaml. Must not be changed. */
  readonly values: GoMap;
  readonly valuesFile: ChartFile | undefined;
  /** Its values.schema.json. */
  readonly schemaFile: ChartFile | undefined;
  readonly templates: readonly NamedFile[];
  /** All files that are not templates, subcharts or otherwise read: `.Files`, and also `crds/`. */
  readonly files: readonly NamedFile[];
  readonly subcharts: readonly Chart[];
  /** Names of archives in `charts/` that cannot be read. */
  readonly unread: readonly string[];
  /** Set if its files cannot be opened. */
  readonly standIn?: StandIn;
  /** Includes those of its subcharts. */
  readonly problems: readonly ChartProblem[];
}

/** Levels of charts within `charts/`; deeper ones are not read. */
export const chartDepthMax = 10;
export const chartFileCountMax = 20_000;

export function isLibrary(chart: Chart): boolean {
  return chart.metadata.type.toLowerCase() === "library";
}
