/** Which files of a chart's folder Helm reads. Upstream: pkg/chart/v2/loader/directory.go LoadDir. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { type ChartFile, type ChartProblem, chartFileCountMax, type NamedFile } from "./chart.ts";
import { helmIgnore } from "./helm-ignore.ts";

/** Drops files that Helm ignores. */
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

/** Files that are not in `.Files`, whose byte order mark templates do not see. */
const ownFiles =
  /^(?:charts\/[^/]+\/)*(?:templates\/|crds\/|(?:Chart|values|requirements)\.yaml$|values\.schema\.json$)/;

/** Replaces a byte order mark by an empty line, which has the same length and no meaning, so that offsets stay correct. */
function withoutMark(name: string, file: ChartFile): ChartFile {
  if (!file.text.startsWith("\ufeff") || !ownFiles.test(name)) return file;
  const known = marked.get(file) ?? { uri: file.uri, text: `\n${file.text.slice(1)}` };
  marked.set(file, known);
  return known;
}
