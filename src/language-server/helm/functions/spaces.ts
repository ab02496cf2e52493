/** Upstream: Go's unicode.IsSpace and strings.TrimSpace, which differ from JavaScript's in two characters. */

const space = /^[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

export function isSpace(character: string): boolean {
  return space.test(character);
}

export function trimSpace(text: string): string {
  return trimWhere(text, isSpace);
}

/** Without the characters at both ends that the test takes. */
export function trimWhere(text: string, isTrimmed: (character: string) => boolean): string {
  const characters = [...text];
  let start = 0;
  let end = characters.length;
  while (start < end && isTrimmed(characters[start] ?? "")) start++;
  while (end > start && isTrimmed(characters[end - 1] ?? "")) end--;
  return start === 0 && end === characters.length ? text : characters.slice(start, end).join("");
}
