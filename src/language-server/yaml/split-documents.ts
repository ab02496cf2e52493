/**
 * Splits a file into YAML documents before any of them is parsed, so that a broken document cannot affect the next one and an
 * edit affects only one. kubectl does the same: apimachinery util/yaml, YAMLReader.Read.
 */
import { lastUpTo } from "../sorted.ts";
import { isJsonObject } from "./json-text.ts";

/** Offsets of one document in its file; excludes the separator line before it. */
export interface DocumentSlice {
  readonly start: number;
  readonly end: number;
  /** Offsets of what follows `---` on the separator line, if it is more than spaces or an accepted comment. */
  readonly separatorRest?: { readonly start: number; readonly end: number } | undefined;
}

/** Never empty: a file without separators is one document. */
export function splitDocuments(text: string): readonly DocumentSlice[] {
  const slices: DocumentSlice[] = [];
  split(text, slices, beginningOf(text));
  const [first, ...others] = slices;
  return first && maybeJsonStream(text) ? [...jsonObjectsOf(first, text), ...others] : slices;
}

/** True if JSON objects may follow one another without separators. */
function maybeJsonStream(text: string): boolean {
  return /^\ufeff?\s*\{/.test(text) && /\}\s*\{/.test(text);
}

/** Upstream: apimachinery util/yaml, YAMLOrJSONDecoder.Decode, which continues with JSON if the file begins with it. */
function jsonObjectsOf(whole: DocumentSlice, text: string): readonly DocumentSlice[] {
  const starts = [whole.start];
  let depth = 0;
  for (const { 0: token, index } of text.slice(whole.start, whole.end).matchAll(jsonToken)) {
    if (token === "{") depth++;
    if (token !== "}" || --depth > 0) continue;
    const end = whole.start + index + 1;
    if (!isJsonObject(text.slice(starts.at(-1), end))) return [whole];
    const [next] = /\S/.exec(text.slice(end, whole.end)) ?? [];
    if (next === undefined) break;
    if (next !== "{") return [whole];
    starts.push(end);
  }
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? whole.end }));
}

const jsonToken = /"(?:[^"\\]|\\.)*"|[{}]/g;

/** A text and its documents. */
export interface SplitText {
  readonly text: string;
  readonly slices: readonly DocumentSlice[];
}

export interface EditedSlices {
  readonly slices: readonly DocumentSlice[];
  /** How many documents at the start and at the end are unchanged. */
  readonly headCount: number;
  readonly tailCount: number;
}

/** The same result as for the text alone, but only looks for separators where the text has changed. */
export function splitEdited(text: string, before: SplitText): EditedSlices {
  if (maybeJsonStream(text) || maybeJsonStream(before.text))
    return { slices: splitDocuments(text), headCount: 0, tailCount: 0 };
  const by = text.length - before.text.length;
  const headEnd = commonStart(text, before.text);
  const endLength = commonEnd(
    text,
    before.text,
    Math.min(text.length, before.text.length) - headEnd,
  );
  const headCount = headCountUpTo(headEnd, before);
  const slices = before.slices.slice(0, headCount);
  let tailCount = 0;
  const takeTail = ({ start, separatorRest }: Beginning): boolean => {
    // At the start of a text, separators may end no document.
    if (slices.length === 0 || start < text.length - endLength) return false;
    const index = lastUpTo(start - by, before.slices, startOf);
    const tail = before.slices.slice(index);
    const [first] = tail;
    if (first?.start !== start - by) return false;
    tailCount = tail.length;
    slices.push(slice(start, first.end + by, separatorRest));
    for (const other of tail.slice(1)) slices.push(by === 0 ? other : movedBy(other, by));
    return true;
  };
  const next = headCount === 0 ? undefined : before.slices[headCount];
  split(text, slices, next ?? beginningOf(text), takeTail);
  return { slices, headCount, tailCount };
}

/** How many documents end with a complete separator line before the offset. */
function headCountUpTo(offset: number, { text, slices }: SplitText): number {
  const last = lastUpTo(offset, slices, startOf);
  // A separator at the very end of the text may become a different line if the text goes on.
  const endsLine = text.charCodeAt((slices[last]?.start ?? 0) - 1) === lineFeed;
  return Math.max(0, endsLine ? last : last - 1);
}

const lineFeed = 0x0a;
const startOf = ({ start }: DocumentSlice): number => start;

function movedBy({ start, end, separatorRest: rest }: DocumentSlice, by: number): DocumentSlice {
  const moved = rest && { start: rest.start + by, end: rest.end + by };
  return slice(start + by, end + by, moved);
}

type Beginning = Pick<DocumentSlice, "start" | "separatorRest">;

function beginningOf(text: string): Beginning {
  return { start: text.charCodeAt(0) === 0xfeff ? 1 : 0 };
}

/** Adds the slices from the given beginning on, to the end of the text or until `addsOthers` has added the rest. */
function split(
  text: string,
  slices: DocumentSlice[],
  first: Beginning,
  addsOthers: (from: Beginning) => boolean = () => false,
): void {
  let { start, separatorRest }: Beginning = first;
  for (;;) {
    const at = text.startsWith("---", start) ? start : nextSeparator(text, start);
    if (at < 0) break;
    const lineEnd = endOfLine(text, at);
    if (at > start || slices.length > 0) slices.push(slice(start, at, separatorRest));
    separatorRest = restOfSeparator(text, at + 3, lineEnd);
    start = Math.min(lineEnd + 1, text.length);
    if (addsOthers({ start, separatorRest })) return;
  }
  slices.push(slice(start, text.length, separatorRest));
}

/** Length of the common start of two texts, by binary search. */
function commonStart(a: string, b: string): number {
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Length of their common end, at most `max`. */
function commonEnd(a: string, b: string, max: number): number {
  let low = 0;
  let high = max;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const same =
      a.slice(a.length - middle, a.length - low) === b.slice(b.length - middle, b.length - low);
    if (same) low = middle;
    else high = middle - 1;
  }
  return low;
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

/** On the very first line a comment directly after `---` makes kubectl read the line as part of the document. */
function restOfSeparator(text: string, from: number, to: number): DocumentSlice["separatorRest"] {
  const rest = text.slice(from, to);
  const trimmed = rest.trim();
  const isFirstLine = from === "---".length;
  const isComment = trimmed.startsWith("#") && !(isFirstLine && rest.startsWith("#"));
  if (trimmed === "" || isComment) return undefined;
  const start = from + rest.indexOf(trimmed);
  return { start, end: start + trimmed.length };
}
