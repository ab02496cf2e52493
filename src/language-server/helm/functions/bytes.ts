/** Texts as bytes, which Go's functions count. A character that is cut in two becomes U+FFFD. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const isAscii = /^[\0-\x7f]*$/;

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function textOfBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function byteCount(text: string): number {
  return isAscii.test(text) ? text.length : bytesOf(text).length;
}

/** Go's `text[start:end]`; both offsets must be within the text. */
export function byteSlice(text: string, start: number, end?: number): string {
  if (isAscii.test(text)) return text.slice(start, end);
  return textOfBytes(bytesOf(text).subarray(start, end));
}

/** Percent-encodes each byte. */
export function percentEscaped(text: string): string {
  const escapes = Array.from(
    bytesOf(text),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return escapes.join("");
}

/** Replaces lone surrogates, which are not valid text in Go. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}
