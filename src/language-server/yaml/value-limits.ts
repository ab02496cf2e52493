/** Whether a text without aliases can reach a limit on the size of documents or on the number of their values, told without reading it. */
import { documentSizeMax } from "./syntax-tree.ts";
import { valueCountMax } from "./to-value.ts";

/** Each value takes more than one and a half characters. */
const shortLength = 250_000;

/** False of some that do not reach any. */
export function staysBelowLimits(text: string): boolean {
  if (text.length <= shortLength) return true;
  return text.length <= documentSizeMax && marksIn(text) < valueCountMax;
}

/** Line ends, and what stands before values and between names and values: each name and each value has one of its own. */
function marksIn(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) if (marks.has(text.charCodeAt(at))) count++;
  return count;
}

const marks: ReadonlySet<number> = new Set([..."\n:,-[{"].map((mark) => mark.charCodeAt(0)));
