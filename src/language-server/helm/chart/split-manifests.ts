/** A rendered text as its documents. Upstream: pkg/release/v1/util/manifest.go SplitManifests, which is no YAML parser. */

export interface ManifestSlice {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** Those with something in them. Three dashes at the start of a line part them, whatever stands behind. */
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

/** What the spaces behind the dashes are, lines included, is gone with them. */
function separatorEnd(text: string, at: number): number {
  return endOf(plainSpaces, text, at);
}

function spacesFrom(text: string, at: number): number {
  return endOf(allSpaces, text, at);
}

// Of Go's \s, and of unicode.IsSpace.
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
