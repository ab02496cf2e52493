/** Recognizes the text of a driver's refusal inside a message. */
import { placeholders } from "../csi/creation-refusal.ts";
import { literal } from "./messages/literal.ts";

/** Matches messages that end with the text, whatever fills its placeholders; group `key` is the parameter or attribute. */
export function wordsOf(text: string): RegExp {
  const pieces = text.split(placeholders).map((piece, i) => {
    if (i % 2 === 0) return literal(piece);
    if (piece === "OTHERS") return "(?<key>[^:]+):.*";
    return piece === "KEY" ? "(?<key>.+)" : ".*";
  });
  return new RegExp(`${pieces.join("")}$`);
}
