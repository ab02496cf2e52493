/** Finds charts. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { baseName, parentUri } from "../files/uri.ts";

export const chartFileName = "Chart.yaml";

/** Folders of charts that are not part of another chart, in code unit order. */
export function chartFolders(uris: Iterable<string>): readonly string[] {
  const folders = new Set(
    [...uris].filter((uri) => baseName(uri) === chartFileName).map(parentUri),
  );
  return [...folders].filter((folder) => !isSubchart(folder, folders)).sort(compareText);
}

/** The folder of the outermost chart that contains a file; undefined if none does. */
export function outermostChart(uri: string, folders: ReadonlySet<string>): string | undefined {
  let found: string | undefined;
  if (folders.size === 0) return found;
  for (let at = parentUri(uri); at !== ""; at = parentUri(at)) if (folders.has(at)) found = at;
  return found;
}

/** Walks up from the folder, so that many charts side by side take linear time. */
function isSubchart(folder: string, folders: ReadonlySet<string>): boolean {
  for (let at = parentUri(folder); at !== ""; at = parentUri(at))
    if (at.endsWith("/charts") && folders.has(parentUri(at))) return true;
  return false;
}

/** True if a file at this path within a chart is not a manifest itself: Helm renders it, or reads it for rendering. */
export function isForHelm(path: string): boolean {
  return (
    path === chartFileName ||
    /^(?:templates|crds)\/|^values[^/]*\.ya?ml$|^values\.schema\.json$/.test(path)
  );
}

/** `charts/db-1.2.3.tgz`, an archive that is read as a text (`helm/archive/`). */
export function isPackedChart(uri: string): boolean {
  return /(?:^|\/)charts\/[^/]+\.tgz$/.test(uri);
}

/** Other files that templates need: definitions, notes, and ignore rules. */
export function isOfChart(uri: string): boolean {
  const name = baseName(uri);
  return name.endsWith(".tpl") || name === "NOTES.txt" || name === ".helmignore";
}
