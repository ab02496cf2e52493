/**
 * Upper and lower case, character by character as in Go: each stays a single character. Upstream: strings.ToUpper, ToLower,
 * Title, goutils wordutils.go.
 */
import { isSpace } from "./spaces.ts";

export function upperLetter(character: string): string {
  const upper = character.toUpperCase();
  return isOne(upper) ? upper : character;
}

export function lowerLetter(character: string): string {
  if (character === "\u0130") return "i";
  const lower = character.toLowerCase();
  return isOne(lower) ? lower : character;
}

/** Digraph characters such as U+01C4 have a form of their own at the start of a word. */
function titleLetter(character: string): string {
  const title = titles.get(upperLetter(character));
  return title ?? upperLetter(character);
}

const titles: ReadonlyMap<string, string> = new Map([
  ["\u01c4", "\u01c5"],
  ["\u01c7", "\u01c8"],
  ["\u01ca", "\u01cb"],
  ["\u01f1", "\u01f2"],
]);

function isOne(text: string): boolean {
  const [, second] = text;
  return (
    second === undefined || text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length
  );
}

export function isUpper(character: string): boolean {
  return /^\p{Lu}$/u.test(character);
}

function isLower(character: string): boolean {
  return /^\p{Ll}$/u.test(character);
}

const isAscii = /^[\t\n\r -~]*$/;

export function upper(text: string): string {
  if (isAscii.test(text)) return text.toUpperCase();
  return mapLetters(text, upperLetter);
}

export function lower(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return mapLetters(text, lowerLetter);
}

function mapLetters(text: string, map: (character: string) => string): string {
  let mapped = "";
  for (const character of text) mapped += map(character);
  return mapped;
}

/** Upstream: strings.Title, which treats an apostrophe as the end of a word. */
export function title(text: string): string {
  let previous = " ";
  return mapLetters(text, (character) => {
    const begins = isSeparator(previous);
    previous = character;
    return begins ? titleLetter(character) : character;
  });
}

function isSeparator(character: string): boolean {
  if (character <= "\x7f") return !/^\w$/.test(character);
  return !/^[\p{L}\p{Nd}]$/u.test(character) && isSpace(character);
}

export function untitle(text: string): string {
  let begins = true;
  return mapLetters(text, (character) => {
    if (isSpace(character)) {
      begins = true;
      return character;
    }
    const changed = begins ? lowerLetter(character) : character;
    begins = false;
    return changed;
  });
}

/** The first letter of a word becomes a capital, whatever its case. */
export function swapCase(text: string): string {
  let begins = true;
  return mapLetters(text, (character) => {
    if (/^[\p{Lu}\p{Lt}]$/u.test(character)) {
      begins = false;
      return lowerLetter(character);
    }
    if (isLower(character)) {
      const swapped = begins ? titleLetter(character) : upperLetter(character);
      begins = false;
      return swapped;
    }
    begins = isSpace(character);
    return character;
  });
}
