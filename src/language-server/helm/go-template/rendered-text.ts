/** A text that templates produce, with the origins of its parts. */
import { type GoList, type GoMap, type GoValue, isGoList, isGoMap } from "./values.ts";

/** A text that templates are parsed from. */
export interface TemplateSource {
  /** As Helm names it: `chart/templates/claim.yaml`. */
  readonly name: string;
  readonly uri: string;
  readonly text: string;
  /** Set if the place is not in a template: the chart that it stands for. */
  readonly standsFor?: string;
}

/** A value that was read below `.Values`. */
export interface ValuesRead {
  /** What `.Values` was: each chart has its own. */
  readonly root: GoMap | GoList;
  readonly path: readonly (string | number)[];
}

/** Undefined if there is no such value. */
export function valueRead({ root, path }: ValuesRead): GoValue | undefined {
  let at: GoValue | undefined = root;
  for (const segment of path)
    if (isGoMap(at)) at = at.get(String(segment));
    else at = isGoList(at) ? at[Number(segment)] : undefined;
  return at;
}

export interface Piece {
  /** Offsets in the produced text. */
  readonly start: number;
  readonly end: number;
  readonly source: TemplateSource;
  /** Offsets in the source: of literal text, or of the action that produced the piece. */
  readonly from: number;
  readonly to: number;
  readonly isLiteral: boolean;
  readonly reads: readonly ValuesRead[];
  /** The value that is known to be a dash where the piece is produced; many charts use a dash for an empty text. */
  readonly dash?: ValuesRead;
  /** If the source is a stand-in, the template that it stands for. */
  readonly original?: Pick<Piece, "source" | "from" | "to" | "isLiteral">;
}

export type Origin = Omit<Piece, "start" | "end">;

export interface RenderedText {
  readonly text: string;
  /** In order and not overlapping; parts of unknown origin belong to no piece. */
  readonly pieces: readonly Piece[];
}

/** Builds a text piece by piece. */
export class TextBuilder {
  readonly #parts: string[] = [];
  readonly #pieces: Piece[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  write(text: string, origin: Origin | undefined): void {
    if (text === "") return;
    const start = this.#length;
    this.#parts.push(text);
    this.#length += text.length;
    if (origin !== undefined) this.#pieces.push({ ...origin, start, end: this.#length });
  }

  /** Appends a text with the origins of its parts. */
  append({ text, pieces }: RenderedText): void {
    const by = this.#length;
    this.#parts.push(text);
    this.#length += text.length;
    for (const piece of pieces) this.#pieces.push(moved(piece, by));
  }

  done(): RenderedText {
    return { text: this.#parts.join(""), pieces: this.#pieces };
  }
}

function moved(piece: Piece, by: number): Piece {
  return { ...piece, start: piece.start + by, end: piece.end + by };
}

/** The pieces between two offsets, cut to that range and relative to its start. */
export function piecesBetween(
  { pieces }: RenderedText,
  start: number,
  end: number,
): readonly Piece[] {
  const cuts: Piece[] = [];
  for (let index = firstEndingBehind(pieces, start); index < pieces.length; index++) {
    const piece = pieces[index];
    if (piece === undefined) break;
    const [from, to] = [Math.max(piece.start, start), Math.min(piece.end, end)];
    if (from >= to) break;
    const cut = { ...piece, start: from - start, end: to - start };
    const by = piece.from - piece.start;
    cuts.push(piece.isLiteral ? { ...cut, from: from + by, to: to + by } : cut);
  }
  return cuts;
}

/** Binary search, because a text is cut into as many parts as it has lines. */
function firstEndingBehind(pieces: readonly Piece[], offset: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.end ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A text that an action makes by indenting or trimming an included one: each line keeps its origin, and the indentation belongs
 * to the action. A single line, usually a name, belongs to the action as a whole.
 */
export function indentedText(text: string, included: RenderedText, origin: Origin): RenderedText {
  const before = linesOf(included.text);
  const now = linesOf(text);
  const isAsBefore =
    now.length > 1 &&
    before.length === now.length &&
    now.every(({ line }, index) => line === before[index]?.line);
  const built = new TextBuilder();
  if (!isAsBefore) {
    built.write(text, origin);
    return built.done();
  }
  let at = 0;
  for (const [index, { start, line }] of now.entries()) {
    built.write(text.slice(at, start), origin);
    const from = before[index]?.start ?? 0;
    built.append({ text: line, pieces: piecesBetween(included, from, from + line.length) });
    at = start + line.length;
  }
  built.write(text.slice(at), origin);
  return built.done();
}

interface Line {
  readonly start: number;
  /** Without surrounding spaces. */
  readonly line: string;
}

/** Lines that are not blank. */
function linesOf(text: string): readonly Line[] {
  return [...text.matchAll(/[^\s](?:.*[^\s])?/g)].map(({ index, 0: line }) => ({
    start: index,
    line,
  }));
}

/** What an included line reads and ends with, and which value must be a dash for it: the including action has printed these. */
export function includedOrigin({ text, pieces }: RenderedText): Pick<Piece, "reads" | "dash"> {
  const line = text.trimEnd().replace(/["']$/, "");
  const isPrinted = (read: ValuesRead): boolean => {
    const value = valueRead(read);
    return typeof value === "string" && value !== "" && line.endsWith(value);
  };
  const dash = pieces.find((piece) => piece.dash !== undefined)?.dash;
  const reads = pieces.flatMap((piece) => piece.reads.filter(isPrinted));
  return dash === undefined ? { reads } : { reads, dash };
}

/** Removes Go's text for a missing value, as Helm does. Upstream: Helm v4 pkg/engine/engine.go render. */
export function withoutNoValues(rendered: RenderedText): RenderedText {
  if (!rendered.text.includes(noValue)) return rendered;
  const built = new TextBuilder();
  let at = 0;
  for (;;) {
    const next = rendered.text.indexOf(noValue, at);
    const end = next < 0 ? rendered.text.length : next;
    built.append({ text: rendered.text.slice(at, end), pieces: piecesBetween(rendered, at, end) });
    if (next < 0) return built.done();
    at = next + noValue.length;
  }
}

export const noValue = "<no value>";
