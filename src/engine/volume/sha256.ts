/** SHA-256 of a text, in lower-case hex: names of VolumeAttachments and staging directories are made of it (FIPS 180-4). */
import { sha256 as sha256Bytes } from "@noble/hashes/sha2.js";

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

/** Character codes of the last hash. */
const hexCodes: number[] = Array.from({ length: 64 }, () => 0);

/** The library's own hex is a sum of texts, which would be kept as the tree of its 32 parts, at ten times the room. */
function digest(text: string): string {
  let at = 0;
  for (const byte of sha256Bytes(text)) {
    hexCodes[at++] = hexCode(byte >> 4);
    hexCodes[at++] = hexCode(byte & 15);
  }
  return String.fromCharCode(...hexCodes);
}

function hexCode(digit: number): number {
  return digit < 10 ? 48 + digit : 87 + digit;
}
