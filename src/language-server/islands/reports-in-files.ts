/** The findings in one file, collected from all islands and a preview. */
import { push } from "../../engine/api/go/multi-map.ts";
import type { CodedReport } from "../diagnostics/rule.ts";
import { comparedOf, type JudgedIsland } from "./judged-island.ts";
import type { Preview } from "./preview/preview.ts";

export interface ListsInFile {
  /** On objects of the islands themselves. */
  readonly own: readonly (readonly CodedReport[])[];
  /** On objects that the islands only read. */
  readonly ofRead: readonly (readonly CodedReport[])[];
  /** On objects that a preview only reads. */
  readonly ahead: readonly CodedReport[];
}

/**
 * `wide` holds the findings of the rules that look at all objects; `judged` are the islands with findings in the file, or all.
 * An unchanged list is the same array.
 */
export function listsIn(
  uri: string,
  wide: readonly CodedReport[],
  judged: readonly JudgedIsland[],
  preview: Preview | undefined,
): ListsInFile {
  const own: (readonly CodedReport[])[] = [inFile(wide, uri)];
  const ofRead: (readonly CodedReport[])[] = [];
  const keep = (reports: readonly CodedReport[] | undefined): readonly CodedReport[] => {
    const there = inFile(reports, uri);
    return preview === undefined ? there : preview.kept(there);
  };
  for (const { comparison, lastCompared, outcome } of judged) {
    own.push(comparison === undefined ? keep(lastCompared) : inFile(comparison.own, uri));
    own.push(keep(outcome?.own));
    ofRead.push(keep(outcome?.ofRead));
  }
  if (preview === undefined) return { own, ofRead, ahead: none };
  if (judged.some(({ comparison }) => comparison === undefined))
    own.push(inFile(preview.compared, uri));
  own.push(inFile(preview.outcome.own, uri));
  return { own, ofRead, ahead: inFile(preview.outcome.ofRead, uri) };
}

/** The findings of comparisons, in all files. */
export function* comparedReports(
  judged: readonly JudgedIsland[],
  preview: Preview | undefined,
): Iterable<readonly CodedReport[]> {
  for (const { comparison, lastCompared = none } of judged)
    yield comparison?.own ?? preview?.kept(lastCompared) ?? lastCompared;
  if (judged.some(({ comparison }) => comparison === undefined)) yield preview?.compared ?? none;
}

/** Outcomes that explain findings known from the files alone, in all files. */
export function* explainingOutcomes(
  judged: readonly JudgedIsland[],
  preview: Preview | undefined,
): Iterable<readonly CodedReport[]> {
  for (const { outcome } of [...judged, ...(preview === undefined ? [] : [preview])]) {
    const found = outcome?.own.filter(({ report: { explains = [] } }) => explains.length > 0) ?? [];
    if (found.length > 0) yield found;
  }
}

/** By file, the islands with findings there, in order: asking every island about every file would take quadratic time. */
export function islandsByFile(
  judged: readonly JudgedIsland[],
): ReadonlyMap<string, readonly JudgedIsland[]> {
  const made = new Map<string, JudgedIsland[]>();
  for (const island of judged) {
    const { outcome } = island;
    for (const list of [comparedOf(island), outcome?.own, outcome?.ofRead])
      for (const uri of list === undefined ? [] : byFileOf(list).keys())
        if (made.get(uri)?.at(-1) !== island) push(made, uri, island);
  }
  return made;
}

/** Yields each finding once. */
export function* reportsOf({ own, ofRead, ahead }: ListsInFile): Iterable<CodedReport> {
  const shared = new Map<string, CodedReport>();
  for (const found of ahead) addShared(shared, found);
  for (const list of own)
    for (const found of list) {
      if (shared.size > 0 && shared.has(placeOfBlame(found))) addShared(shared, found);
      else yield found;
    }
  for (const list of ofRead) for (const found of list) addShared(shared, found);
  yield* shared.values();
}

/** The reports in one file; always the same array. */
function inFile(reports: readonly CodedReport[] | undefined, uri: string): readonly CodedReport[] {
  return reports === undefined ? none : (byFileOf(reports).get(uri) ?? none);
}

const none: readonly CodedReport[] = [];

/** Sorted once for each list. */
export function byFileOf(
  reports: readonly CodedReport[],
): ReadonlyMap<string, readonly CodedReport[]> {
  const known = reportsByFile.get(reports);
  if (known !== undefined) return known;
  const made = new Map<string, CodedReport[]>();
  for (const found of reports) {
    // Patches give an object lines in several files, and the line of a finding may have moved since. The finding is listed for
    // each of these files; readers of a file check whether it really is there.
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

/** Several islands may blame the same line of an object that they read: it becomes one finding with all their consequences. */
function addShared(shared: Map<string, CodedReport>, found: CodedReport): void {
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

function placeOfBlame({ code, report: { entry, path } }: CodedReport): string {
  return JSON.stringify([code, entry.documentIndex, entry.object.path, path]);
}
