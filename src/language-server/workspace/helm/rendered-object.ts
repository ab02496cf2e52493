/** An object that a chart's template has made, which finds its fields in the template, or in the file whose value a field has. */
import { deepEqual, type Json } from "../../../engine/api/json.ts";
import type { RenderedManifest } from "../../helm/chart/release.ts";
import type { FilePlace } from "../../helm/chart/value-places.ts";
import type { Piece, ValuesRead } from "../../helm/go-template/rendered-text.ts";
import { type GoValue, isGoList, isGoMap } from "../../helm/go-template/values.ts";
import { locate, pathAt, underline, underlineKey } from "../../yaml/locate.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { FileDocument } from "../../yaml/manifest-file.ts";
import type { Path, PathSegment, Span } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type {
  FieldPlace,
  PatchedObject,
  WorkspaceFile,
  WorkspaceObject,
  WrittenPlace,
} from "../workspace-object.ts";

/** What the objects of a rendered chart find their fields in. */
export interface RenderedSources {
  findFile(uri: string): WorkspaceFile | undefined;
  /** What counts first. */
  placesOf(read: ValuesRead): readonly FilePlace[];
  /** A values file as a document. */
  valuesOf(file: WorkspaceFile): YamlDocument;
}

export class RenderedObject implements PatchedObject {
  readonly isRendered = true;
  readonly written: WorkspaceObject;
  /** What it has of files that are not read is missing. */
  readonly lacksPatch: boolean;
  readonly document: FileDocument;
  readonly #manifest: RenderedManifest;
  readonly #sources: RenderedSources;
  #uris: readonly string[] | undefined;

  constructor(
    written: WorkspaceObject,
    manifest: RenderedManifest,
    sources: RenderedSources,
    lacksPatch: boolean,
  ) {
    this.written = written;
    this.document = written.document;
    this.lacksPatch = lacksPatch;
    this.#manifest = manifest;
    this.#sources = sources;
  }

  get uris(): readonly string[] {
    this.#uris ??= [
      ...new Set([
        this.#manifest.uri,
        ...this.#manifest.pieces.flatMap((piece) => this.#urisOf(piece)),
      ]),
    ];
    return this.#uris;
  }

  #urisOf({ source, reads }: Piece): readonly string[] {
    const values = reads.flatMap((read) => this.#sources.placesOf(read).slice(0, 1));
    return [source.uri, ...values.map(({ uri }) => uri)];
  }

  placeOf(path: Path, part: "key" | "value" = "value"): FieldPlace {
    const { yaml } = this.document;
    const whole = [...this.written.object.path, ...path];
    const span = part === "key" ? underlineKey(yaml, whole) : underline(yaml, whole);
    // What is underlined may be the key, or that of the nearest field that is there.
    const isValue = part === "value" && span.start === locate(yaml, whole).value.start;
    return this.#placeOf(span, isValue ? whole : undefined);
  }

  placeInDocument(span: Span, isOfKey = false): FieldPlace {
    const { path, part } = pathAt(this.document.yaml, span.start);
    return this.#placeOf(span, isOfKey || part === "key" ? undefined : path);
  }

  /** Where a scalar can be written in place of the one that is there. */
  writable(path: Path): WrittenPlace | undefined {
    const { yaml } = this.document;
    const whole = [...this.written.object.path, ...path];
    const { depth, value } = locate(yaml, whole);
    const piece = depth < whole.length ? undefined : this.#pieceAt(value.start);
    if (piece === undefined || value.end > piece.end) return undefined;
    if (!piece.isLiteral) return this.#writableValue(piece, whole);
    const file = this.#sources.findFile(piece.source.uri);
    if (file === undefined) return undefined;
    const inFile = (span: Span): Span => inSource(piece, span);
    return { text: { file, yaml, inFile, holdsObjects: false }, path: whole, depth: whole.length };
  }

  #writableValue(piece: Piece, whole: Path): WrittenPlace | undefined {
    const place = this.#valuePlace(piece, whole);
    const file = place && this.#sources.findFile(place.uri);
    if (place === undefined || file === undefined) return undefined;
    const yaml = this.#sources.valuesOf(file);
    const { path } = pathAt(yaml, place.start);
    const inFile = (span: Span): Span => span;
    return { text: { file, yaml, inFile, holdsObjects: false }, path, depth: path.length };
  }

  pathBeside(): undefined {
    return undefined;
  }

  /** Whether something in the file, at the offset, has made a part of it. */
  isMadeAt(uri: string, offset: number): boolean {
    return this.offsetOf(uri, offset) !== undefined || this.#isValueAt(uri, offset);
  }

  #isValueAt(uri: string, offset: number): boolean {
    return this.#manifest.pieces.some(({ reads }) =>
      reads.some((read) => {
        const [place] = this.#sources.placesOf(read);
        return place?.uri === uri && offset >= place.start && offset <= place.end;
      }),
    );
  }

  /** Of a place in a template, that in the object's document; undefined where nothing there has made it. */
  offsetOf(uri: string, offset: number): number | undefined {
    const piece = this.#manifest.pieces.find(
      ({ source, from, to }) => source.uri === uri && offset >= from && offset <= to,
    );
    if (piece === undefined) return undefined;
    return piece.isLiteral ? piece.start + offset - piece.from : piece.start;
  }

  #placeOf(span: Span, path: Path | undefined): FieldPlace {
    const piece = this.#pieceAt(span.start);
    const value =
      piece === undefined || path === undefined ? undefined : this.#valuePlace(piece, path);
    const valuesFile = value && this.#sources.findFile(value.uri);
    if (value !== undefined && valuesFile !== undefined)
      return { file: valuesFile, start: value.start, end: value.end };
    const file = piece && this.#sources.findFile(piece.source.uri);
    if (piece === undefined || file === undefined)
      return { file: this.written.file, start: 0, end: 0 };
    return { file, ...this.#inTemplate(piece, span) };
  }

  #inTemplate(piece: Piece, span: Span): Span {
    const { start, end } = inSource(piece, {
      start: span.start,
      end: Math.min(span.end, piece.end),
    });
    const last = span.end <= piece.end ? undefined : this.#pieceAt(span.end - 1);
    if (last === undefined || last.source !== piece.source) return { start, end };
    const behind = last.isLiteral
      ? inSource(last, { start: span.end, end: span.end }).end
      : last.to;
    return { start, end: Math.max(end, behind) };
  }

  #pieceAt(offset: number): Piece | undefined {
    return this.#manifest.pieces.find(({ start, end }) => start <= offset && offset < end);
  }

  /** Where the value of a field is written that an action has printed as it is: what the action read, or a part of that. */
  #valuePlace(piece: Piece, path: Path): FilePlace | undefined {
    if (piece.isLiteral) return undefined;
    const value = valueAt(this.document.yaml.value, path) as Json | undefined;
    if (value === undefined || value === null || value === "") return undefined;
    for (const read of piece.reads)
      for (let length = path.length; length >= 0; length--) {
        const below = { ...read, path: [...read.path, ...path.slice(path.length - length)] };
        const [place] = isSame(goValueAt(below), value) ? this.#sources.placesOf(below) : [];
        if (place !== undefined) return place;
      }
    return undefined;
  }
}

function inSource({ isLiteral, start, from, to }: Piece, span: Span): Span {
  if (!isLiteral) return { start: from, end: to };
  return { start: span.start - start + from, end: span.end - start + from };
}

function goValueAt({ root, path }: ValuesRead): GoValue | undefined {
  let at: GoValue | undefined = root;
  for (const segment of path) at = at === undefined ? undefined : memberOf(at, segment);
  return at;
}

function memberOf(whole: GoValue, segment: PathSegment): GoValue | undefined {
  if (isGoMap(whole)) return whole.get(String(segment));
  return isGoList(whole) ? whole[Number(segment)] : undefined;
}

/** Whether a value was printed as it is, be it as a text. */
function isSame(value: GoValue | undefined, printed: Json): boolean {
  if (value === undefined || value === null) return false;
  if (isGoMap(value) || isGoList(value)) return deepEqual(jsonOf(value, 0), printed);
  return typeof printed !== "object" && String(value) === String(printed);
}

/** What nests deeper is no value of a field. */
const depthMax = 50;

function jsonOf(value: GoValue, depth: number): Json {
  if (depth > depthMax) return null;
  if (isGoMap(value))
    return Object.fromEntries([...value].map(([key, field]) => [key, jsonOf(field, depth + 1)]));
  if (isGoList(value)) return value.map((item) => jsonOf(item, depth + 1));
  return typeof value === "bigint" ? Number(value) : (value as Json);
}
