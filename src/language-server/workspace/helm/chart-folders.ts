/** Where charts are. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { baseName, parentUri } from "../files/uri.ts";

export const chartFileName = "Chart.yaml";

/** Folders of charts that are no part of another chart, in code unit order. */
export function chartFolders(uris: Iterable<string>): readonly string[] {
  const folders = new Set(
    [...uris].filter((uri) => baseName(uri) === chartFileName).map(parentUri),
  );
  return [...folders].filter((folder) => !isSubchart(folder, folders)).sort(compareText);
}

/** The folder of the chart that a file is in, and that is in none of the others; undefined where it is in none. */
export function outermostChart(uri: string, folders: ReadonlySet<string>): string | undefined {
  let found: string | undefined;
  if (folders.size === 0) return found;
  for (let at = parentUri(uri); at !== ""; at = parentUri(at)) if (folders.has(at)) found = at;
  return found;
}

/** Found by its way up, so that many charts beside each other take the time of their number. */
function isSubchart(folder: string, folders: ReadonlySet<string>): boolean {
  for (let at = parentUri(folder); at !== ""; at = parentUri(at))
    if (at.endsWith("/charts") && folders.has(parentUri(at))) return true;
  return false;
}

/**
 * Whether a file in a chart, at a path from its folder, is no manifest as it stands: Helm makes manifests of it, or with it.
 */
export function isForHelm(path: string): boolean {
  return (
    path === chartFileName ||
    /^(?:templates|crds)\/|^values[^/]*\.ya?ml$|^values\.schema\.json$/.test(path)
  );
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
