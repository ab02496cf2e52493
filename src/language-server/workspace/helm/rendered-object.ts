/** An object rendered from a chart's template. Its fields are located in the template, or in the file that sets their value. */
import { deepEqual, type Json } from "../../../engine/api/json.ts";
import type { RenderedManifest } from "../../helm/chart/release.ts";
import type { FilePlace } from "../../helm/chart/value-places.ts";
import { type Piece, type ValuesRead, valueRead } from "../../helm/go-template/rendered-text.ts";
import { type GoValue, isGoList, isGoMap, wholeNumber } from "../../helm/go-template/values.ts";
import { lastUpTo } from "../../sorted.ts";
import { locate, pathAt, underline, underlineKey } from "../../yaml/locate.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { FileDocument } from "../../yaml/manifest-file.ts";
import type { Path, Span } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type {
  FieldPlace,
  PatchedObject,
  RenderedFields,
  WorkspaceFile,
  WorkspaceObject,
  WrittenPlace,
} from "../workspace-object.ts";

/** What rendered objects need for locating their fields. */
export interface RenderedSources {
  findFile(uri: string): WorkspaceFile | undefined;
  /** Places of a value, the one that takes effect first. */
  placesOf(read: ValuesRead): readonly FilePlace[];
  /** A values file as a document. */
  valuesOf(file: WorkspaceFile): YamlDocument;
  /** True if nobody has said with which values the chart is installed. */
  readonly isAssumed: boolean;
}

export class RenderedObject implements PatchedObject, RenderedFields {
  readonly rendered: RenderedFields = this;
  readonly written: WorkspaceObject;
  /** True if it lacks contents of files that are not read. */
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

  get isAssumed(): boolean {
    return this.#sources.isAssumed;
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

  #urisOf(piece: Piece): readonly string[] {
    const { source } = piece;
    const values = readsOf(piece).flatMap((read) => this.#sources.placesOf(read).slice(0, 1));
    return [source.uri, ...values.map(({ uri }) => uri)];
  }

  placeOf(path: Path, part: "key" | "value" = "value"): FieldPlace {
    const { yaml } = this.document;
    const inDocument = this.#inDocument(path);
    if (part === "key") return this.placeInDocument(underlineKey(yaml, inDocument), true);
    // Falls back to the key, or to that of the nearest existing field.
    return this.placeInDocument(underline(yaml, inDocument));
  }

  #inDocument(path: Path): Path {
    return [...this.written.object.path, ...path];
  }

  placeInDocument(span: Span, isOfKey = false): FieldPlace {
    const { path, part } = pathAt(this.document.yaml, span.start);
    const inValues = this.#placeInValues(span, path, isOfKey ? "key" : part);
    return inValues ?? this.templatePlace(span);
  }

  /** Where a scalar can be changed in place; undefined if the field is not written literally anywhere. */
  writable(path: Path): WrittenPlace | undefined {
    const { yaml } = this.document;
    const whole = this.#inDocument(path);
    const { depth, value } = locate(yaml, whole);
    const piece = depth < whole.length ? undefined : this.#pieceAt(value.start);
    if (piece === undefined || value.end > piece.end) return undefined;
    if (!piece.isLiteral || this.#dashPlace(piece, whole) !== undefined)
      return this.#writableValue(piece, whole);
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

  isMadeAt(uri: string, offset: number): boolean {
    return this.#madeAt(uri, offset) !== undefined;
  }

  offsetOf(uri: string, offset: number): number | undefined {
    const made = this.#madeAt(uri, offset);
    if (made === undefined) return undefined;
    const { piece, value } = made;
    return piece.isLiteral && value === undefined ? piece.start + offset - piece.from : piece.start;
  }

  standsFor({ file, start, end }: FieldPlace): string | undefined {
    const { pieces } = this.#manifest;
    return pieces.find(
      ({ source, from, to }) =>
        source.standsFor !== undefined && source.uri === file.uri && from === start && to === end,
    )?.source.standsFor;
  }

  originalAt(span: Span): FieldPlace | undefined {
    const piece = this.#pieceAt(span.start);
    const original = piece?.original;
    const file = original && this.#sources.findFile(original.source.uri);
    if (file === undefined || original === undefined || piece === undefined) return undefined;
    const end = Math.min(span.end, piece.end);
    return { file, ...inSource({ ...piece, ...original }, { start: span.start, end }) };
  }

  spanAt(uri: string, offset: number, part: Span): Span {
    const made = this.#madeAt(uri, offset);
    if (made === undefined) return { start: offset, end: offset };
    const { piece, value } = made;
    if (value !== undefined) return { start: value.start, end: value.end };
    const [start, end] = [Math.max(part.start, piece.start), Math.min(part.end, piece.end)];
    return inSource(piece, { start, end });
  }

  /** The part of the object that comes from this offset in a file. */
  #madeAt(uri: string, offset: number): Made | undefined {
    const { pieces } = this.#manifest;
    const holds = (start: number, end: number): boolean => offset >= start && offset <= end;
    const piece = pieces.find(({ source, from, to }) => source.uri === uri && holds(from, to));
    if (piece !== undefined) return { piece };
    if (!this.uris.includes(uri)) return undefined;
    for (const other of pieces)
      for (const read of readsOf(other)) {
        const [value] = this.#sources.placesOf(read);
        if (value?.uri === uri && holds(value.key?.start ?? value.start, value.end))
          return { piece: other, value };
      }
    return undefined;
  }

  /** Undefined if the field is written in a template, or composed from several values. */
  #placeInValues(span: Span, path: Path, part: "key" | "value"): FieldPlace | undefined {
    const piece = this.#pieceAt(span.start);
    // A key is only in the values if a mapping above it was printed.
    const place = piece && this.#valuePlace(piece, path, part === "key" ? 1 : 0);
    const at = part === "key" ? place?.key : place;
    const file = place && this.#sources.findFile(place.uri);
    if (at === undefined || file === undefined) return undefined;
    return { file, start: at.start, end: at.end };
  }

  templatePlace(span: Span): FieldPlace {
    const piece = this.#pieceAt(span.start);
    const file = piece && this.#sources.findFile(piece.source.uri);
    if (piece === undefined || file === undefined)
      return { file: this.written.file, start: 0, end: 0 };
    return { file, ...this.#inTemplate(piece, span) };
  }

  #inTemplate(piece: Piece, span: Span): Span {
    const end = Math.min(span.end, piece.end);
    const own = inSource(piece, { start: span.start, end });
    const last = span.end <= piece.end ? undefined : this.#pieceAt(span.end - 1);
    if (last === undefined || last.source !== piece.source) return own;
    const behind = inSource(last, { start: last.start, end: span.end });
    return { start: own.start, end: Math.max(own.end, behind.end) };
  }

  #pieceAt(offset: number): Piece | undefined {
    const { pieces } = this.#manifest;
    const piece = pieces[lastUpTo(offset, pieces, ({ start }) => start)];
    return piece !== undefined && offset < piece.end ? piece : undefined;
  }

  /** Where a dash is written that the chart turns into an empty class name. */
  #dashPlace({ dash }: Piece, path: Path): FilePlace | undefined {
    const isMeant = dash !== undefined && path.at(-1) === "storageClassName";
    if (!isMeant || valueAt(this.document.yaml.value, path) !== "") return undefined;
    return this.#sources.placesOf(dash)[0];
  }

  /**
   * Where the value of a field is written that an action prints unchanged: what the action reads, or a part of it on a deeper
   * level. `least` is the minimum number of levels.
   */
  #valuePlace(piece: Piece, path: Path, least = 0): FilePlace | undefined {
    const dash = least === 0 ? this.#dashPlace(piece, path) : undefined;
    if (piece.isLiteral || dash !== undefined) return dash;
    const value = valueAt(this.document.yaml.value, path) as Json | undefined;
    if (value === undefined || value === null) return undefined;
    // An empty text inside a mapping is ambiguous.
    const longest = value === "" ? 0 : path.length;
    for (const read of piece.reads)
      for (let length = longest; length >= least; length--) {
        const below = { ...read, path: [...read.path, ...path.slice(path.length - length)] };
        const [place] = isSame(valueRead(below), value) ? this.#sources.placesOf(below) : [];
        if (place !== undefined) return place;
      }
    return undefined;
  }
}

/** Includes the read of the dash, which decides what is printed. */
function readsOf({ reads, dash }: Piece): readonly ValuesRead[] {
  return dash === undefined ? reads : [...reads, dash];
}

interface Made {
  readonly piece: Piece;
  /** In a values file, the place of the value that the part comes from. */
  readonly value?: FilePlace;
}

function inSource({ isLiteral, start, from, to }: Piece, span: Span): Span {
  if (!isLiteral) return { start: from, end: to };
  return { start: span.start - start + from, end: span.end - start + from };
}

/** True if a value was printed unchanged, possibly as a text. */
function isSame(value: GoValue | undefined, printed: Json): boolean {
  if (value === undefined || value === null) return false;
  if (isGoMap(value) || isGoList(value)) return deepEqual(jsonOf(value, 0), printed);
  return typeof printed !== "object" && String(wholeNumber(value) ?? value) === String(printed);
}

/** Values of fields do not nest deeper. */
const depthMax = 50;

function jsonOf(value: GoValue, depth: number): Json {
  if (depth > depthMax) return null;
  if (isGoMap(value))
    return Object.fromEntries([...value].map(([key, field]) => [key, jsonOf(field, depth + 1)]));
  if (isGoList(value)) return value.map((item) => jsonOf(item, depth + 1));
  const whole = wholeNumber(value);
  return whole === undefined ? (value as Json) : Number(whole);
}
