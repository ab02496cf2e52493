/** Files with values for a chart beside its own: claimcheck.yaml says with which of them it is judged. */
import { isRecord } from "../../yaml/manifest.ts";
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type { Environment } from "../environment.ts";
import { isBelow, parentUri } from "../files/uri.ts";
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

/** Of a file in no chart's folder, which may be for charts that the files do not have. */
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

/** Lenses and actions ask again with each look at a file, and most files are as they were. */
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
