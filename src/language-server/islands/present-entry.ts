/** Finds the present places of findings: the files of their objects may have changed since. */
import { push } from "../../engine/api/go/multi-map.ts";
import { fromObject } from "../diagnostics/object-diagnostic.ts";
import type { CodedReport, Diagnostic } from "../diagnostics/rule.ts";
import { lastUpTo } from "../sorted.ts";
import type { Charts } from "../workspace/charts.ts";
import type { Kustomized } from "../workspace/kustomize.ts";
import {
  documentStart,
  isRendered,
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { nameOf } from "./object-text.ts";

/** The files as they are now, and what kustomizations and charts make of them. */
export interface PresentFiles {
  readonly kustomized: Kustomized;
  readonly charts: Charts;
  findFile(uri: string): WorkspaceFile | undefined;
}

/** The object as it is now; undefined if it is gone. */
export function presentEntry(
  entry: WorkspaceObject,
  { kustomized, charts, findFile }: PresentFiles,
): WorkspaceObject | undefined {
  if (isRendered(entry)) return charts.present(entry);
  const file = findFile(entry.file.uri);
  const written = entry.patched?.written ?? entry;
  if (file === entry.file) return ofTheSameName(entry, kustomized.built(written));
  if (file === undefined) return undefined;
  const now = onlyOneIn(file, written) ?? oneOfName(file, written);
  return now === undefined ? undefined : ofTheSameName(entry, kustomized.built(now));
}

/** Picks the object of the same name among several that kustomizations make of one; the first if the name has changed. */
function ofTheSameName(
  { object }: WorkspaceObject,
  built: readonly WorkspaceObject[],
): WorkspaceObject | undefined {
  return built.length <= 1
    ? built[0]
    : (built.find((one) => one.object.ref === object.ref) ?? built[0]);
}

/** The fast path, which nearly always applies after an edit: an object of this name, alone in the document at this index. */
function onlyOneIn(
  file: WorkspaceFile,
  { documentIndex, object }: WorkspaceObject,
): WorkspaceObject | undefined {
  const entries = objectsOfFile(file);
  const index = lastUpTo(documentIndex, entries, (entry) => entry.documentIndex);
  const there = entries[index];
  if (there?.documentIndex !== documentIndex) return undefined;
  if (entries[index - 1]?.documentIndex === documentIndex) return undefined;
  const isSame = there.object === object || nameOf(there.object) === nameOf(object);
  return isSame ? there : undefined;
}

function oneOfName(
  file: WorkspaceFile,
  { documentIndex, object }: WorkspaceObject,
): WorkspaceObject | undefined {
  const places = placesIn(file).get(nameOf(object)) ?? [];
  return places.find((place) => place.documentIndex === documentIndex) ?? places.at(-1);
}

function placesIn(file: WorkspaceFile): ReadonlyMap<string, readonly WorkspaceObject[]> {
  const known = recent.get(file);
  if (known !== undefined) return known;
  const places = new Map<string, WorkspaceObject[]>();
  for (const entry of objectsOfFile(file)) push(places, nameOf(entry.object), entry);
  recent.set(file, places);
  return places;
}

const recent = new WeakMap<WorkspaceFile, ReadonlyMap<string, readonly WorkspaceObject[]>>();

/** The finding at its object's present place; undefined if the object is gone. */
export function presentDiagnostic(found: CodedReport, files: PresentFiles): Diagnostic | undefined {
  const { code, severity, report } = found;
  const entry = presentEntry(report.entry, files);
  if (entry === undefined) return undefined;
  const others = (report.related ?? []).map((other) => presentEntry(other.entry, files));
  const known = placed.get(found);
  if (
    known !== undefined &&
    isAt(known.at[0], entry) &&
    others.every((other, index) => isAt(known.at[index + 1], other))
  )
    return known.diagnostic;
  const related = report.related?.flatMap((other, index) => {
    const place = others[index];
    return place === undefined ? [] : [{ ...other, entry: place }];
  });
  const present = { ...report, entry, ...(related !== undefined && { related }) };
  const diagnostic = fromObject(present, code, severity);
  placed.set(found, { at: [entry, ...others].map(standing), diagnostic });
  return diagnostic;
}

/** Where an object was when its finding was placed; undefined if it had no place, or patches may have moved a part of it. */
type Standing = Pick<WorkspaceObject, "object"> & { readonly start: number };

/** Placed findings are reused: an edit moves few of them, and none before the edit. */
const placed = new WeakMap<
  CodedReport,
  { readonly at: readonly (Standing | undefined)[]; readonly diagnostic: Diagnostic }
>();

function standing(entry: WorkspaceObject | undefined): Standing | undefined {
  if (entry === undefined || entry.patched !== undefined) return undefined;
  return { object: entry.object, start: documentStart(entry) };
}

function isAt(known: Standing | undefined, entry: WorkspaceObject | undefined): boolean {
  if (known === undefined || entry === undefined) return false;
  return known.object === entry.object && known.start === documentStart(entry);
}
