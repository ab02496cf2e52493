/** What there is of a message that is cut in the middle of its text, as kubectl and its windows cut them. */
import { compile } from "./match-message.ts";
import type { MessagePattern, MessageValues } from "./message-pattern.ts";

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
  for (const text of pattern.texts) {
    const parts = text.split(/\{(\w+)\}/);
    const first = parts[0] ?? "";
    const start =
      first.length < firstLettersMin ? -1 : line.indexOf(first.slice(0, firstLettersMin));
    if (start < 0) continue;
    const found = beginningOf(parts, line.slice(start));
    if (found !== undefined && found.fixedLength >= fixedLengthMin) return found;
  }
  return undefined;
}

function beginningOf(parts: readonly string[], message: string): CutMessage | undefined {
  for (let end = parts.length - 1; end >= 0; end -= 2) {
    const before = parts.slice(0, end);
    const fixedBefore = before.filter((_, i) => i % 2 === 0).join("").length;
    const piece = parts[end] ?? "";
    // A value ends where the text behind it begins.
    const { expression, names } = compile(`${asText(before)}${piece.slice(0, 1)}{rest}`, "whole");
    const match = expression.exec(message);
    if (match === null || piece === "") continue;
    const rest = piece.slice(0, 1) + (match[names.length] ?? "");
    if (!piece.startsWith(rest)) continue;
    const values = Object.fromEntries(
      names.slice(0, -1).map((name, i) => [name, match[i + 1] ?? ""]),
    );
    return { values, fixedLength: fixedBefore + rest.length };
  }
  return undefined;
}

function asText(parts: readonly string[]): string {
  return parts.map((part, i) => (i % 2 === 0 ? part : `{${part}}`)).join("");
}
