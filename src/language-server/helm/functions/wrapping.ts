/** Shortens and wraps long texts; counts bytes. Upstream: goutils stringutils.go AbbreviateFull, wordutils.go WrapCustom. */
import type { Call, Failure } from "../go-template/values.ts";
import { bytesOf, textOfBytes } from "./bytes.ts";
import { define, type Named } from "./signature.ts";

export const wrappingFunctions: readonly Named[] = [
  define("abbrev", ["int", "string"], ([width, text]) =>
    width < 4n ? text : abbreviated(bytesOf(text), 0, Number(width)),
  ),
  define("abbrevboth", ["int", "int", "string"], ([left, right, text]) =>
    right < 4n || (left > 0n && right < 7n)
      ? text
      : abbreviated(bytesOf(text), Number(left), Number(right)),
  ),
  define("wrap", ["int", "string"], ([width, text], call) =>
    wrapped(text, { width: Number(width), lineEnd: "\n", cutsWords: false }, call),
  ),
  define("wrapWith", ["int", "string", "string"], ([width, lineEnd, text], call) =>
    wrapped(text, { width: Number(width), lineEnd: lineEnd || "\n", cutsWords: true }, call),
  ),
];

const mark = "...";

function abbreviated(bytes: Uint8Array, offset: number, width: number): string {
  if (bytes.length <= width) return textOfBytes(bytes);
  const kept = width - mark.length;
  const start = Math.min(offset, bytes.length - kept);
  if (start <= 4) return textOfBytes(bytes.subarray(0, kept)) + mark;
  if (start + kept < bytes.length) return mark + abbreviated(bytes.subarray(start), 0, kept);
  return mark + textOfBytes(bytes.subarray(bytes.length - kept));
}

interface Wrapping {
  readonly width: number;
  readonly lineEnd: string;
  readonly cutsWords: boolean;
}

const blank = 0x20;

function wrapped(text: string, wrapping: Wrapping, call: Call): string | Failure {
  const { lineEnd, cutsWords } = wrapping;
  const width = Math.max(wrapping.width, 1);
  const bytes = bytesOf(text);
  const refused = call.charge(bytes.length * (1 + lineEnd.length));
  if (refused !== undefined) return refused;
  let result = "";
  let offset = 0;
  const take = (end: number, next: number): void => {
    result += textOfBytes(bytes.subarray(offset, end)) + lineEnd;
    offset = next;
  };
  while (bytes.length - offset > width) {
    if (bytes[offset] === blank) {
      offset++;
      continue;
    }
    const lastBlank = bytes.subarray(offset, offset + width + 1).lastIndexOf(blank);
    if (lastBlank >= 0) {
      take(offset + lastBlank, offset + lastBlank + 1);
      continue;
    }
    if (cutsWords) {
      take(offset + width, offset + width);
      continue;
    }
    const nextBlank = bytes.indexOf(blank, offset + width);
    if (nextBlank < 0) break;
    take(nextBlank, nextBlank + 1);
  }
  return result + textOfBytes(bytes.subarray(offset));
}
