/**
 * Decodes a file as kubectl does: UTF-8, or UTF-16 if it has a byte order mark, as PowerShell writes redirected output.
 * Upstream: cli-runtime pkg/resource/visitor.go, FileVisitor.Visit; golang.org/x/text encoding/unicode, BOMOverride.
 */
import { notText } from "../../yaml/not-text.ts";

export function fileText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return withMark.decode(bytes);
  } catch {
    return withReplacements.decode(bytes).replaceAll("\ufffd", notText);
  }
}

// Keeps the byte order mark: editors count it as part of the text, and so do our offsets.
const withMark = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const withReplacements = new TextDecoder("utf-8", { ignoreBOM: true });
