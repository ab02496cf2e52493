/** Texts by their bytes, as Go's functions count. A letter that is cut in two becomes the sign for what cannot be read. */

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

/** Go's `text[start:end]`; both have to be within the text. */
export function byteSlice(text: string, start: number, end?: number): string {
  if (isAscii.test(text)) return text.slice(start, end);
  return textOfBytes(bytesOf(text).subarray(start, end));
}

/** Each byte as URLs escape it. */
export function percentEscaped(text: string): string {
  const escapes = Array.from(
    bytesOf(text),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return escapes.join("");
}

/** Halves of letters that stand alone are no text to Go. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}
