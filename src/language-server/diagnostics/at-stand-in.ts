/** What is said at a place that stands for many objects: a dependency, of all that its chart has made. */
import type { FieldPlace, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Diagnostic } from "./rule.ts";

/** Says first of which object; undefined where the place is the object's own. */
export function toldOfDependency(
  message: string,
  { object, patched }: WorkspaceObject,
  place: FieldPlace,
): Pick<Diagnostic, "message" | "isOfDependency"> | undefined {
  const chart = patched?.rendered?.standsFor(place);
  if (chart === undefined) return undefined;
  return { message: `${object.kind} ${object.name} of ${chart}: ${message}`, isOfDependency: true };
}
