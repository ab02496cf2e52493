/** Files with values for a chart beside its own: claimcheck.yaml says with which of them it is judged. */
import type { Environment } from "../environment.ts";
import { isBelow, parentUri } from "../uri.ts";
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

/** Those in a chart's folder or beside files that the chart is judged with; of a chart that is installed several times none. */
export function otherValues({ files, charts }: Environment): readonly OtherValues[] {
  const { installed } = charts;
  const once = installed.filter(
    ({ folder }) => installed.filter((other) => other.folder === folder).length === 1,
  );
  if (once.length === 0) return [];
  return files.flatMap(({ uri }) => {
    const release = isValuesFile(uri) ? once.find((one) => isForRelease(uri, one)) : undefined;
    return release === undefined ? [] : [{ uri, release }];
  });
}

function isForRelease(uri: string, { folder, values }: ChartRelease): boolean {
  if (values.includes(uri)) return false;
  if (!isBelow(uri, folder)) return values.some((named) => parentUri(named) === parentUri(uri));
  return !/^(?:values\.yaml$|templates\/|crds\/|charts\/)/.test(uri.slice(folder.length + 1));
}
