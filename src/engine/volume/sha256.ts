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

/** The message schedule: filled anew for each block. */
const words = new Int32Array(64);

function schedule(bytes: readonly number[], offset: number): void {
  const byte = (i: number): number => bytes[offset + i] ?? 0;
  const word = (i: number): number => words[i] ?? 0;
  for (let i = 0; i < 16; i++) {
    words[i] =
      (byte(4 * i) << 24) | (byte(4 * i + 1) << 16) | (byte(4 * i + 2) << 8) | byte(4 * i + 3);
  }
  for (let i = 16; i < 64; i++) {
    const x = word(i - 15);
    const y = word(i - 2);
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** Mixes the scheduled words into the state; typed arrays keep 32 bits of each sum. */
function compress(state: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + (roundConstants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] ?? 0) + (mixed[i] ?? 0);
}

/**
 * Several components make the same names. Bounded, and a pure function's memory: no result depends on it. What was asked for
 * since the last time that the memory was full stays when it is full again.
 */
let remembered = new Map<string, string>();
let rememberedBefore: ReadonlyMap<string, string> = new Map();
const rememberedCountMax = 8192;

export function sha256(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const hash = rememberedBefore.get(text) ?? digest(text);
  if (remembered.size >= rememberedCountMax) {
    rememberedBefore = remembered;
    remembered = new Map();
  }
  remembered.set(text, hash);
  return hash;
}

function digest(text: string): string {
  const bytes = padded(text);
  const state = Int32Array.from(initialState);
  for (let offset = 0; offset < bytes.length; offset += 64) {
    schedule(bytes, offset);
    compress(state);
  }
  let hex = "";
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, "0");
  return hex;
}
