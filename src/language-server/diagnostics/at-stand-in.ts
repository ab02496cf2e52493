/** Findings at a place that stands for many objects: a dependency, for everything that its chart makes. */
import type { FieldPlace, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import type { Diagnostic } from "./rule.ts";

/**
 * Names the object first and links to its place, if that is in a file that can be opened. `span` gives the place in the
 * object's document; it is a function because finding it takes a while. Undefined if the place is the object's own.
 */
export function toldOfDependency(
  { message, related = [] }: Pick<Diagnostic, "message" | "related">,
  { object, patched }: WorkspaceObject,
  place: FieldPlace,
  span: () => Span,
): Pick<Diagnostic, "message" | "related" | "isOfDependency"> | undefined {
  const chart = patched?.rendered?.standsFor(place);
  if (chart === undefined) return undefined;
  const called = `${object.kind} ${object.name}`;
  const original = patched?.rendered?.originalAt(span());
  const at = original && { uri: original.file.uri, start: original.start, end: original.end };
  const all = at === undefined ? related : [{ ...at, message: called }, ...related];
  return {
    message: `${called} of ${chart}: ${message}`,
    isOfDependency: true,
    ...(all.length > 0 && { related: all }),
  };
}
