/** A chart as its folder holds it, before a release chooses values. Upstream: helm.sh/helm/v4 pkg/chart/v2 (v4.1). */
import type { Json } from "../../../engine/api/json.ts";
import type { Span } from "../../yaml/place.ts";
import type { Lack } from "../go-template/evaluation.ts";
import type { GoMap } from "../go-template/values.ts";

/** Any file of a chart. Of a packed subchart (`charts/x-1.2.3.tgz`) the text has what it holds (`archive/packed-chart.ts`). */
export interface ChartFile {
  readonly uri: string;
  readonly text: string;
}

export interface NamedFile {
  /** From the chart's folder: `templates/claim.yaml`. */
  readonly name: string;
  readonly file: ChartFile;
}

export type ChartProblemCode =
  /** Chart.yaml, requirements.yaml or the files of the chart. */
  | "chart"
  /** A chart that is declared, but not there. */
  | "dependency"
  | "values"
  /** The values do not meet what the chart asks of them. */
  | "schema"
  /** Values that no template reads. */
  | "unread"
  | "template"
  /** What a template was rendered to is no YAML. */
  | "manifest"
  | "limit";

/** Offsets in a file. */
export interface Place extends Span {
  readonly uri: string;
}

export interface ChartProblem extends Place {
  readonly code: ChartProblemCode;
  /** In Helm's words, where it has some. */
  readonly message: string;
  /** Of an error Helm renders nothing. */
  readonly severity: "error" | "warning";
  /** The chart itself refuses the values for want of one, or a template goes into what they lack. */
  readonly lacks?: Lack;
  /** What somebody has meant by the name at the place. */
  readonly meant?: string;
}

/** More than anybody mends before the rest is told. */
export const problemCountMax = 100;

/** So many of a file's, and of these the errors first: of such Helm renders nothing. */
export function mostPressing(problems: readonly ChartProblem[]): readonly ChartProblem[] {
  if (problems.length <= problemCountMax) return problems;
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity === "warning");
  return [...errors, ...warnings].slice(0, problemCountMax);
}

/** What `import-values` takes over from a subchart. */
export interface ImportedValues {
  readonly child: string;
  /** `.` for the top of the parent's values. */
  readonly parent: string;
}

export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  /** Empty where there is none. */
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
  /** Undefined where there is no such list, which is not the same as an empty one: Helm then takes all charts as they are. */
  readonly dependencies: readonly Dependency[] | undefined;
  /** The other fields by the names that templates know them by: `.Chart.AppVersion`. */
  readonly others: ReadonlyMap<string, Json>;
  /** Of a key of Chart.yaml, or of its beginning where it lacks the key. */
  placeOf(key: string): Place;
}

/** What is shown in place of a chart's files: they are in an archive, or belong to another cluster than the chart that they are a part of. */
export interface StandIn {
  /** `db-1.2.3.tgz`, `file://../db`. */
  readonly from: string;
  /** The dependency of the chart that has it, or that chart's name. */
  readonly place: Place;
  /** That the place is in. */
  readonly file: ChartFile;
}

export interface Chart {
  /** Of a packed chart, the archive's, below which its files are. */
  readonly folderUri: string;
  readonly metadata: ChartMetadata;
  /** Its values.yaml. Not to be changed. */
  readonly values: GoMap;
  readonly valuesFile: ChartFile | undefined;
  /** Its values.schema.json. */
  readonly schemaFile: ChartFile | undefined;
  readonly templates: readonly NamedFile[];
  /** What is neither a template nor a subchart nor read otherwise: `.Files`, and with them `crds/`. */
  readonly files: readonly NamedFile[];
  readonly subcharts: readonly Chart[];
  /** Names of archives in `charts/` that cannot be read. */
  readonly unread: readonly string[];
  /** Present where nobody can be led into its files. */
  readonly standIn?: StandIn;
  /** Those of its subcharts included. */
  readonly problems: readonly ChartProblem[];
}

/** Files under `charts/` within `charts/`, and so on; deeper ones are not read. */
export const chartDepthMax = 10;
export const chartFileCountMax = 20_000;

export function isLibrary(chart: Chart): boolean {
  return chart.metadata.type.toLowerCase() === "library";
}
