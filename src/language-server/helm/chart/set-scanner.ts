/** The letters of what `--set` is given. A backslash takes the meaning from the letter behind it. Upstream: strvals runesUntil, valList. */
import { parsedJson } from "../../../engine/api/json.ts";

export interface Parsed {
  readonly text: string;
  /** The letter that ends it; undefined at the end of the line. */
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

  /** All to the end of the line. */
  rest(): string {
    const rest = this.#line.slice(this.#at);
    this.#at = this.#line.length;
    return rest;
  }

  /** Goes over blanks, and the comma behind them. Upstream: strvals emptyVal. */
  isEmptyValue(): boolean {
    const [blanks = "", comma = ""] = /^[\s\x85]*(,?)/.exec(this.#line.slice(this.#at)) ?? [];
    this.#at += blanks.length;
    return comma === "," || this.#at === this.#line.length;
  }

  /** The JSON that stands here, whatever is behind it; undefined where there is none. */
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

  /** The texts of a list in braces; undefined where another value stands, which is not read. */
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

/** 0 where they do not end, or nest deeper than anybody writes. */
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
