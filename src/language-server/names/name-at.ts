/** Finds the name at a place in a file. */
import type { Analysis } from "../analysis.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { Span } from "../yaml/place.ts";
import { namePlacesOfFile } from "./name-places.ts";
import type { NamePlace } from "./object-names.ts";

export interface NameAt {
  readonly place: NamePlace;
  readonly span: Span;
}

/** Undefined if the offset is not in a name. If two names share the same letters, the object's own name wins. */
export function nameAt(
  { environment }: Analysis,
  file: WorkspaceFile,
  offset: number,
): NameAt | undefined {
  // Other documents need not be searched.
  const index = documentAt(file.manifest, offset)?.index;
  for (const place of namePlacesOfFile(environment, file, index)) {
    const span = place.span();
    if (span !== undefined && span.start <= offset && offset <= span.end) return { place, span };
  }
  return undefined;
}
