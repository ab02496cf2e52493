/**
 * Cuts a file into YAML documents before any of them is parsed, so that a broken document cannot spoil the next one and
 * an edit touches one document only. kubectl does the same: apimachinery util/yaml, YAMLReader.Read.
 */

/** Offsets of one document in its file; the separator line before it is not part of it. */
export interface DocumentSlice {
  readonly start: number;
  readonly end: number;
  /** Where a separator line has more than spaces or a comment behind its `---`: the offsets of that rest. */
  readonly separatorRest?: { readonly start: number; readonly end: number };
}

/** Never empty: a file without separator is one document. */
export function splitDocuments(text: string): readonly DocumentSlice[] {
  const slices: DocumentSlice[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let rest: DocumentSlice["separatorRest"];
  let at = text.startsWith("---", start) ? start : nextSeparator(text, start);
  while (at >= 0) {
    const lineEnd = endOfLine(text, at);
    if (at > start || slices.length > 0) slices.push(slice(start, at, rest));
    rest = restOfSeparator(text, at + 3, lineEnd);
    start = Math.min(lineEnd + 1, text.length);
    at = text.startsWith("---", start) && start > lineEnd ? start : nextSeparator(text, start);
  }
  slices.push(slice(start, text.length, rest));
  return slices;
}

function slice(
  start: number,
  end: number,
  separatorRest: DocumentSlice["separatorRest"],
): DocumentSlice {
  return separatorRest === undefined ? { start, end } : { start, end, separatorRest };
}

function nextSeparator(text: string, from: number): number {
  const found = text.indexOf("\n---", from);
  return found < 0 ? -1 : found + 1;
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found < 0 ? text.length : found;
}

function restOfSeparator(text: string, from: number, to: number): DocumentSlice["separatorRest"] {
  const rest = text.slice(from, to);
  const trimmed = rest.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const start = from + rest.indexOf(trimmed);
  return { start, end: start + trimmed.length };
}
