/** Patterns of messages that occur anywhere inside other messages. */
import { messagePatterns } from "./catalogue.ts";
import { literal } from "./literal.ts";
import type { MessagePattern } from "./message-pattern.ts";

const all = messagePatterns.filter(({ isAnywhere }) => isAnywhere === true);

/** The longest fixed piece of each wording: a message with none of them matches no pattern. */
const anyPiece = new RegExp(
  all
    .flatMap(({ texts }) => texts)
    .map((text) => text.split(/\{\w+\}/).reduce((a, b) => (b.length > a.length ? b : a)))
    .map(literal)
    .join("|"),
  "i",
);

/** The patterns that may match inside the message, which has single blanks only. */
export function patternsInside(message: string): readonly MessagePattern[] {
  return anyPiece.test(message) ? all : [];
}
