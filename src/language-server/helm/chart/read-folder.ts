/** What Helm reads of a chart's folder. Upstream: pkg/chart/v2/loader/directory.go LoadDir. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { type ChartFile, type ChartProblem, chartFileCountMax, type NamedFile } from "./chart.ts";
import { helmIgnore } from "./helm-ignore.ts";

/** Without what Helm leaves out. */
export function readFolder(files: ReadonlyMap<string, ChartFile>): FolderRead {
  const { isIgnored, problems } = helmIgnore(files.get(".helmignore"));
  const named = [...files]
    .filter(([name]) => !isIgnored(name))
    .slice(0, chartFileCountMax)
    .map(([name, file]): NamedFile => ({ name, file: withoutMark(name, file) }))
    .sort((a, b) => compareText(a.name, b.name));
  return { named, problems };
}

export interface FolderRead {
  readonly named: readonly NamedFile[];
  readonly problems: readonly ChartProblem[];
}

const marked = new WeakMap<ChartFile, ChartFile>();

/** What is no part of `.Files`, which templates see without the mark. */
const ownFiles =
  /^(?:charts\/[^/]+\/)*(?:templates\/|crds\/|(?:Chart|values|requirements)\.yaml$|values\.schema\.json$)/;

/** Places are those of the file with its mark: an empty line takes as much room, and means nothing. */
function withoutMark(name: string, file: ChartFile): ChartFile {
  if (!file.text.startsWith("\ufeff") || !ownFiles.test(name)) return file;
  const known = marked.get(file) ?? { uri: file.uri, text: `\n${file.text.slice(1)}` };
  marked.set(file, known);
  return known;
}
