/** Additional values files for charts; claimcheck.yaml says which of them a chart is judged with. */
import { isRecord } from "../../yaml/manifest.ts";
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type { Environment } from "../environment.ts";
import { isBelow, parentUri } from "../files/uri.ts";
import type { WorkspaceFile } from "../workspace-object.ts";
import type { ChartRelease } from "./chart-releases.ts";

/** Recognized by name: `values-production.yaml`, `production-values.yaml`, `values/production.yaml`. */
export function isValuesFile(uri: string): boolean {
  return /\/(?:values[^/]*|[^/]*[.-]values|values\/[^/]+)\.ya?ml$/.test(uri);
}

export interface OtherValues {
  readonly uri: string;
  /** The release of the chart that the file is for, which is judged with other values. */
  readonly release: ChartRelease;
}

/**
 * Values files in a chart's folder or next to files that it is judged with, and elsewhere those whose keys exactly one chart
 * has. None for a chart that is installed several times.
 */
export function otherValues({ files, charts }: Environment): readonly OtherValues[] {
  const { installed } = charts;
  const once = installed.filter(
    ({ folder }) => installed.filter((other) => other.folder === folder).length === 1,
  );
  if (once.length === 0) return [];
  const manifests = new Map(files.map(({ uri, manifest }) => [uri, manifest]));
  const ownKeys = (release: ChartRelease): ReadonlySet<string> =>
    keysIn(manifests.get(`${release.folder}/values.yaml`));
  return files.flatMap((file) => {
    const { uri } = file;
    if (!isValuesFile(uri)) return [];
    const release =
      once.find((one) => isForRelease(uri, one)) ?? releaseByKeys(file, once, ownKeys);
    return release === undefined ? [] : [{ uri, release }];
  });
}

function isForRelease(uri: string, { folder, values }: ChartRelease): boolean {
  if (values.includes(uri)) return false;
  if (!isBelow(uri, folder)) return values.some((named) => parentUri(named) === parentUri(uri));
  return !/^(?:values\.yaml$|templates\/|crds\/|charts\/)/.test(uri.slice(folder.length + 1));
}

/** For a file outside all charts' folders, which may also be for a chart that is not in the workspace. */
function releaseByKeys(
  { uri, manifest }: WorkspaceFile,
  releases: readonly ChartRelease[],
  ownKeys: (release: ChartRelease) => ReadonlySet<string>,
): ChartRelease | undefined {
  if (releases.some(({ folder, values }) => values.includes(uri) || isBelow(uri, folder)))
    return undefined;
  const keys = keysIn(manifest);
  if (keys.size === 0) return undefined;
  const [found, ...more] = releases.filter((release) => {
    const known = ownKeys(release);
    return [...keys].every((key) => known.has(key));
  });
  return more.length === 0 ? found : undefined;
}

/** Cached, because lenses and actions ask for this on each look at a file, and most files have not changed. */
const keysOfFiles = new WeakMap<ManifestFile, ReadonlySet<string>>();

function keysIn(manifest: ManifestFile | undefined): ReadonlySet<string> {
  if (manifest === undefined) return noKeys;
  const known = keysOfFiles.get(manifest);
  if (known !== undefined) return known;
  const { value } = readYamlDocument(manifest.text);
  const keys = isRecord(value) ? new Set(Object.keys(value)) : noKeys;
  keysOfFiles.set(manifest, keys);
  return keys;
}

const noKeys: ReadonlySet<string> = new Set();
