/** Findings of an earlier text at their places in a later one, until they are made anew. Editors move underlines likewise. */
import type { Span } from "../yaml/locate.ts";
import type { Diagnostic } from "./rule.ts";

/** What stands before the changed part keeps its place, what stands behind it moves with the text. */
export function movedFindings(
  found: readonly Diagnostic[],
  before: string,
  after: string,
): readonly Diagnostic[] {
  if (found.length === 0 || before === after) return found;
  const start = equalStart(before, after);
  const end = equalEnd(before, after, start);
  const grown = after.length - before.length;
  const move = (offset: number): number => {
    if (offset <= start) return offset;
    return offset >= before.length - end ? offset + grown : start;
  };
  const moved = <T extends Span>(place: T): T => {
    const from = move(place.start);
    return { ...place, start: from, end: Math.max(from, move(place.end)) };
  };
  return found.map((diagnostic) => {
    const { uri, related } = diagnostic;
    if (related === undefined) return moved(diagnostic);
    const places = related.map((place) => (place.uri === uri ? moved(place) : place));
    return { ...moved(diagnostic), related: places };
  });
}

function equalStart(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let count = 0;
  while (count < shorter && before.charCodeAt(count) === after.charCodeAt(count)) count++;
  return count;
}

/** Without what is equal from the start. */
function equalEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (
    count < most &&
    before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)
  ) {
    count++;
  }
  return count;
}
