/** The words of a driver's refusal, told again in a message. */
import { placeholders } from "../csi/creation-refusal.ts";
import { literal } from "./messages/literal.ts";

/** Whatever its placeholders stand for; the parameter or attribute that it names is the group `key`. */
export function wordsOf(text: string): RegExp {
  const pieces = text.split(placeholders).map((piece, i) => {
    if (i % 2 === 0) return literal(piece);
    if (piece === "OTHERS") return "(?<key>[^:]+):.*";
    return piece === "KEY" ? "(?<key>.+)" : ".*";
  });
  return new RegExp(`${pieces.join("")}$`);
}
