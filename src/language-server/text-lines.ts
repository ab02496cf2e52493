/**
 * Converts offsets to lines and characters as editors count them: both from zero, characters in UTF-16 units. The line ends of
 * each document are cached, so that an edit only costs adding up the documents.
 */
import type { Position, Range } from "../protocol/messages.ts";
import { lastUpTo } from "./sorted.ts";
import type { FileDocument, ManifestFile } from "./yaml/manifest-file.ts";

/** A document with the separator line after it, or what is before the first or after the last document. */
interface Part {
  readonly start: number;
  /** Number of the line that the part starts in. */
  readonly line: number;
  /** Offsets after each line end, from the part's start. */
  readonly ends: readonly number[];
}

export class TextLines {
  readonly #text: string;
  readonly #parts: readonly Part[];

  constructor(file: ManifestFile) {
    this.#text = file.text;
    this.#parts = partsOf(file);
  }

  positionAt(offset: number): Position {
    const bounded = Math.max(0, Math.min(offset, this.#text.length));
    const part = this.#parts[lastUpTo(bounded, this.#parts, startOf)];
    if (part === undefined) return { line: 0, character: bounded };
    const ended = 1 + lastUpTo(bounded - part.start, part.ends, asItIs);
    return { line: part.line + ended, character: bounded - this.#startIn(part, ended) };
  }

  /** A position beyond the end of its line or of the text becomes that end. */
  offsetAt({ line, character }: Position): number {
    const start = this.#startOfLine(line);
    if (start === undefined) return line < 0 ? 0 : this.#text.length;
    const next = this.#startOfLine(line + 1) ?? this.#text.length + 1;
    return Math.min(start + Math.max(0, character), next - 1);
  }

  rangeOf({ start, end }: { readonly start: number; readonly end: number }): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  /** Undefined if there is no such line. */
  #startOfLine(line: number): number | undefined {
    if (line === 0) return 0;
    const part = this.#parts[lastUpTo(line, this.#parts, lineOf)];
    if (part === undefined || line - part.line > part.ends.length) return undefined;
    return this.#startIn(part, line - part.line);
  }

  /** Start of the line after the first `ended` line ends of a part. */
  #startIn({ start, ends }: Part, ended: number): number {
    const end = ends[ended - 1];
    if (end !== undefined) return start + end;
    return start === 0 ? 0 : this.#text.lastIndexOf("\n", start - 1) + 1;
  }
}

const startOf = ({ start }: Part): number => start;
const lineOf = ({ line }: Part): number => line;
const asItIs = (end: number): number => end;

const known = new WeakMap<ManifestFile, TextLines>();

export function linesOf(file: ManifestFile): TextLines {
  const lines = known.get(file) ?? new TextLines(file);
  known.set(file, lines);
  return lines;
}

function partsOf({ text, documents, slices }: ManifestFile): readonly Part[] {
  const parts: Part[] = [];
  let [end, line] = [0, 0];
  const add = (start: number, ends: readonly number[]): void => {
    parts.push({ start, line, ends });
    line += ends.length;
  };
  for (const [index, slice] of slices.entries()) {
    const document = documents[index]?.yaml;
    if (document === undefined) continue;
    // Any number of separators may precede the first document; exactly one line precedes each of the others.
    if (end === 0) add(0, lineEnds(text.slice(0, slice.start)));
    else if (slice.start > end && text.charCodeAt(slice.start - 1) === lineFeed) line++;
    const ends = endsInDocuments.get(document) ?? lineEnds(document.text);
    endsInDocuments.set(document, ends);
    add(slice.start, ends);
    end = slice.end;
  }
  if (end < text.length) add(end, lineEnds(text.slice(end)));
  return parts;
}

const lineFeed = 0x0a;

/** Offsets after each line end. */
function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at + 1);
  return ends;
}

const endsInDocuments = new WeakMap<FileDocument["yaml"], readonly number[]>();
