/** Items for fields that name a chart or a values file. */
import type { Environment } from "../workspace/environment.ts";
import { pathOf, relativePath } from "../workspace/files/uri.ts";
import { chartFolders } from "../workspace/helm/chart-folders.ts";
import { isValuesFile } from "../workspace/helm/chart-values.ts";
import { type Item, valueItem } from "./item.ts";

/** Folders with a chart, by their paths relative to `folder`. */
export function chartItems({ files }: Environment, folder: string): readonly Item[] {
  return chartFolders(files.map(({ uri }) => uri)).map((chart) =>
    valueItem(relativePath(pathOf(folder), pathOf(chart))),
  );
}

/** Files whose names are those of values files, by their paths relative to `folder`. */
export function valuesItems({ files }: Environment, folder: string): readonly Item[] {
  return files
    .filter(({ uri }) => isValuesFile(uri))
    .map(({ uri }) => valueItem(relativePath(pathOf(folder), pathOf(uri))));
}
