/** SHA-256 of a text, in lower-case hex: names of VolumeAttachments and staging directories are made of it (FIPS 180-4). */

const roundConstants = firstPrimes(64).map((prime) => fractionBits(Math.cbrt(prime)));
const initialState = firstPrimes(8).map((prime) => fractionBits(Math.sqrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

/** The first 32 bits behind the binary point. */
function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 0x100000000) >>> 0;
}

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    } else {
      const [a, b] = [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63)];
      bytes.push(a, b, 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return bytes;
}

function padded(text: string): readonly number[] {
  const bytes = utf8(text);
  const bitCount = bytes.length * 8;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (const part of [Math.floor(bitCount / 0x100000000), bitCount >>> 0]) {
    bytes.push(part >>> 24, (part >>> 16) & 255, (part >>> 8) & 255, part & 255);
  }
  return bytes;
}

function schedule(bytes: readonly number[], offset: number): readonly number[] {
  const words: number[] = [];
  const byte = (i: number): number => bytes[offset + i] ?? 0;
  const word = (i: number): number => words[i] ?? 0;
  for (let i = 0; i < 16; i++) {
    words.push(
      (byte(4 * i) << 24) | (byte(4 * i + 1) << 16) | (byte(4 * i + 2) << 8) | byte(4 * i + 3),
    );
  }
  for (let i = 16; i < 64; i++) {
    const [x, y] = [word(i - 15), word(i - 2)];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words.push((word(i - 16) + s0 + word(i - 7) + s1) | 0);
  }
  return words;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

type State = [number, number, number, number, number, number, number, number];

function compress(state: State, words: readonly number[]): State {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + (roundConstants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  const after = [a, b, c, d, e, f, g, h];
  return state.map((word, i) => (word + (after[i] ?? 0)) | 0) as State;
}

export function sha256(text: string): string {
  const bytes = padded(text);
  let state = [...initialState] as State;
  for (let offset = 0; offset < bytes.length; offset += 64) {
    state = compress(state, schedule(bytes, offset));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
