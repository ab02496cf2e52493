/** The text of a file's bytes: UTF-8, or the UTF-16 that PowerShell writes what a program prints to a file in. */
export function fileText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return withMark.decode(bytes);
}

// Editors count the mark as a part of the text, and so do places.
const withMark = new TextDecoder("utf-8", { ignoreBOM: true });
