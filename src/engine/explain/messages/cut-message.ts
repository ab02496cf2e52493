/** Recognizes a message whose end is cut off, as kubectl and graphical clients do for lack of space. */
import type { MessagePattern, MessageValues } from "./message-pattern.ts";
import { wording } from "./wording.ts";

export interface CutMessage {
  /** The values of the placeholders before the cut. */
  readonly values: MessageValues;
  /** How many letters of the pattern's fixed text the line has. */
  readonly fixedLength: number;
}

/** Less fixed text occurs in many messages. */
const fixedLengthMin = 24;
const firstLettersMin = 8;

/** Matches if `line` ends with the beginning of a message of the pattern; undefined otherwise. */
export function matchCut(pattern: MessagePattern, line: string): CutMessage | undefined {
  if (line.length < fixedLengthMin) return undefined;
  for (const { parts, firstLetters } of beginnings(pattern)) {
    const start = line.indexOf(firstLetters);
    if (start < 0) continue;
    const found = beginningOf(parts, line.slice(start));
    if (found !== undefined && found.fixedLength >= fixedLengthMin) return found;
  }
  return undefined;
}

interface Beginning {
  /** Fixed texts and names of placeholders, alternating. */
  readonly parts: readonly string[];
  readonly firstLetters: string;
}

const known = new WeakMap<MessagePattern, readonly Beginning[]>();

/** One for each wording that begins with enough fixed text. */
function beginnings(pattern: MessagePattern): readonly Beginning[] {
  const found =
    known.get(pattern) ??
    pattern.texts
      .map((text) => text.split(/\{(\w+)\}/))
      .filter(([first = ""]) => first.length >= firstLettersMin)
      .map((parts) => ({ parts, firstLetters: (parts[0] ?? "").slice(0, firstLettersMin) }));
  known.set(pattern, found);
  return found;
}

function beginningOf(parts: readonly string[], message: string): CutMessage | undefined {
  for (let end = parts.length - 1; end >= 0; end -= 2) {
    const before = parts.slice(0, end);
    const fixedBefore = before.filter((_, i) => i % 2 === 0).join("").length;
    const piece = parts[end] ?? "";
    // A value ends where the text after it begins.
    const { names, valuesIn } = wording(`${asText(before)}${piece.slice(0, 1)}{rest}`, "whole");
    const found = piece === "" ? undefined : valuesIn(message);
    if (found === undefined) continue;
    const rest = piece.slice(0, 1) + (found.at(-1) ?? "");
    // The cut may be inside a value without blanks, which is then not known.
    const isInName = rest.startsWith(piece) && !/\s/.test(rest.slice(piece.length));
    if (!piece.startsWith(rest) && !(isInName && parts[end + 1] !== undefined)) continue;
    const values = Object.fromEntries(names.slice(0, -1).map((name, i) => [name, found[i] ?? ""]));
    return { values, fixedLength: fixedBefore + Math.min(rest.length, piece.length) };
  }
  return undefined;
}

function asText(parts: readonly string[]): string {
  return parts.map((part, i) => (i % 2 === 0 ? part : `{${part}}`)).join("");
}
