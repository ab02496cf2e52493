/** SHA-256 (FIPS 180-4) of a text in UTF-8. The engine has no platform's crypto, and names need just this one hash. */

/** The first 32 bits of the fractional parts of the cube and square roots of the first primes. */
const [roundConstants, initialState] = ((): readonly [Int32Array, Int32Array] => {
  const constants = new Int32Array(64);
  const state = new Int32Array(8);
  let count = 0;
  for (let n = 2; count < 64; n++) {
    if (hasDivisor(n)) continue;
    if (count < 8) state[count] = fractionBits(n, 2n);
    constants[count++] = fractionBits(n, 3n);
  }
  return [constants, state];
})();

function hasDivisor(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return true;
  return false;
}

/** Bits of the root in integers, since powers in floating point differ between platforms. */
function fractionBits(n: number, root: bigint): number {
  const target = BigInt(n) << (32n * root);
  let low = 0n;
  let high = BigInt(n) << 32n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** root <= target) low = middle;
    else high = middle - 1n;
  }
  return Number(BigInt.asIntN(32, low));
}

/** Lower-case hexadecimal digits. */
export function sha256(text: string): string {
  const message = padded(text);
  const state = Int32Array.from(initialState);
  const schedule = new Int32Array(64);
  for (let at = 0; at < message.length; at += 16) {
    compress(state, schedule, message.subarray(at, at + 16));
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function compress(state: Int32Array, schedule: Int32Array, block: Int32Array): void {
  schedule.set(block);
  const word = (i: number): number => schedule[i] ?? 0;
  for (let i = 16; i < 64; i++) {
    const [x, y] = [word(i - 15), word(i - 2)];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    schedule[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[i] ?? 0) + word(i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  const add = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] ?? 0) + (add[i] ?? 0);
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

/** The message in 32-bit words, with its closing bit and its length. */
function padded(text: string): Int32Array {
  const bytes = utf8(text);
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) * 16);
  for (let i = 0; i <= bytes.length; i++) {
    const byte = i === bytes.length ? 0x80 : (bytes[i] ?? 0);
    words[i >> 2] = (words[i >> 2] ?? 0) | (byte << (24 - 8 * (i & 3)));
  }
  words[words.length - 2] = Math.floor(bytes.length / 0x20000000);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

function utf8(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    } else {
      const tail = [0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
      bytes.push(0xf0 | (code >> 18), ...tail);
    }
  }
  return bytes;
}
