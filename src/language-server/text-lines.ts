/** Offsets to lines and characters, as editors count them: both from zero, characters in UTF-16 units. */
import type { Position, Range } from "../protocol/messages.ts";
import type { FileDocument, ManifestFile } from "./yaml/manifest-file.ts";

export class TextLines {
  /** Where each line starts. */
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string, starts: readonly number[]) {
    this.#length = text.length;
    this.#starts = starts;
  }

  positionAt(offset: number): Position {
    const bounded = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= bounded) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: bounded - (this.#starts[low] ?? 0) };
  }

  /** A place beyond the end of its line or of the text is moved to that end. */
  offsetAt({ line, character }: Position): number {
    const start = this.#starts[line];
    if (start === undefined) return line < 0 ? 0 : this.#length;
    const next = this.#starts[line + 1] ?? this.#length + 1;
    return Math.min(start + Math.max(0, character), next - 1);
  }

  rangeOf({ start, end }: { readonly start: number; readonly end: number }): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }
}

const known = new WeakMap<ManifestFile, TextLines>();

export function linesOf(file: ManifestFile): TextLines {
  const lines = known.get(file) ?? new TextLines(file.text, startsInFile(file));
  known.set(file, lines);
  return lines;
}

/** Put together of the documents, most of which are those of the text before an edit. */
function startsInFile({ text, documents, slices }: ManifestFile): readonly number[] {
  const starts: number[] = [0];
  let end = 0;
  const add = (from: number, ends: readonly number[]): void => {
    for (const at of ends) starts.push(from + at);
  };
  for (const [index, slice] of slices.entries()) {
    const document = documents[index]?.yaml;
    if (document === undefined) continue;
    add(end, lineEnds(text.slice(end, slice.start)));
    const ends = endsInDocuments.get(document) ?? lineEnds(document.text);
    endsInDocuments.set(document, ends);
    add(slice.start, ends);
    end = slice.end;
  }
  add(end, lineEnds(text.slice(end)));
  return starts;
}

/** Offsets behind each line end. */
function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at + 1);
  return ends;
}

const endsInDocuments = new WeakMap<FileDocument["yaml"], readonly number[]>();
