/** The objects that kustomizations build, which replace the written ones. */
import { pathAt, underline, underlineKey } from "../../yaml/locate.ts";
import { type ManifestObject, objectsOf, valueAt } from "../../yaml/manifest.ts";
import type { FileDocument } from "../../yaml/manifest-file.ts";
import type { Path, Span } from "../../yaml/place.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type {
  FieldPlace,
  PatchedObject,
  RenderedFields,
  WorkspaceObject,
  WrittenPlace,
} from "../workspace-object.ts";
import type { BuiltObject } from "./build.ts";
import { placeIn, type Written } from "./written.ts";

class BuiltFields implements PatchedObject {
  readonly written: WorkspaceObject;
  readonly lacksPatch: boolean;
  readonly uris: readonly string[];
  readonly rendered?: RenderedFields;
  readonly #whole: Written;
  #document: FileDocument | undefined;

  constructor(
    written: WorkspaceObject,
    whole: Written,
    patchUris: readonly string[],
    lacksPatch: boolean,
  ) {
    this.written = written;
    this.uris = [...new Set([...(written.patched?.uris ?? [written.file.uri]), ...patchUris])];
    this.lacksPatch = lacksPatch;
    const { rendered } = written.patched ?? {};
    if (rendered !== undefined) this.rendered = rendered;
    this.#whole = whole;
  }

  get document(): FileDocument {
    if (this.#document === undefined) {
      const yaml = readYamlDocument(JSON.stringify(this.#whole.value, null, 1));
      this.#document = { yaml, ...objectsOf(yaml.value) };
    }
    return this.#document;
  }

  placeOf(path: Path, part: "key" | "value" = "value"): FieldPlace {
    const { text, path: inText } = placeIn(this.#whole, path);
    const own = text.made?.patched;
    if (own !== undefined) return own.placeInDocument(underline(text.yaml, inText), part === "key");
    const span = part === "key" ? underlineKey(text.yaml, inText) : underline(text.yaml, inText);
    return { file: text.file, ...text.inFile(span) };
  }

  placeInDocument({ start }: Span, isOfKey = false): FieldPlace {
    const { path, part } = pathAt(this.document.yaml, start);
    // Whether a mapping or list is located at its key depends on how it is written.
    const value = valueAt(this.#whole.value, path);
    return this.placeOf(path, !isOfKey && typeof value === "object" ? "value" : part);
  }

  isMadeAt(uri: string, offset: number): boolean {
    const own = this.written.patched;
    return own?.uris.includes(uri) === true ? own.isMadeAt(uri, offset) : this.uris.includes(uri);
  }

  writable(path: Path): WrittenPlace | undefined {
    const place = placeIn(this.#whole, path);
    const own = place.text.made;
    if (own !== undefined) {
      const inObject = place.path.slice(own.object.path.length);
      return place.depth < path.length ? undefined : own.patched?.writable(inObject);
    }
    const missing = path.slice(place.depth, -1);
    const isMade = missing.every((segment) => typeof segment === "string");
    return place.text.holdsObjects && isMade ? place : undefined;
  }

  pathBeside(near: Path, path: Path): Path | undefined {
    const wanted = this.writable(path);
    return wanted?.text === placeIn(this.#whole, near).text ? wanted.path : undefined;
  }
}

/** The object that replaces the written one; undefined if what is left is not an object. */
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
    patched: new BuiltFields(entry, written, patchUris, lacksPatch),
  };
}
