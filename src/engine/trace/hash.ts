/** One short text for a whole trace: equal traces have equal hashes, in Node and in a browser. */
import type { TraceEntry } from "./entry.ts";

/** 106 bits as two hexadecimal numbers; not for security. The mixing is cyrb53's, over two seeds. */
export function traceHash(entries: readonly TraceEntry[]): string {
  const low = new Mixer(0);
  const high = new Mixer(0x5bd1e995);
  for (const entry of entries) {
    const text = JSON.stringify(entry, withoutBefore);
    low.add(text);
    high.add(text);
  }
  return low.end() + high.end();
}

/** Leaves out `before`, which an earlier entry already holds. */
function withoutBefore(key: string, value: unknown): unknown {
  return key === "before" ? undefined : value;
}

class Mixer {
  #a: number;
  #b: number;

  constructor(seed: number) {
    this.#a = 0xdeadbeef ^ seed;
    this.#b = 0x41c6ce57 ^ seed;
  }

  add(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      this.#a = Math.imul(this.#a ^ code, 2654435761);
      this.#b = Math.imul(this.#b ^ code, 1597334677);
    }
  }

  end(): string {
    const a =
      Math.imul(this.#a ^ (this.#a >>> 16), 2246822507) ^
      Math.imul(this.#b ^ (this.#b >>> 13), 3266489909);
    const b =
      Math.imul(this.#b ^ (this.#b >>> 16), 2246822507) ^
      Math.imul(this.#a ^ (this.#a >>> 13), 3266489909);
    return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, "0");
  }
}
