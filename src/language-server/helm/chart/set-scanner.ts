/** Scans the argument of `--set`; a backslash makes the next character literal. Upstream: strvals runesUntil, valList. */
import { parsedJson } from "../../../engine/api/json.ts";

export interface Parsed {
  readonly text: string;
  /** The character that ends it; undefined at the end of the line. */
  readonly stop: string | undefined;
}

export class SetScanner {
  readonly #line: string;
  readonly #hasEscapes: boolean;
  #at = 0;

  constructor(line: string, hasEscapes: boolean) {
    this.#line = line;
    this.#hasEscapes = hasEscapes;
  }

  /** The rest of the line. */
  rest(): string {
    const rest = this.#line.slice(this.#at);
    this.#at = this.#line.length;
    return rest;
  }

  /** Skips blanks and a comma after them. Upstream: strvals emptyVal. */
  isEmptyValue(): boolean {
    const [blanks = "", comma = ""] = /^[\s\x85]*(,?)/.exec(this.#line.slice(this.#at)) ?? [];
    this.#at += blanks.length;
    return comma === "," || this.#at === this.#line.length;
  }

  /** The JSON value at this place, ignoring what follows; undefined if there is none. */
  json(): string | undefined {
    const json = jsonAtStart(this.#line.slice(this.#at));
    this.#at += json?.length ?? 0;
    return json;
  }

  until(stops: string): Parsed {
    const parts: string[] = [];
    while (this.#at < this.#line.length) {
      const letter = this.#line.charAt(this.#at++);
      if (stops.includes(letter)) return { text: parts.join(""), stop: letter };
      if (letter !== "\\" || !this.#hasEscapes) parts.push(letter);
      else if (this.#at < this.#line.length) parts.push(this.#line.charAt(this.#at++));
    }
    return { text: parts.join(""), stop: undefined };
  }

  /** The items of a list in braces; undefined if there is another value, which is not consumed. */
  list(): readonly string[] | "end" | "open" | undefined {
    if (this.#at === this.#line.length) return "end";
    if (this.#line.charAt(this.#at) !== "{") return undefined;
    this.#at++;
    const texts: string[] = [];
    for (;;) {
      const { text, stop } = this.until(",}");
      if (stop === undefined) return "open";
      texts.push(text);
      if (stop === ",") continue;
      if (this.#line.charAt(this.#at) === ",") this.#at++;
      return texts;
    }
  }
}

const bracketsMax = 100;

function jsonAtStart(text: string): string | undefined {
  const isNested = text.startsWith("{") || text.startsWith("[");
  const end = isNested ? endOfBrackets(text) : (scalar.exec(text)?.[0].length ?? 0);
  const json = text.slice(0, end);
  return parsedJson(json) === undefined ? undefined : json;
}

const scalar =
  /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/;

/** 0 if the brackets do not end, or nest too deeply. */
function endOfBrackets(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth === 0) return index + 1;
    if (depth > bracketsMax) return 0;
  }
  return 0;
}
