/** Patterns that stand in the middle of what somebody else says. */
import { messagePatterns } from "./catalogue.ts";
import { literal } from "./literal.ts";
import type { MessagePattern } from "./message-pattern.ts";

const all = messagePatterns.filter(({ isAnywhere }) => isAnywhere === true);

/** The longest fixed piece of each wording: where none of them is, no pattern needs a look. */
const anyPiece = new RegExp(
  all
    .flatMap(({ texts }) => texts)
    .map((text) => text.split(/\{\w+\}/).reduce((a, b) => (b.length > a.length ? b : a)))
    .map(literal)
    .join("|"),
  "i",
);

/** Of a message with single blanks. */
export function patternsInside(message: string): readonly MessagePattern[] {
  return anyPiece.test(message) ? all : [];
}
