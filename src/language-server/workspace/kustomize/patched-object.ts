/** An object as a kustomization has made it, which finds its fields where somebody has written them. */
import { pathAt, underline, underlineKey } from "../../yaml/locate.ts";
import { type ManifestObject, objectsOf, valueAt } from "../../yaml/manifest.ts";
import type { FileDocument } from "../../yaml/manifest-file.ts";
import type { Path, Span } from "../../yaml/place.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import type { BuiltObject } from "./build.ts";
import { placeIn, type Written, type WrittenPlace } from "./written.ts";

export interface FieldPlace extends Span {
  readonly file: WorkspaceFile;
}

export class PatchedObject {
  /** As its own file has it. */
  readonly written: WorkspaceObject;
  /** Whether another patch for it could not be applied, so that it may lack something. */
  readonly lacksPatch: boolean;
  /** Of all files that may have written a part of it, its own first. */
  readonly uris: readonly string[];
  readonly #whole: Written;
  #document: FileDocument | undefined;

  constructor(
    written: WorkspaceObject,
    whole: Written,
    patchUris: readonly string[],
    lacksPatch: boolean,
  ) {
    this.written = written;
    this.uris = [...new Set([written.file.uri, ...patchUris])];
    this.lacksPatch = lacksPatch;
    this.#whole = whole;
  }

  /** As kustomize would write it out, for rules that look at a document. */
  get document(): FileDocument {
    if (this.#document === undefined) {
      const yaml = readYamlDocument(JSON.stringify(this.#whole.value, null, 1));
      this.#document = { yaml, ...objectsOf(yaml.value) };
    }
    return this.#document;
  }

  /** Where a field is written; what is missing, at what would hold it. Paths start at the object's root. */
  placeOf(path: Path, part: "key" | "value" = "value"): FieldPlace {
    const { text, path: inText } = placeIn(this.#whole, path);
    const span = part === "key" ? underlineKey(text.yaml, inText) : underline(text.yaml, inText);
    return { file: text.file, ...text.inFile(span) };
  }

  /** Where something is written that a rule has found in `document`. */
  placeInDocument({ start }: Span): FieldPlace {
    const { path, part } = pathAt(this.document.yaml, start);
    // Whether a mapping or a list is told of at its key depends on how it is written.
    const value = valueAt(this.#whole.value, path);
    return this.placeOf(path, typeof value === "object" ? "value" : part);
  }

  /** Where a field can be written: it is there, or what would hold it, in a document of objects. */
  writable(path: Path): WrittenPlace | undefined {
    const place = placeIn(this.#whole, path);
    return place.text.holdsObjects && place.depth >= path.length - 1 ? place : undefined;
  }

  /** The path of a field in the document that `near` is written in; undefined where it would stand elsewhere. */
  pathBeside(near: Path, path: Path): Path | undefined {
    const wanted = this.writable(path);
    return wanted?.text === placeIn(this.#whole, near).text ? wanted.path : undefined;
  }
}

/** The object in place of the one that is written; undefined where nothing of an object is left. */
export function patchedEntry({
  entry,
  written,
  changedBy,
  lacksPatch,
}: BuiltObject): WorkspaceObject | undefined {
  const [object] = written === undefined ? [] : objectsOf(written.value).objects;
  if (object === undefined || written === undefined) return undefined;
  const own: ManifestObject = { ...object, path: entry.object.path };
  const patchUris = changedBy.map(({ file }) => file.uri);
  return {
    ...entry,
    object: own,
    patched: new PatchedObject(entry, written, patchUris, lacksPatch),
  };
}
