/**
 * The text of a file's bytes: UTF-8, or the UTF-16 that PowerShell writes what a program prints to a file in. Where a byte is
 * neither, U+FFFF stands for it, which is no character.
 */
export function fileText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (isUtf16(bytes)) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return withMark.decode(bytes);
  } catch {
    return withReplacements.decode(bytes).replaceAll("\ufffd", notText);
  }
}

/** Whether it is UTF-16 as PowerShell writes it, the low byte first. */
export function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe;
}

/** What stands for bytes that are no text. */
export const notText = "\uffff";

// Editors count the mark as a part of the text, and so do places.
const withMark = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const withReplacements = new TextDecoder("utf-8", { ignoreBOM: true });
