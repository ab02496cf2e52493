/** A set of strings. The lists of a manifest are short, and comparing a few strings is faster than hashing them. */
export class TextSet {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  has(text: string): boolean {
    return this.#many?.has(text) ?? this.#few.includes(text);
  }

  add(text: string): void {
    if (this.#many !== undefined) this.#many.add(text);
    else if (this.#few.push(text) > fewCountMax) this.#many = new Set(this.#few);
  }
}

const fewCountMax = 8;
