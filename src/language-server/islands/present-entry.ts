/** Findings are about objects; their files may have changed since. */
import type { ObjectReport } from "../diagnostics/rule.ts";
import type { Kustomized } from "../workspace/kustomize.ts";
import { objectsOfFile, type WorkspaceFile, type WorkspaceObject } from "../workspace/workspace.ts";

/** The files as they are now, and what patches make of their objects. */
export interface PresentFiles {
  readonly kustomized: Kustomized;
  findFile(uri: string): WorkspaceFile | undefined;
}

/** The object as it stands now; undefined where it is gone. */
export function presentEntry(
  entry: WorkspaceObject,
  { kustomized, findFile }: PresentFiles,
): WorkspaceObject | undefined {
  const file = findFile(entry.file.uri);
  const written = entry.patched?.written ?? entry;
  if (file === entry.file) return kustomized.present(written);
  if (file === undefined) return undefined;
  const places = placesIn(file).get(nameOf(written)) ?? [];
  const now =
    places.find(({ documentIndex }) => documentIndex === entry.documentIndex) ?? places.at(-1);
  return now === undefined ? undefined : kustomized.present(now);
}

function placesIn(file: WorkspaceFile): ReadonlyMap<string, readonly WorkspaceObject[]> {
  const known = recent.get(file);
  if (known !== undefined) return known;
  const places = new Map<string, WorkspaceObject[]>();
  for (const entry of objectsOfFile(file)) {
    const name = nameOf(entry);
    const same = places.get(name);
    if (same === undefined) places.set(name, [entry]);
    else same.push(entry);
  }
  recent.set(file, places);
  return places;
}

const recent = new WeakMap<WorkspaceFile, ReadonlyMap<string, readonly WorkspaceObject[]>>();

function nameOf({ object }: WorkspaceObject): string {
  return object.ref ?? `${object.apiVersion} ${object.kind}/${object.namespace}/${object.name}`;
}

/** The finding at the object's present place; undefined where the object is gone. */
export function presentReport(report: ObjectReport, files: PresentFiles): ObjectReport | undefined {
  const entry = presentEntry(report.entry, files);
  if (entry === undefined) return undefined;
  if (report.related === undefined) return entry === report.entry ? report : { ...report, entry };
  const related = report.related.flatMap((other) => {
    const place = presentEntry(other.entry, files);
    return place === undefined ? [] : [{ ...other, entry: place }];
  });
  return { ...report, entry, related };
}
