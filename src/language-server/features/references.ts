/**
 * Find references: every place in manifests, kustomizations and scenario files that names the object at the cursor, including
 * names that Kubernetes derives from it.
 */
import type { Analysis } from "../analysis.ts";
import { definitionsOfName, withSpan } from "../names/definitions.ts";
import { makerOf, rewriteFor } from "../names/derived-names.ts";
import { nameAt } from "../names/name-at.ts";
import { namePlaces, namePlacesOfFile } from "../names/name-places.ts";
import type { Named, NamePlace } from "../names/object-names.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import type { FilePlace } from "./definition.ts";
import { targetAt } from "./target.ts";

/** Definitions first, then in the order of files and objects. */
export function findReferences(
  analysis: Analysis,
  file: WorkspaceFile,
  offset: number,
  withDefinition: boolean,
): readonly FilePlace[] {
  const named = namedAt(analysis, file, offset);
  if (named === undefined) return [];
  const places = usesOf(analysis, named, namePlaces(analysis.environment)).filter(
    ({ isDefinition }) => !isDefinition,
  );
  return withDefinition ? [...definitionsOfName(analysis, named), ...places] : places;
}

/** Document highlight: the same within one file; the definition of the name counts as a write. */
export interface Highlight extends Span {
  readonly kind: "write" | "read";
}

export function documentHighlights(
  analysis: Analysis,
  file: WorkspaceFile,
  offset: number,
): readonly Highlight[] {
  const found = nameAt(analysis, file, offset);
  if (found === undefined) return [];
  return usesOf(analysis, found.place, namePlacesOfFile(analysis.environment, file)).map(
    ({ start, end, isDefinition }) => ({ start, end, kind: isDefinition ? "write" : "read" }),
  );
}

/** What the name at the cursor stands for; elsewhere in an object, its reference or the object itself. */
function namedAt(analysis: Analysis, file: WorkspaceFile, offset: number): Named | undefined {
  const found = nameAt(analysis, file, offset);
  if (found !== undefined) return found.place;
  const target = targetAt(analysis.environment, file, offset);
  if (target === undefined) return undefined;
  if (target.reference !== undefined) return target.reference;
  const { ref, kind, namespace, name } = target.built.object;
  return ref === undefined ? undefined : { kind, namespace, name };
}

function usesOf(
  { environment }: Analysis,
  named: Named,
  places: Iterable<NamePlace>,
): readonly (NamePlace & Span)[] {
  // No further names are derived from a derived name.
  const isMade = makerOf(named, environment.objects) !== undefined;
  const belongs = rewriteFor(named, named.name, isMade ? [] : environment.objects);
  return [...places].filter((place) => belongs(place) !== undefined).flatMap(withSpan);
}
