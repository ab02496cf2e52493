/** A part of a message, as people shorten them and as kubectl and its windows cut them. */
import { messagePatterns } from "./catalogue.ts";
import { matchCut } from "./cut-message.ts";
import { patternsInside } from "./inside.ts";
import { matchMessage } from "./match-message.ts";
import { asRead, type MessagePattern, type MessageValues } from "./message-pattern.ts";
import type { Recognition } from "./recognition.ts";

/** Ends where there was no more room: `3 node(s) didn't find available persist…`; viewers put an arrow there. */
export function isCut(text: string): boolean {
  return /(?:\.\.\.|…|>)$/.test(text);
}

/**
 * The pattern of whose fixed text the most stands in a line. Of a message that is cut at its end, the values before the cut
 * are known, of others none.
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

/** Less than that of a whole sentence, so that the message around it is preferred. */
const anywhereLength = 12;
/** Shorter text stands in many messages. */
const pieceLengthMin = 18;
/** What the operating system says of any call. */
const ofAnyCall = /^(?:operation not permitted|no such file or directory|read-only file system)$/i;
/** Of somebody's own words that stand in a message. */
const pieceWordsMin = 3;

/**
 * Of the pieces that stand in the line all together; 0 where none is long enough to tell anything, or there is only the
 * smaller first part of a message: another one may begin alike.
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

/** Of each wording. */
function fixedPieces(pattern: MessagePattern): readonly (readonly string[])[] {
  const known = knownPieces.get(pattern);
  if (known !== undefined) return known;
  const found = pattern.texts.map((text) =>
    text
      .split(/\{\w+\}|(?<=\.) /)
      .map((piece) => piece.replace(/^[":\s]+|[":\s]+$/g, ""))
      // Commas and short words between two values stand in any line.
      .filter((piece) => piece.length > 4),
  );
  knownPieces.set(pattern, found);
  return found;
}
