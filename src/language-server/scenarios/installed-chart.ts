/** Objects of a `helm` step: what `helm install` makes of the chart in a folder. Upstream: pkg/action/install.go. */
import type { KubernetesVersion, Manifest } from "../../engine/scenario.ts";
import { releaseNameComplaint } from "../helm/chart/release-name.ts";
import { type ProjectRelease, projectFileName } from "../project/project-file.ts";
import type { Environment } from "../workspace/environment.ts";
import { decoded, isBelow, pathOf, relativePath, resolveUri } from "../workspace/files/uri.ts";
import { chartFileName, chartFolders } from "../workspace/helm/chart-folders.ts";
import type { LocalFolder } from "../workspace/helm/chart-releases.ts";
import { localFolderAmong } from "../workspace/helm/local-folders.ts";
import { renderedRelease } from "../workspace/helm/rendered-release.ts";

export type ScenarioRelease = Omit<ProjectRelease, "path">;

/** The objects in Helm's order, or a text with the reason why Helm would send nothing. Paths are relative to the folder. */
export function installedChart(
  { chart, name, namespace, values, skipSchemaValidation }: ScenarioRelease,
  folder: string,
  environment: Pick<Environment, "id" | "files">,
  version: KubernetesVersion,
): readonly Manifest[] | string {
  const { files } = environment;
  const known = new Map(files.map(({ uri }) => [decoded(uri), uri]));
  const chartFile = known.get(decoded(resolveUri(folder, `${chart}/${chartFileName}`)));
  if (chartFile === undefined) return absence(chart, resolveUri(folder, chart), environment);
  const found = values.map((file) => known.get(decoded(resolveUri(folder, file))));
  const missing = values.find((_, index) => found[index] === undefined);
  if (missing !== undefined) return `open ${missing}: no such file or directory`;
  const complaint = name === "" ? undefined : releaseNameComplaint(name);
  if (complaint !== undefined) return complaint;
  const release = {
    folder: chartFile.slice(0, -`/${chartFileName}`.length),
    name,
    namespace,
    values: found.flatMap((uri) => uri ?? []),
    skipsSchemas: skipSchemaValidation,
    isAssumed: false,
  };
  const localFolder = (asked: string): LocalFolder => localFolderAmong(files, asked);
  const scene = { folder, files, releases: undefined, version, values: [], localFolder };
  const { chart: rendered, objects } = renderedRelease(release, scene, undefined);
  const refusal = rendered.problems.find(({ severity }) => severity === "error");
  return refusal?.message ?? objects.map(({ object }) => object.value);
}

function absence(
  chart: string,
  uri: string,
  { id, files }: Pick<Environment, "id" | "files">,
): string {
  const at = decoded(uri);
  if (files.some((file) => isBelow(decoded(file.uri), at)))
    return `unable to detect chart at ${chart}: it has no ${chartFileName}`;
  const message = `path "${chart}" not found`;
  if (files.some((file) => file.uri === `${id}/${projectFileName}`)) return message;
  return `${message}; without a ${projectFileName} in a folder above both, a chart and what is beside it are different clusters`;
}

/** If the file is a template of a chart: the chart's path relative to the folder; else undefined. */
export function chartOfTemplate(
  uri: string,
  folder: string,
  { files }: Pick<Environment, "files">,
): string | undefined {
  const at = decoded(uri);
  const root = chartFolders(files.map((file) => file.uri)).find((one) => isBelow(at, decoded(one)));
  if (root === undefined) return undefined;
  const isTemplate = /^(?:charts\/[^/]+\/)*templates\//.test(at.slice(decoded(root).length + 1));
  return isTemplate ? relativePath(pathOf(folder), pathOf(root)) : undefined;
}
