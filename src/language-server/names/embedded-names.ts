/** Names in manifests that are embedded as a block of text in another file. */
import { isServed } from "../../engine/api/meta.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { EmbeddedManifests } from "../yaml/embedded-manifests.ts";
import type { Span } from "../yaml/place.ts";
import { type NamePlace, placesOfObject } from "./object-names.ts";

export function namesInEmbedded(
  file: WorkspaceFile,
  { manifest, inFile }: EmbeddedManifests,
): readonly NamePlace[] {
  return manifest.documents.flatMap((document, documentIndex) =>
    document.objects
      .filter(({ apiVersion, kind }) => isServed(apiVersion, kind))
      .flatMap((object) => {
        const inText = { file: { uri: file.uri, manifest }, document, documentIndex, object };
        return placesOfObject(inText).map((place): NamePlace => {
          const { entry: _entry, path: _path, ...rest } = place;
          const span = (): Span | undefined => {
            const found = place.span();
            return found === undefined ? undefined : inFile(found);
          };
          return { ...rest, file, span };
        });
      }),
  );
}
