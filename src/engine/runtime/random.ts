/** The only source of randomness: a seeded generator (sfc32), which gives the same numbers in Node and in a browser. */

/** Upstream: randomLength of apiserver pkg/storage/names/generate.go. */
const suffixLength = 5;

export class Random {
  #a: number;
  #b = 0x9e3779b9;
  #c = 0x243f6a88;
  #counter = 1;
  /** Character codes of the last UUID, dashes and all. */
  readonly #uuidCodes: number[] = Array.from({ length: 36 }, () => 45);

  constructor(seed: number) {
    this.#a = seed >>> 0;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  uint32(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }

  /** In [0, 1). */
  fraction(): number {
    return this.uint32() / 0x100000000;
  }

  /** In [0, bound). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** A version 4 UUID. */
  uuid(): string {
    const codes = this.#uuidCodes;
    let word = 0;
    for (let digit = 0, at = 0; digit < 32; digit++, at++) {
      if (digit % 8 === 0) word = this.uint32();
      if (digit === 8 || digit === 12 || digit === 16 || digit === 20) at++;
      let value = (word >>> (28 - 4 * (digit % 8))) & 15;
      if (digit === 12) value = 4;
      else if (digit === 16) value = 8 | (value & 3);
      codes[at] = value < 10 ? 48 + value : 87 + value;
    }
    return String.fromCharCode(...codes);
  }

  /** What generateName appends. Upstream: k8s.io/apimachinery/pkg/util/rand String. */
  suffix(): string {
    const alphabet = "bcdfghjklmnpqrstvwxz2456789";
    let text = "";
    for (let i = 0; i < suffixLength; i++) text += alphabet[this.below(alphabet.length)] ?? "";
    return text;
  }
}
