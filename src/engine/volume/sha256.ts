/** SHA-256 of a text, in lower-case hex: names of VolumeAttachments and staging directories are made of it (FIPS 180-4). */

const roundConstants = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)));
const initialState = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)));

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

/** The padded message: filled anew for each text, and as long as the longest needed. */
let bytes = new Uint8Array(256);

/** Writes the text as UTF-8; how many bytes it takes. */
function encode(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0;
    // One that takes two places in the text.
    if (code > 0xffff) i++;
    if (code < 0x80) {
      bytes[count++] = code;
      continue;
    }
    if (code < 0x800) bytes[count++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[count++] = 0xe0 | (code >> 12);
      else {
        bytes[count++] = 0xf0 | (code >> 18);
        bytes[count++] = 0x80 | ((code >> 12) & 63);
      }
      bytes[count++] = 0x80 | ((code >> 6) & 63);
    }
    bytes[count++] = 0x80 | (code & 63);
  }
  return count;
}

/** Writes the text and its padding; how many bytes there are then, a multiple of 64. */
function pad(text: string): number {
  const countMax = 3 * text.length + 72;
  if (bytes.length < countMax) bytes = new Uint8Array(2 * countMax);
  const count = encode(text);
  const end = (count + 72) & ~63;
  bytes[count] = 0x80;
  bytes.fill(0, count + 1, end);
  // How many bits the text has, the least part last.
  for (let at = end - 1, rest = count * 8; rest > 0; at--, rest = Math.floor(rest / 256))
    bytes[at] = rest;
  return end;
}

/** An index within a typed array's bounds. */
function at(words: Int32Array, i: number): number {
  return words[i] as number;
}

/** The message schedule: filled anew for each block. */
const words = new Int32Array(64);

function schedule(offset: number): void {
  const byte = (i: number): number => bytes[offset + i] ?? 0;
  for (let i = 0; i < 16; i++) {
    words[i] =
      (byte(4 * i) << 24) | (byte(4 * i + 1) << 16) | (byte(4 * i + 2) << 8) | byte(4 * i + 3);
  }
  for (let i = 16; i < 64; i++) {
    const x = at(words, i - 15);
    const y = at(words, i - 2);
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = at(words, i - 16) + s0 + at(words, i - 7) + s1;
  }
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** Mixes the scheduled words into the state; typed arrays keep 32 bits of each sum. */
function compress(state: Int32Array): void {
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + at(roundConstants, i) + at(words, i)) | 0;
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
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
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

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hexByte(bits: number): string {
  return hexBytes[bits & 255] as string;
}

function digest(text: string): string {
  const end = pad(text);
  const state = initialState.slice();
  for (let offset = 0; offset < end; offset += 64) {
    schedule(offset);
    compress(state);
  }
  const hex: string[] = [];
  for (const word of state)
    hex.push(hexByte(word >>> 24), hexByte(word >>> 16), hexByte(word >>> 8), hexByte(word));
  // A sum of texts would be kept as the tree of its 32 parts, at ten times the room.
  return hex.join("");
}
