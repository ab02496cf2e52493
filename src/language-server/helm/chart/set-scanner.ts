/** The letters of what `--set` is given. A backslash takes the meaning from the letter behind it. Upstream: strvals runesUntil, valList. */

export interface Parsed {
  readonly text: string;
  /** The letter that ends it; undefined at the end of the line. */
  readonly stop: string | undefined;
}

export class SetScanner {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  until(stops: string): Parsed {
    const parts: string[] = [];
    while (this.#at < this.#line.length) {
      const letter = this.#line.charAt(this.#at++);
      if (stops.includes(letter)) return { text: parts.join(""), stop: letter };
      if (letter !== "\\") parts.push(letter);
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
