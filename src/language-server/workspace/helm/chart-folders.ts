/** Where charts are. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { baseName, isBelow, parentUri } from "../uri.ts";

export const chartFileName = "Chart.yaml";

/** Folders of charts that are no part of another chart, in code unit order. */
export function chartFolders(uris: Iterable<string>): readonly string[] {
  const folders = [...uris].filter((uri) => baseName(uri) === chartFileName).map(parentUri);
  return folders
    .filter((folder) => !folders.some((other) => isBelow(folder, `${other}/charts`)))
    .sort(compareText);
}

/**
 * Whether a file in a chart, at a path from its folder, is no manifest as it stands: Helm makes manifests of it, or with it.
 */
export function isHelms(path: string): boolean {
  return path === chartFileName || /^(?:templates|crds)\/|^values[^/]*\.ya?ml$/.test(path);
}

/** `charts/db-1.2.3.tgz`, which is no text but is read as one (`helm/archive/`). */
export function isPackedChart(uri: string): boolean {
  return /(?:^|\/)charts\/[^/]+\.tgz$/.test(uri);
}

/** What templates are read from beside manifests: definitions, notes and what is to be left out. */
export function isOfChart(uri: string): boolean {
  const name = baseName(uri);
  return name.endsWith(".tpl") || name === "NOTES.txt" || name === ".helmignore";
}
