/** Offsets to lines and characters, as editors count them: both from zero, characters in UTF-16 units. */
import type { Position, Range } from "../protocol/messages.ts";
import type { ManifestFile } from "./yaml/manifest-file.ts";

export class TextLines {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
      this.#starts.push(at + 1);
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
  const lines = known.get(file) ?? new TextLines(file.text);
  known.set(file, lines);
  return lines;
}
