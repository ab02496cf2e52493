/** Findings are about objects; their files may have changed since. */
import type { ObjectReport } from "../diagnostics/rule.ts";
import { objectsOfFile, type WorkspaceFile, type WorkspaceObject } from "../workspace/workspace.ts";

/** The object as it stands now; undefined where it is gone. */
export function presentEntry(
  entry: WorkspaceObject,
  findFile: (uri: string) => WorkspaceFile | undefined,
): WorkspaceObject | undefined {
  const file = findFile(entry.file.uri);
  if (file === entry.file) return entry;
  if (file === undefined) return undefined;
  const places = placesIn(file).get(nameOf(entry)) ?? [];
  return places.find(({ documentIndex }) => documentIndex === entry.documentIndex) ?? places.at(-1);
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
export function presentReport(
  report: ObjectReport,
  findFile: (uri: string) => WorkspaceFile | undefined,
): ObjectReport | undefined {
  const entry = presentEntry(report.entry, findFile);
  if (entry === undefined) return undefined;
  if (report.related === undefined) return entry === report.entry ? report : { ...report, entry };
  const related = report.related.flatMap((other) => {
    const place = presentEntry(other.entry, findFile);
    return place === undefined ? [] : [{ ...other, entry: place }];
  });
  return { ...report, entry, related };
}
