/** The only source of chance: a seeded generator (sfc32), the same in Node and in a browser. */
export class Random {
  #a: number;
  #b = 0x9e3779b9;
  #c = 0x243f6a88;
  #counter = 1;

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
    const hex = [this.#hexWord(), this.#hexWord(), this.#hexWord(), this.#hexWord()].join("");
    const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3] ?? "8";
    const parts = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20),
    ];
    return parts.join("-");
  }

  #hexWord(): string {
    const word = this.uint32();
    const byte = (shift: number): string => hexBytes[(word >>> shift) & 0xff] ?? "";
    return byte(24) + byte(16) + byte(8) + byte(0);
  }

  /** What generateName appends. Upstream: k8s.io/apimachinery/pkg/util/rand String. */
  suffix(length = 5): string {
    const alphabet = "bcdfghjklmnpqrstvwxz2456789";
    let text = "";
    for (let i = 0; i < length; i++) text += alphabet[this.below(alphabet.length)] ?? "";
    return text;
  }
}

const hexBytes: readonly string[] = Array.from({ length: 256 }, (_, i) =>
  i.toString(16).padStart(2, "0"),
);
