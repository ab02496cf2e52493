/** Reads manifests; files of charts stay unparsed. */
import { type ManifestFile, manifestFileInSteps } from "../../yaml/manifest-file.ts";
import { isOfChart, isPackedChart } from "../helm/chart-folders.ts";

/** Yields after each parsed document. Files that only templates use contain no documents. */
export function* readInSteps(
  uri: string,
  text: string,
  before?: ManifestFile,
): Generator<void, ManifestFile> {
  return isOfChart(uri) || isPackedChart(uri)
    ? unreadFile(text)
    : yield* manifestFileInSteps(text, before);
}

/** A file that Helm renders or reads has no objects of its own. */
export function unreadFile(text: string): ManifestFile {
  return { text, documents: [], slices: [], isKubernetes: false, isForHelm: true };
}
