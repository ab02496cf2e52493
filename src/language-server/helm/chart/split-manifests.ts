/**
 * Splits a rendered text into documents. Upstream: pkg/release/v1/util/manifest.go SplitManifests, which is not a YAML parser.
 */

export interface ManifestSlice {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** The non-empty documents. Three dashes at the start of a line separate them, whatever follows. */
export function splitManifests(text: string): readonly ManifestSlice[] {
  const slices: ManifestSlice[] = [];
  let at = spacesFrom(text, 0);
  if (text.startsWith("---", at)) at = separatorEnd(text, at + 3);
  for (;;) {
    const next = text.indexOf("\n---", at);
    const end = next < 0 ? text.length : spacesBefore(text, next, at);
    const start = spacesFrom(text, at);
    if (start < end) slices.push({ start, end });
    if (next < 0) return slices;
    at = separatorEnd(text, next + 4);
  }
}

/** Whitespace after the dashes is dropped, including line ends. */
function separatorEnd(text: string, at: number): number {
  return endOf(plainSpaces, text, at);
}

function spacesFrom(text: string, at: number): number {
  return endOf(allSpaces, text, at);
}

// Go's \s, and unicode.IsSpace.
const plainSpaces = /[\t\n\f\r ]*/y;
const allSpaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/y;

function endOf(spaces: RegExp, text: string, at: number): number {
  spaces.lastIndex = at;
  return at + (spaces.exec(text)?.[0].length ?? 0);
}

function spacesBefore(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && " \t\n\f\r".includes(text.charAt(at - 1))) at--;
  return at;
}
