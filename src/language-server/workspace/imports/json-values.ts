/**
 * Finds the values in a text that is not one valid JSON value: several values in a row, a truncated list, or one with a
 * mistake. Looks at each character once.
 */

export interface JsonSpan {
  readonly start: number;
  readonly end: number;
  /** False if the text ends first. */
  readonly isWhole: boolean;
}

export interface JsonValue extends JsonSpan {
  /** The items of an array, or of an object's array `items`; undefined if there is none. */
  readonly items?: readonly JsonSpan[];
}

/** Anything else between two values becomes part of the later one. */
export function jsonValues(text: string): readonly JsonValue[] {
  const reader = new Reader();
  const tokens = /["{}[\]]/g;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { 0: token, index } = found;
    if (token !== '"') reader.bracket(token, index);
    else {
      const end = endOfString(text, index);
      if (end === undefined) break;
      reader.string(text.slice(index + 1, end - 1));
      tokens.lastIndex = end;
    }
  }
  return reader.end(text.trimEnd().length);
}

class Reader {
  readonly #values: JsonValue[] = [];
  #depth = 0;
  #start = 0;
  /** The last string directly in the outermost object: before a bracket, its key. */
  #key = "";
  #items: JsonSpan[] | undefined;
  /** Depth of the items; 0 if no items are being read. */
  #itemDepth = 0;
  #itemStart: number | undefined;

  string(text: string): void {
    if (this.#depth === 1) this.#key = text;
  }

  bracket(token: string, at: number): void {
    if (token === "{" || token === "[") this.#open(token, at);
    else if (this.#depth > 0) this.#close(at + 1);
  }

  #open(token: string, at: number): void {
    const isList = this.#depth === 0 || (this.#depth === 1 && this.#key === "items");
    if (this.#depth === this.#itemDepth && this.#depth > 0) this.#itemStart = at;
    this.#depth++;
    if (!isList || token !== "[" || this.#items !== undefined) return;
    this.#items = [];
    this.#itemDepth = this.#depth;
  }

  #close(end: number): void {
    this.#depth--;
    if (this.#depth === this.#itemDepth) this.#endItem(end, true);
    if (this.#depth < this.#itemDepth) this.#itemDepth = 0;
    if (this.#depth === 0) this.#endValue(end, true);
  }

  #endItem(end: number, isWhole: boolean): void {
    if (this.#itemStart === undefined) return;
    this.#items?.push({ start: this.#itemStart, end, isWhole });
    this.#itemStart = undefined;
  }

  #endValue(end: number, isWhole: boolean): void {
    const items = this.#items;
    this.#values.push({ start: this.#start, end, isWhole, ...(items !== undefined && { items }) });
    this.#start = end;
    this.#key = "";
    this.#items = undefined;
    this.#itemDepth = 0;
  }

  end(textEnd: number): readonly JsonValue[] {
    this.#endItem(textEnd, false);
    if (this.#start < textEnd) this.#endValue(textEnd, false);
    return this.#values;
  }
}

/** Offset after the closing quote; undefined if there is none. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let from = at;
    while (text[from - 1] === "\\") from--;
    if ((at - from) % 2 === 0) return at + 1;
  }
  return undefined;
}
