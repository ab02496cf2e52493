/** A kustomization, or a separate transformer file: gives the values of its entries and their places. */
import type { Json } from "../../../engine/api/json.ts";
import { underline } from "../../yaml/locate.ts";
import type { Path, Span } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type { WorkspaceFile } from "../workspace-object.ts";
import { partOf, placeIn, type Written } from "./written.ts";

export interface EntryPlace {
  readonly whole: Written;
  /** Folder of the kustomization that names it; paths to files are relative to this. */
  readonly folder: string;
}

export function kustomizationWhole(file: WorkspaceFile, yaml: YamlDocument): Written {
  const text = { file, yaml, inFile: (span: Span): Span => span, holdsObjects: false };
  return { text, path: [], value: (yaml.value ?? null) as Json };
}

/** Null, with its place, if there is nothing. */
export function givenAt({ whole }: EntryPlace, path: Path): Written {
  let at: Written | undefined = whole;
  for (const segment of path) at = at === undefined ? undefined : partOf(at, segment);
  if (at !== undefined) return at;
  const place = placeIn(whole, path);
  return { text: place.text, path: place.path, value: null };
}

/** A missing value is located where it would be. */
export function spanAt({ whole }: EntryPlace, path: Path): Span & { readonly uri: string } {
  const place = placeIn(whole, path);
  const { text } = place;
  return { uri: text.file.uri, ...text.inFile(underline(text.yaml, place.path)) };
}
