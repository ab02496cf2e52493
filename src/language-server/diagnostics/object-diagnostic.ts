/** Turns a report about an object into a diagnostic at its place in a file. */
import { asking } from "../nearest-name.ts";
import { placeOf } from "../workspace/field-place.ts";
import { isRendered, type WorkspaceObject } from "../workspace/workspace-object.ts";
import { underline } from "../yaml/locate.ts";
import { calledOf } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";
import { toldOfDependency } from "./at-stand-in.ts";
import type { Question } from "./question.ts";
import { type Diagnostic, documentPath, type ObjectReport, type Severity } from "./rule.ts";
import { ignoresRule } from "./rules/suppression.ts";

/** The finding at the field that the report is about. */
export function fromObject(report: ObjectReport, code: string, severity: Severity): Diagnostic {
  const { entry, path, message, meant, doubt, misses, unused, unless, fix } = report;
  const place = placeOf(entry, path, report.isOfKey === true ? "key" : "value");
  const { file, ...span } = place;
  const asked = asking(message, meant);
  const fixPath = fix === undefined ? undefined : pathOfFix(entry, path, fix.path);
  const whole = doubt === undefined ? asked : `${asked}${meant === undefined ? "." : ""} ${doubt}`;
  const diagnostic: Diagnostic = {
    uri: file.uri,
    ...span,
    severity,
    code,
    message: whole,
    ...(meant !== undefined && { meant }),
    ...(misses !== undefined && { misses }),
    ...(unused !== undefined && { unused }),
    unless: [...(unless ?? []), ...basisOf(report)],
    // In other files the suppression is found where it stands.
    ...(isRendered(entry) && ignoresRule(entry.object, code) && { isAccepted: true }),
    ...(fix !== undefined && fixPath !== undefined && { fix: { ...fix, path: fixPath } }),
  };
  const told = { ...diagnostic, ...relatedTo(report) };
  const { document, object } = entry;
  const field = path.length === 0 ? ["metadata", "name"] : path;
  const ofDependency = (): Span => underline(document.yaml, [...object.path, ...field]);
  return { ...told, ...toldOfDependency(told, entry, place, ofDependency) };
}

function relatedTo({ related = [] }: ObjectReport): Pick<Diagnostic, "related"> {
  if (related.length === 0) return {};
  return {
    related: related.map((other) => {
      const { file: where, ...at } = placeOf(other.entry, other.path);
      return { uri: where.uri, ...at, message: other.message };
    }),
  };
}

/** The finding may not hold if an object that it rests on is kept out of the cluster. */
function basisOf({ entry, related = [], restsOn }: ObjectReport): readonly Question[] {
  const others = restsOn ?? related.map((other) => other.entry);
  const refs = new Set(others.map(({ object }) => calledOf(object)));
  refs.delete(calledOf(entry.object));
  return [...refs].map((ref) => `kept out ${ref}` as const);
}

/** The fix's path from the root of the finding's document; undefined if the field would be written in another document. */
function pathOfFix({ object, patched }: WorkspaceObject, path: Path, fix: Path): Path | undefined {
  return patched === undefined ? documentPath(object, fix) : patched.pathBeside(path, fix);
}
