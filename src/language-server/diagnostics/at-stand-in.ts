/** What is said at a place that stands for many objects: a dependency, of all that its chart has made. */
import type { FieldPlace, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import type { Diagnostic } from "./rule.ts";

/**
 * Says first of which object, and where it stands, if that is a file that somebody can open. `span` is that in the object's
 * document, which takes a while to find. Undefined where the place is the object's own.
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
