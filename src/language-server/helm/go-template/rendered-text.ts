/** A text that templates have made, and where each part of it comes from. */
import { type GoList, type GoMap, type GoValue, isGoList, isGoMap } from "./values.ts";

/** A text that templates are read from. */
export interface TemplateSource {
  /** As Helm tells it: `chart/templates/claim.yaml`. */
  readonly name: string;
  readonly uri: string;
  readonly text: string;
  /** Of a place that is none of a template: the chart that it stands for. */
  readonly standsFor?: string;
}

/** A value that was read below `.Values`. */
export interface ValuesRead {
  /** What `.Values` was: each chart has its own. */
  readonly root: GoMap | GoList;
  readonly path: readonly (string | number)[];
}

/** Undefined where there is nothing. */
export function valueRead({ root, path }: ValuesRead): GoValue | undefined {
  let at: GoValue | undefined = root;
  for (const segment of path)
    if (isGoMap(at)) at = at.get(String(segment));
    else at = isGoList(at) ? at[Number(segment)] : undefined;
  return at;
}

export interface Piece {
  /** Offsets in the text that was made. */
  readonly start: number;
  readonly end: number;
  readonly source: TemplateSource;
  /** Offsets in the source: of text that stands there as it is, or of the action that has made the piece. */
  readonly from: number;
  readonly to: number;
  readonly isLiteral: boolean;
  readonly reads: readonly ValuesRead[];
  /** The value that is a dash where the piece is made: many charts mean an empty text by it. */
  readonly dash?: ValuesRead;
  /** Where the source is a stand-in, the template that it stands for. */
  readonly original?: Pick<Piece, "source" | "from" | "to" | "isLiteral">;
}

export type Origin = Omit<Piece, "start" | "end">;

export interface RenderedText {
  readonly text: string;
  /** In order, none over another; parts that nothing tells the origin of are in none. */
  readonly pieces: readonly Piece[];
}

/** A text in the making. */
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

  /** With the origins of its parts. */
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

/** What is left of the origins between two offsets, from the first of them on. */
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

/** Found by halves: a text is cut into as many parts as it has lines. */
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
 * A text that an action has made of an included one by indenting or trimming it: each line keeps its origin there, and the
 * indents are the action's. A single line, which is mostly a name, is the action's whole.
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
  /** Without the spaces around it. */
  readonly line: string;
}

/** Those with something in them. */
function linesOf(text: string): readonly Line[] {
  return [...text.matchAll(/[^\s](?:.*[^\s])?/g)].map(({ index, 0: line }) => ({
    start: index,
    line,
  }));
}

/** What an included line has read and ends with, and what has to be a dash for it: whoever includes it has printed that. */
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

/** Helm shows nothing where Go would show that there is no value. Upstream: Helm v4 pkg/engine/engine.go render. */
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
