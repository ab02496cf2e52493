/** Upstream: Go's unicode.IsSpace and strings.TrimSpace, which differ from JavaScript's in two characters. */

const space = /^[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

export function isSpace(character: string): boolean {
  return space.test(character);
}

export function trimSpace(text: string): string {
  return trimWhere(text, isSpace);
}

/** Removes characters that pass the test from both ends. */
export function trimWhere(text: string, isTrimmed: (character: string) => boolean): string {
  let start = 0;
  let end = text.length;
  for (;;) {
    const first = text.codePointAt(start);
    if (start >= end || first === undefined || !isTrimmed(String.fromCodePoint(first))) break;
    start += first > 0xffff ? 2 : 1;
  }
  for (;;) {
    const last = /[\s\S]$/u.exec(text.slice(Math.max(start, end - 2), end))?.[0];
    if (last === undefined || !isTrimmed(last)) break;
    end -= last.length;
  }
  return text.slice(start, end);
}
