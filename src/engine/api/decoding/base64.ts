/** Base64, because the engine has no Buffer. */
import { utf8Bytes } from "../go/utf8.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function base64OfText(text: string): string {
  return base64OfBytes(utf8Bytes(text));
}

export function base64OfBytes(bytes: readonly number[]): string {
  let encoded = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(index, index + 3);
    const group = (a << 16) | (b << 8) | c;
    const length = Math.min(3, bytes.length - index);
    for (let digit = 0; digit < 4; digit++) {
      encoded += digit <= length ? (alphabet[(group >> (18 - 6 * digit)) & 0x3f] ?? "") : "=";
    }
  }
  return encoded;
}

const digitsAndPadding = /^[A-Za-z0-9+/]*={0,2}$/;

/** True if a text without line breaks is base64; its spare bits are not checked. */
export function isBase64(text: string): boolean {
  return digitsAndPadding.test(text) && text.length % 4 === 0;
}

/** The bytes of base64 that decoding has accepted; line breaks and padding are skipped. */
export function bytesOfBase64(encoded: string): number[] {
  const bytes: number[] = [];
  let group = 0;
  let bits = 0;
  for (const character of encoded) {
    const value = alphabet.indexOf(character);
    if (value < 0) continue;
    group = ((group << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((group >> bits) & 0xff);
  }
  return bytes;
}

/** The text of base64; if its bytes are not UTF-8, each becomes a character. */
export function textOfBase64(encoded: string): string {
  const bytes = bytesOfBase64(encoded);
  try {
    return decodeURIComponent(bytes.map((b) => `%${b.toString(16).padStart(2, "0")}`).join(""));
  } catch {
    return bytes.map((b) => String.fromCharCode(b)).join("");
  }
}
