/** The name at a place of a file. */
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

/** Undefined where the offset is in no name. Of two names on the same letters the object's own one wins. */
export function nameAt(
  { environment }: Analysis,
  file: WorkspaceFile,
  offset: number,
): NameAt | undefined {
  // Documents that the offset is not in are not worth a look at their text.
  const index = documentAt(file.manifest, offset)?.index;
  for (const place of namePlacesOfFile(environment, file, index)) {
    const span = place.span();
    if (span !== undefined && span.start <= offset && offset <= span.end) return { place, span };
  }
  return undefined;
}
