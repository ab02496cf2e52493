/** SHA-256 of a text in lower-case hex (FIPS 180-4): VolumeAttachments and staging directories are named by it. */
import { sha256 as sha256Bytes } from "@noble/hashes/sha2.js";

/**
 * A bounded cache, because several components make the same names. When `remembered` is full, the older generation is dropped.
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

/** Builds the hex digits itself: the library concatenates 32 strings, and V8 would keep that tree at ten times the size. */
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
