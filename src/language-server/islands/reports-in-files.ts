/** Lists of findings, by the files that they stand in and the lines that they blame. */
import type { CodedReport } from "../diagnostics/object-reports.ts";
import { push } from "./multi-map.ts";

/** Those at lines of one file; the same list each time. */
export function inFile(
  reports: readonly CodedReport[] | undefined,
  uri: string,
): readonly CodedReport[] {
  return reports === undefined ? none : (byFileOf(reports).get(uri) ?? none);
}

export const none: readonly CodedReport[] = [];

/** Sorted once for each list. */
export function byFileOf(
  reports: readonly CodedReport[],
): ReadonlyMap<string, readonly CodedReport[]> {
  const known = reportsByFile.get(reports);
  if (known !== undefined) return known;
  const made = new Map<string, CodedReport[]>();
  for (const found of reports) {
    // Which of its lines is blamed may have changed since: whoever asks for a file looks.
    const { entry } = found.report;
    for (const uri of entry.patched?.uris ?? [entry.file.uri]) push(made, uri, found);
  }
  reportsByFile.set(reports, made);
  return made;
}

const reportsByFile = new WeakMap<
  readonly CodedReport[],
  ReadonlyMap<string, readonly CodedReport[]>
>();

const relatedCountMax = 10;

/** Several islands may blame the same line of an object that they read: it is told once, with all that comes of it. */
export function addShared(shared: Map<string, CodedReport>, found: CodedReport): void {
  const { related = [] } = found.report;
  const key = placeOfBlame(found);
  const known = shared.get(key);
  const all = [...(known?.report.related ?? []), ...related].slice(0, relatedCountMax);
  const first = known ?? found;
  shared.set(
    key,
    all.length === 0 ? first : { ...first, report: { ...first.report, related: all } },
  );
}

export function placeOfBlame({ code, report: { entry, path } }: CodedReport): string {
  return JSON.stringify([code, entry.documentIndex, entry.object.path, path]);
}
