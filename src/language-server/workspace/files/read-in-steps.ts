/** Texts of files as manifests, and those of charts as what they are. */
import { type ManifestFile, manifestFileInSteps } from "../../yaml/manifest-file.ts";
import { isOfChart, isPackedChart } from "../helm/chart-folders.ts";

/** Stops after each document that it parses. What templates are made of holds no documents. */
export function* readInSteps(
  uri: string,
  text: string,
  before?: ManifestFile,
): Generator<void, ManifestFile> {
  return isOfChart(uri) || isPackedChart(uri)
    ? unreadFile(text)
    : yield* manifestFileInSteps(text, before);
}

/** What Helm makes manifests of holds no objects as it stands. */
export function unreadFile(text: string): ManifestFile {
  return { text, documents: [], slices: [], isKubernetes: false, isForHelm: true };
}
