/** What there is of a message that is cut in the middle of its text, as kubectl and its windows cut them. */
import type { MessagePattern, MessageValues } from "./message-pattern.ts";
import { wording } from "./wording.ts";

export interface CutMessage {
  /** Of the placeholders before the cut. */
  readonly values: MessageValues;
  /** Letters of fixed text. */
  readonly fixedLength: number;
}

/** Less fixed text is that of many messages. */
const fixedLengthMin = 24;
const firstLettersMin = 8;

/** Where `line` ends with the beginning of such a message; a message that is there as a whole is none. */
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
  /** Fixed text and names of placeholders by turns. */
  readonly parts: readonly string[];
  readonly firstLetters: string;
}

const known = new WeakMap<MessagePattern, readonly Beginning[]>();

/** Of each wording that begins with enough fixed text. */
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
    // A value ends where the text behind it begins.
    const { names, valuesIn } = wording(`${asText(before)}${piece.slice(0, 1)}{rest}`, "whole");
    const found = piece === "" ? undefined : valuesIn(message);
    if (found === undefined) continue;
    const rest = piece.slice(0, 1) + (found.at(-1) ?? "");
    // The cut may be in a name: of that nothing is known.
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
