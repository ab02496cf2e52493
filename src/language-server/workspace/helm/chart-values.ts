/** Files with values for a chart beside its own: claimcheck.yaml says with which of them it is judged. */
import { isRecord } from "../../yaml/manifest.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type { Environment } from "../environment.ts";
import { isBelow, parentUri } from "../uri.ts";
import type { WorkspaceFile } from "../workspace-object.ts";
import type { ChartRelease } from "./chart-releases.ts";

/** By its name: `values-production.yaml`, `production-values.yaml`, `values/production.yaml`. */
export function isValuesFile(uri: string): boolean {
  return /\/(?:values[^/]*|[^/]*[.-]values|values\/[^/]+)\.ya?ml$/.test(uri);
}

export interface OtherValues {
  readonly uri: string;
  /** Of the chart that they are for, and that is judged with others. */
  readonly release: ChartRelease;
}

/**
 * Those in a chart's folder or beside files that the chart is judged with, and elsewhere those of which one chart alone has all
 * keys; of a chart that is installed several times none.
 */
export function otherValues({ files, charts }: Environment): readonly OtherValues[] {
  const { installed } = charts;
  const once = installed.filter(
    ({ folder }) => installed.filter((other) => other.folder === folder).length === 1,
  );
  if (once.length === 0) return [];
  return files.flatMap((file) => {
    const { uri } = file;
    if (!isValuesFile(uri)) return [];
    const release = once.find((one) => isForRelease(uri, one)) ?? releaseByKeys(file, once, files);
    return release === undefined ? [] : [{ uri, release }];
  });
}

function isForRelease(uri: string, { folder, values }: ChartRelease): boolean {
  if (values.includes(uri)) return false;
  if (!isBelow(uri, folder)) return values.some((named) => parentUri(named) === parentUri(uri));
  return !/^(?:values\.yaml$|templates\/|crds\/|charts\/)/.test(uri.slice(folder.length + 1));
}

/** Of a file in no chart's folder, which may be for charts that the files do not have. */
function releaseByKeys(
  { uri, manifest }: WorkspaceFile,
  releases: readonly ChartRelease[],
  files: readonly WorkspaceFile[],
): ChartRelease | undefined {
  if (releases.some(({ folder, values }) => values.includes(uri) || isBelow(uri, folder)))
    return undefined;
  const keys = keysIn(manifest.text);
  const [found, ...more] = releases.filter(({ folder }) => {
    const own = files.find((file) => file.uri === `${folder}/values.yaml`);
    const known = new Set(keysIn(own?.manifest.text ?? ""));
    return keys.length > 0 && keys.every((key) => known.has(key));
  });
  return more.length === 0 ? found : undefined;
}

function keysIn(text: string): readonly string[] {
  const { value } = readYamlDocument(text);
  return isRecord(value) ? Object.keys(value) : [];
}
