/** A quick test whether a text without aliases can reach the limits on document size or number of values. */
import { documentSizeMax } from "./syntax-tree.ts";
import { valueCountMax } from "./to-value.ts";

/** A value takes at least one and a half characters. */
const shortLength = 250_000;

/** Also false for some texts that reach no limit. */
export function staysBelowLimits(text: string): boolean {
  if (text.length <= shortLength) return true;
  return text.length <= documentSizeMax && marksIn(text) < valueCountMax;
}

/** Counts line ends and the characters before values and between names and values: each name or value has one of its own. */
function marksIn(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) if (marks.has(text.charCodeAt(at))) count++;
  return count;
}

const marks: ReadonlySet<number> = new Set([..."\n:,-[{"].map((mark) => mark.charCodeAt(0)));
