/** Recognizes parts of messages, as people quote them and as kubectl and graphical clients cut them. */
import { messagePatterns } from "./catalogue.ts";
import { matchCut } from "./cut-message.ts";
import { patternsInside } from "./inside.ts";
import { matchMessage } from "./match-message.ts";
import { asRead, type MessagePattern, type MessageValues } from "./message-pattern.ts";
import type { Recognition } from "./recognition.ts";

/** True if the end is cut off for lack of space: `3 node(s) didn't find available persist…`; some viewers show an arrow. */
export function isCut(text: string): boolean {
  return /(?:\.\.\.|…|>)$/.test(text);
}

/**
 * The pattern that has the most fixed text in common with a line; undefined if none has enough. The values are those before
 * the cut if the message is cut at its end, else none.
 */
export function recognizeFragment(text: string): Recognition | undefined {
  const line = asRead(text)
    .replace(/\s*(?:\.\.\.|…|>)$/, "")
    .trim();
  let best: { readonly found: Recognition; readonly length: number } | undefined;
  const offer = (pattern: MessagePattern, values: MessageValues, length: number): void => {
    if (length > (best?.length ?? 0)) best = { found: { pattern, values, inner: [] }, length };
  };
  const isPiece = line.split(" ").length >= pieceWordsMin;
  for (const pattern of line.length < pieceLengthMin ? [] : messagePatterns) {
    if (pattern.isShown === true) continue;
    const cut = matchCut(pattern, line);
    if (cut !== undefined) offer(pattern, cut.values, cut.fixedLength);
    if (isPiece && pattern.texts.some((whole) => whole.includes(line)))
      offer(pattern, {}, line.length);
    if (pattern.isAnywhere !== true)
      for (const pieces of fixedPieces(pattern)) offer(pattern, {}, lengthIn(line, pieces));
  }
  for (const pattern of patternsInside(line)) {
    const values = matchMessage(pattern, line, "text");
    if (values !== undefined) offer(pattern, values, anywhereLength);
  }
  return best?.found;
}

/** Less than a whole sentence has, so that the enclosing message is preferred. */
const anywhereLength = 12;
/** Shorter texts occur in many messages. */
const pieceLengthMin = 18;
/** Errors that the operating system may return for any call. */
const ofAnyCall = /^(?:operation not permitted|no such file or directory|read-only file system)$/i;
/** How many words of a message a line must have to be taken for a quotation. */
const pieceWordsMin = 3;

/**
 * The total length of the pieces that are in the line; 0 if none of them is long enough to be telling, or if only the first
 * piece is there and is less than half of the message: another message may begin alike.
 */
function lengthIn(line: string, pieces: readonly string[]): number {
  const there = pieces.filter((piece) => line.includes(piece));
  const tells = there.some(
    (piece) => piece.length >= pieceLengthMin && piece.includes(" ") && !ofAnyCall.test(piece),
  );
  const length = lengthOf(there);
  const isOnlyStart = there.length === 1 && there[0] === pieces[0] && length * 2 < lengthOf(pieces);
  return tells && !isOnlyStart ? length : 0;
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

const knownPieces = new WeakMap<MessagePattern, readonly (readonly string[])[]>();

/** The fixed texts of each wording. */
function fixedPieces(pattern: MessagePattern): readonly (readonly string[])[] {
  const known = knownPieces.get(pattern);
  if (known !== undefined) return known;
  const found = pattern.texts.map((text) =>
    text
      .split(/\{\w+\}|(?<=\.) /)
      .map((piece) => piece.replace(/^[":\s]+|[":\s]+$/g, ""))
      // Commas and short words between two values occur in any line.
      .filter((piece) => piece.length > 4),
  );
  knownPieces.set(pattern, found);
  return found;
}
