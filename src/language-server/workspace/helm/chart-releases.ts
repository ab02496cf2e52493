/** Which charts are installed into an environment, and how. */
import type { ValuesSource } from "../../helm/chart/given-values.ts";
import { releaseNameComplaint } from "../../helm/chart/release-name.ts";
import type { PlacesOf } from "../../helm/chart/value-places.ts";
import type { ProjectProblem, ProjectRelease } from "../../project/project-file.ts";
import { decoded, resolveUri } from "../files/uri.ts";
import type { HelmChartEntry, InlineValues } from "../kustomize/helm-charts.ts";
import type { WorkspaceFile } from "../workspace-object.ts";
import { chartFolders } from "./chart-folders.ts";

export interface ChartScene {
  /** URI of the folder that a project file's paths are relative to. */
  readonly folder: string;
  readonly files: readonly WorkspaceFile[];
  /** The releases that the project file names; if absent, each chart is installed once under its own name. */
  readonly releases: readonly ProjectRelease[] | undefined;
  /** For example `1.36`. */
  readonly version: string;
  /** Values for all releases; they override all others. */
  readonly values: readonly ValuesSource[];
  /** Folders of charts that kustomizations render, which are not installed as well. */
  readonly inflated?: ReadonlySet<string>;
  /** Finds folders in the whole workspace. */
  localFolder(folder: string): LocalFolder;
}

/** A folder that a chart may have as a dependency. */
export interface LocalFolder {
  /** As the workspace spells it. */
  readonly folder: string;
  /** Empty if there is no chart. */
  readonly files: readonly WorkspaceFile[];
  /** True if the files are in another environment. */
  readonly isElsewhere: boolean;
}

export interface ChartRelease {
  /** URI of the chart's folder. */
  readonly folder: string;
  /** "" for the chart's own name. */
  readonly name: string;
  readonly namespace: string;
  /** URIs of values files; later ones override earlier ones. */
  readonly values: readonly string[];
  readonly skipsSchemas: boolean;
  /** True if nobody has said how it is installed. */
  readonly isAssumed: boolean;
  /** Set if a kustomization renders the chart, in which case it is not installed. */
  readonly inflation?: Inflation;
}

/** How `helm template` renders a chart for a kustomization. */
export interface Inflation
  extends Pick<
    HelmChartEntry,
    "includesDefinitions" | "skipsHooks" | "skipsTests" | "kubeVersion" | "apiVersions"
  > {
  /** URI of the kustomization, or of a separate generator file. */
  readonly by: string;
  /** Values that are written there. */
  readonly inline: (Omit<InlineValues, "path"> & { readonly placesOf: PlacesOf }) | undefined;
}

export interface ChartReleases {
  readonly releases: readonly ChartRelease[];
  /** Problems of the releases that the project file names. */
  readonly problems: readonly ProjectProblem[];
}

export function chartReleases(scene: ChartScene): ChartReleases {
  const { folder, files, releases, values, inflated } = scene;
  const roots = chartFolders(files.map(({ uri }) => uri));
  if (releases === undefined) {
    const assumed = {
      ...{ name: "", namespace: "default", values: [], skipsSchemas: false },
      isAssumed: values.length === 0,
    };
    const installed = roots.filter((root) => inflated?.has(decoded(root)) !== true);
    return { releases: installed.map((root) => ({ folder: root, ...assumed })), problems: [] };
  }
  const problems: ProjectProblem[] = [];
  const inFiles = new Map(files.map(({ uri }) => [decoded(uri), uri]));
  const found = releases.flatMap((release) => {
    const { chart, name, namespace, values: named, skipSchemaValidation, path } = release;
    const at = decoded(resolveUri(folder, chart));
    const root = roots.find((one) => decoded(one) === at);
    if (root === undefined) {
      const message = `“${chart}” is no folder with a Chart.yaml in this cluster`;
      problems.push({ path: [...path, "chart"], message });
    }
    const uris = named.flatMap((file) => {
      const uri = inFiles.get(decoded(resolveUri(folder, file)));
      if (uri !== undefined) return [uri];
      const message = `“${file}” is not among the files of this cluster`;
      problems.push({ path: [...path, "values"], message });
      return [];
    });
    const complaint = name === "" ? undefined : releaseNameComplaint(name);
    if (complaint !== undefined) problems.push({ path: [...path, "name"], message: complaint });
    if (root === undefined) return [];
    const skipsSchemas = skipSchemaValidation;
    return [{ folder: root, name, namespace, values: uris, skipsSchemas, isAssumed: false }];
  });
  return { releases: found, problems };
}
